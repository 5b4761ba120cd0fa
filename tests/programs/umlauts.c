// entry: größe
// input: int maß: 0..6
// input: int länge: -1..2
// outcomes: returned abort
// about: identifiers beyond ASCII, as functions, parameters, variables and members
#include <stdlib.h>
struct grenze {
    int länge;
};
static int zähler;
static int doppelt(int maß) {
    zähler++;
    return 2 * (maß & 255);
}
int größe(int maß, int länge) {
    struct grenze obere = {länge};
    if (doppelt(maß) > 10 && obere.länge == 1)
        return zähler;
    if (länge < 0)
        abort();
    return 0;
}
