/* Random numbers: those that glibc draws, so that a test that was recorded here ends as it did on the plain build. State lies in
   globals of the unit's side, restored before each run like any other. Nothing here branches on a symbolic seed. */
#include <stddef.h>
#include <stdint.h>

#include "libc.h"

/* rand and random: x[i] = x[i-3] + x[i-31] over 31 words that a linear congruence fills (glibc's default, TYPE_3). */
enum { DEGREE = 31, SEPARATION = 3, DISCARDED = 10 * DEGREE };

static uint32_t state[DEGREE];
static unsigned front, rear;
static int is_seeded;

static uint32_t next_random(void) {
    state[front] += state[rear];
    uint32_t drawn = state[front] >> 1;
    front = front + 1 == DEGREE ? 0 : front + 1;
    rear = rear + 1 == DEGREE ? 0 : rear + 1;
    return drawn;
}

/* 16807 x modulo 2^31 - 1 without overflow (Schrage), for any 32-bit x as glibc computes it. */
static int32_t next_word(int32_t word) {
    int32_t high = word / 127773, low = word % 127773;
    int32_t next = 16807 * low - 2836 * high;
    return next + (INT32_MAX & next >> 31);
}

void veer_libc_srandom(unsigned seed) {
    int32_t word = (int32_t)(seed | (seed == 0)); /* 0 counts as 1 */
    state[0] = (uint32_t)word;
    for (int k = 1; k < DEGREE; k++) {
        word = next_word(word);
        state[k] = (uint32_t)word;
    }
    front = SEPARATION;
    rear = 0;
    is_seeded = 1;
    for (int k = 0; k < DISCARDED; k++) next_random();
}

void veer_libc_srand(unsigned seed) { veer_libc_srandom(seed); }

long veer_libc_random(void) {
    if (!is_seeded) veer_libc_srandom(1);
    return next_random();
}

int veer_libc_rand(void) { return (int)veer_libc_random(); }

static uint32_t next_of(uint32_t *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed / 65536;
}

int veer_libc_rand_r(unsigned *seed) {
    uint32_t next = *seed, drawn = next_of(&next) % 2048;
    drawn = drawn << 10 ^ next_of(&next) % 1024;
    drawn = drawn << 10 ^ next_of(&next) % 1024;
    *seed = next;
    return (int)drawn;
}

/* drand48 and its family: a linear congruence of 48 bits. */
static uint64_t state_48;

static uint64_t next_48(void) { return state_48 = (state_48 * 0x5deece66dull + 0xb) & 0xffffffffffffull; }

void veer_libc_srand48(long seed) { state_48 = (uint64_t)(uint32_t)seed << 16 | 0x330e; }
double veer_libc_drand48(void) { return (double)next_48() * 0x1p-48; }
long veer_libc_lrand48(void) { return (long)(next_48() >> 17); }
long veer_libc_mrand48(void) { return (int32_t)(next_48() >> 16); }
