// entry: quit
// outcomes: exited
#include <stdlib.h>
int quit(unsigned char x) {
    if (x == 1)
        exit(3);
    if (x == 2)
        _Exit(4);
    if (x > 100)
        return 1;
    return 0;
}
