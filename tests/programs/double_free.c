// entry: twice
// input: unsigned char x: all
// outcomes: returned double-free
#include <stdlib.h>
int twice(unsigned char x) {
    char *p = malloc(3);
    if (x > 250)
        free(p);
    free(p);
    return 0;
}
