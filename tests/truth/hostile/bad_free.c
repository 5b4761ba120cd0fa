// entry: release
// outcomes: bad-free
#include <stdlib.h>
int release(unsigned char x) {
    char local[4] = "abc";
    if (x == 5)
        free(local + 1);
    if (x > 100)
        return 1;
    return local[0];
}
