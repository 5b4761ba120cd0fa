// entry: ignore
// outcomes: null-dereference|killed|cut
// about: takes the signal handlers away, then crashes in a library
#include <signal.h>
#include <string.h>
int ignore(unsigned char x) {
    if (x == 5) {
        signal(SIGSEGV, SIG_DFL);
        memcpy((void *)16, "abc", 3);
    }
    if (x > 100)
        return 1;
    return 0;
}
