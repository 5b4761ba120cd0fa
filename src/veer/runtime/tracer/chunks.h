/* The blocks of the unit's heap. */
#ifndef VEER_CHUNKS_H
#define VEER_CHUNKS_H
#include "places.h"

#define VEER_MAX_CHUNKS (1u << 20)
#define VEER_HEAP_STRETCH 64u /* bytes of the heap for which the first block is indexed */

enum veer_chunk_state { VEER_CHUNK_LIVE = 1, VEER_CHUNK_FREED = 2, VEER_CHUNK_RESERVED = 3 };

/* One block of the unit's heap, in the order of addresses. */
struct veer_chunk {
    uint32_t address;
    uint32_t size;
    uint32_t reserved;     /* addresses kept for it; more than `size` for inputs whose length varies */
    uint32_t site;         /* who allocated it */
    uint32_t freed_site;
    uint32_t input_object; /* index + 1 into INPUT_OBJECTS, 0 = the unit's own */
    uint32_t state;
    uint16_t marked; /* leak check: reachable */
    uint16_t given;  /* uninstrumented code or a stub got its address, and may keep or free it */
    uint32_t extent; /* index + 1 into EXTENTS: its size is symbolic; 0 = it is not */
};

struct veer_chunks {
    uint32_t count;
    uint32_t top; /* the next block lies behind it */
    uint64_t used;
    uint32_t stretches; /* so many entries of `first` are the run's */
    struct veer_chunk of[VEER_MAX_CHUNKS];
    uint32_t first[VEER_HEAP_SIZE / VEER_HEAP_STRETCH + 1]; /* the first block that begins in this stretch or behind it */
    uint32_t skipped; /* bytes of the heap before the first block: the machine of lifted code has memory there */
};
VEER_STATE_FITS(chunks);
#define CHUNKS VEER_STATE(chunks)
#define VEER_HEAP_BEGIN ((uint64_t)VEER_HEAP_BASE + CHUNKS->skipped)

void veer_heap_begin(void);
struct veer_chunk *veer_new_chunk(uint64_t size, uint64_t reserved, uint64_t alignment, uint32_t site);
struct veer_chunk *veer_chunk_before(uint64_t address);
#endif
