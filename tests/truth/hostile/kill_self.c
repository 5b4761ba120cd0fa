// entry: suicide
// outcomes: killed
#include <signal.h>
#include <unistd.h>
int suicide(unsigned char x) {
    if (x == 5)
        kill(getpid(), SIGKILL);
    if (x > 100)
        return 1;
    return 0;
}
