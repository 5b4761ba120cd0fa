// entry: closer
// outcomes: returned|killed
// about: closes every file descriptor, those of the engine too
#include <unistd.h>
int closer(unsigned char x) {
    if (x == 5)
        for (int i = 0; i < 1024; i++)
            close(i);
    if (x > 100)
        return 1;
    return 0;
}
