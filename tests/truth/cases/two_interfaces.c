/* An entry with arguments beside one that takes its inputs itself; one that does both. */
#include <veer.h>
int plain(int x) { return x == 7 ? 1 : 0; }
int own(void) { int y; veer_input(&y, sizeof y, "y"); return y == 9 ? 3 : 2; }
int both(int x)
{
    int other;
    veer_input(&other, sizeof other, "x");
    veer_assume(other != 5);
    if (x != 7)
        return 2 + (other == 5);
    return other == 8 ? 1 : 0;
}
