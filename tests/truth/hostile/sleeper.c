// entry: sleeper
// outcomes: cut|killed
// about: waits for ever in the kernel
#include <unistd.h>
int sleeper(unsigned char x) {
    if (x == 5)
        pause();
    if (x > 100)
        return 1;
    return 0;
}
