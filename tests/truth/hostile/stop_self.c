// entry: stopper
// outcomes: killed|cut
#include <signal.h>
#include <unistd.h>
int stopper(unsigned char x) {
    if (x == 5)
        kill(getpid(), SIGSTOP);
    if (x > 100)
        return 1;
    return 0;
}
