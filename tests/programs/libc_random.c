// entry: draws
// input: unsigned char seed: all
// claim: paths
// about: a sequence of random numbers follows from its seed, as on the plain build
#include <stdlib.h>
int draws(unsigned char seed) {
    srand(seed);
    int r = rand() % 100;
    if (r == 77)
        return rand() % 2 ? 1 : 2;
    srand48(seed);
    return drand48() < 0.01 ? 3 : 4;
}
