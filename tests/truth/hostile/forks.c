// entry: breed
// outcomes: returned|killed|cut|capacity|exited|unsupported
// about: a small fork bomb
#include <unistd.h>
int breed(unsigned char x) {
    if (x == 5)
        for (int i = 0; i < 6; i++)
            if (fork() < 0)
                break;
    if (x > 100)
        return 1;
    return 0;
}
