// entry: shout
// outcomes: output-limit|cut|returned|hang
// about: output without end: steps, output or time are used up first
#include <stdio.h>
int shout(unsigned char x) {
    if (x == 5)
        for (;;)
            printf("a line that nobody reads, again and again\n");
    if (x > 100)
        return 1;
    return 0;
}
