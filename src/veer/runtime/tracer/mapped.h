/* Memory at addresses of the program's machine (machine code): its segments, as objects. */
#ifndef VEER_MAPPED_H
#define VEER_MAPPED_H
#include "found.h"
#include "places.h"

#define VEER_MAX_MAPPED 64u

struct veer_mapped {
    uint32_t count;
    struct veer_mapped_segment {
        uint64_t address, size;
        const char *name;
        uint32_t writable, is_code, has_no_memory, is_stack;
    } of[VEER_MAX_MAPPED];
};
VEER_STATE_FITS(mapped);
#define MAPPED VEER_STATE(mapped)

struct veer_found veer_find_mapped(uint64_t address);
int veer_is_mapped_code(uint64_t address);
int veer_is_behind_stack(uint64_t address);
void veer_require_stack(uint64_t address);
#endif
