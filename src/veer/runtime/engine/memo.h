/* Entries of direct-mapped memos. */
#ifndef ENGINE_MEMO_H
#define ENGINE_MEMO_H
#include <stdint.h>

struct memo {
    uint64_t low, high;
    uint32_t result, spare;
} __attribute__((aligned(32))); /* never across cache lines */

/* Fills a memo entry so that an interruption half-way leaves it empty, never wrong. */
static inline void remember(struct memo *memo, uint64_t low, uint64_t high, uint32_t result)
{
    __atomic_store_n(&memo->result, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->low, low, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->high, high, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->result, result, __ATOMIC_RELEASE);
}
#endif
