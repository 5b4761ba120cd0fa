// entry: fill
// outcomes: memory-limit
// about: a file of 256 MiB, which is memory of the run: its limit ends it, and nothing is left in the working directory
#include <stdio.h>
#include <string.h>
int fill(unsigned char x) {
    static char block[1 << 16];
    if (x == 5) {
        FILE *f = fopen("veer-hostile-output", "w");
        if (f)
            for (int i = 0; i < 4096 && fwrite(block, 1, sizeof block, f) == sizeof block; i++)
                ;
    }
    if (x > 100)
        return 1;
    return 0;
}
