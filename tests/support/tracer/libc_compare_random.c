/* The random numbers of veer's own libc against the machine's; prints each difference. */
#include <stdio.h>
#include <stdlib.h>

#include "libc_compare.h"

void veer_libc_srand(unsigned);
void veer_libc_srand48(long);
int veer_libc_rand(void);
int veer_libc_rand_r(unsigned *);
long veer_libc_random(void);
long veer_libc_lrand48(void);
long veer_libc_mrand48(void);
double veer_libc_drand48(void);

#define CHECK(NAME, OWN, MACHINE)                                                                               \
    do {                                                                                                        \
        double own = (double)(OWN), machine = (double)(MACHINE);                                                \
        if (!same_double(own, machine)) failures++, printf(NAME " = %a, not %a\n", own, machine);               \
    } while (0)

static void compare_draws(void) {
    for (int k = 0; k < 100; k++) {
        CHECK("rand", veer_libc_rand(), rand());
        CHECK("random", veer_libc_random(), random());
        CHECK("lrand48", veer_libc_lrand48(), lrand48());
        CHECK("mrand48", veer_libc_mrand48(), mrand48());
        CHECK("drand48", veer_libc_drand48(), drand48());
    }
}

int main(void) {
    compare_draws(); /* nobody has seeded anything */
    for (int round = 0; round < 2000; round++) {
        unsigned seed = round < 4 ? (unsigned)round - 2 : (unsigned)draw_bits(), own_seed = seed, machine_seed = seed;
        veer_libc_srand(seed), srand(seed);
        veer_libc_srand48((long)seed), srand48((long)seed);
        compare_draws();
        CHECK("rand_r", veer_libc_rand_r(&own_seed), rand_r(&machine_seed));
        CHECK("rand_r's seed", own_seed, machine_seed);
    }
    return failures != 0;
}
