/* What the comparisons of veer's own libc with the machine's share: the runtime's functions as the machine has them, and numbers. */
#ifndef LIBC_COMPARE_H
#define LIBC_COMPARE_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *veer_malloc(uint64_t size) { return malloc(size); }
void *veer_realloc(void *old, uint64_t size) { return realloc(old, size); }
void *veer_aligned_alloc(uint64_t alignment, uint64_t size) { return aligned_alloc(alignment, size); }
void veer_free(void *object) { free(object); }
void *veer_memcpy(void *to, const void *from, uint64_t size) { return memcpy(to, from, size); }
void *veer_memmove(void *to, const void *from, uint64_t size) { return memmove(to, from, size); }
void *veer_memset(void *to, int value, uint64_t size) { return memset(to, value, size); }
/* With CONCRETE, what the runtime answers for symbolic bytes in concrete texts; else each text is read by the loop. */
long veer_place_of(const void *text, int c, uint64_t most) {
    if (!CONCRETE) return -1;
    const char *found = most == ~0ull ? strchr(text, c) : memchr(text, c, most);
    return found ? found - (const char *)text + 1 : 0;
}

static uint64_t state = 88172645463325252ull;
static inline uint64_t draw_bits(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
static inline unsigned draw(unsigned below) { return (unsigned)(draw_bits() >> 33) % below; }
static inline const char *pick(const char *const *list) {
    unsigned count = 0;
    while (list[count]) count++;
    return list[draw(count)];
}

/* Equal to the bit, but any NaN is as good as another. */
static inline int same_double(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static int failures;
#endif
