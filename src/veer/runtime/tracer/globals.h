/* The unit's globals: their objects, and their state at a run's start. */
#ifndef VEER_GLOBALS_H
#define VEER_GLOBALS_H
#include "found.h"
#include "memory_map.h"
#include "places.h"
#include "veer_runtime.h"

#define VEER_MAX_DIRTY 4096u
#define VEER_MAX_HOT_PAGES (1u << 15)

struct veer_globals {
    uint32_t count;
    uint32_t dirty_count, dirty_overflow;
    uint32_t hot_page_count;
    uint32_t constant_written; /* the run wrote to constant data, no one knows where */
    uint32_t is_guarded;       /* the words of constant data are no plain ones in this run */
    uint64_t cold_begin, cold_end; /* whole pages of the data section that are write-protected until first written */
    struct veer_global *of;
    struct veer_range dirty[VEER_MAX_DIRTY]; /* whose words differ from what they are at a run's start */
    uint32_t hot_pages[VEER_MAX_HOT_PAGES];
};
VEER_STATE_FITS(globals);
#define GLOBALS VEER_STATE(globals)

void veer_register_globals(void);
void veer_restore_globals(void);
void veer_note_dirty(uint64_t address, uint64_t size);
int veer_warm_page(uint64_t address);
void veer_warm_range(uint64_t address, uint64_t size);
struct veer_found veer_find_global(uint64_t address);
/* Whether a byte of the range lies in the unit's constant data. */
int veer_is_constant_data(uint64_t address, uint64_t size);
/* From now on each access of constant data takes the slow path, which knows its place; and back. What is read is the same. */
void veer_guard_constants(void);
void veer_release_constants(void);
#endif
