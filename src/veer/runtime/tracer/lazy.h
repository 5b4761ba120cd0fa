/* Large blocks of the heap in concrete runs: memory is cleared and words are set piece by piece, when they are touched. A parser that
   takes buffers of 64 KiB for an input of 30 bytes would else spend its run on that. */
#ifndef VEER_LAZY_H
#define VEER_LAZY_H
#include "places.h"

#define VEER_MOST_LAZY 64u

/* A block from `begin` to `end`, in the order of addresses; begin == end: it was freed. */
struct veer_lazy_block {
    uint32_t begin, end, piece; /* bytes of a piece; a block has 64 at most */
    uint32_t spare;
    uint64_t touched; /* bit k: piece k is as in any other block */
};

struct veer_lazy {
    uint32_t count;
    struct veer_lazy_block of[VEER_MOST_LAZY];
};
VEER_STATE_FITS(lazy);
#define LAZY VEER_STATE(lazy)

int veer_make_lazy(uint64_t address, uint64_t size); /* a new block; 0 = it is to be made at once */
int veer_is_lazy(uint64_t address);                  /* whether a block that was just made there is one */
int veer_touch_lazy(uint64_t address, uint64_t size); /* whether words were set in that range */
int veer_free_lazy(uint64_t address);                 /* makes what was touched of a block unaddressable; 0 = it is none */
uint64_t veer_clear_lazy(uint64_t position); /* at a run's end: clears the words from there up to the end of the last block; that end */
#endif
