/* Compositional runs: what functions are known to use. */
#ifndef VEER_DECLARED_H
#define VEER_DECLARED_H
#include "memory_map.h"
#include "places.h"
#include "veer_shared.h"

#define USES_STACK (VEER_NONE - 1u) /* in `argument` */
#define IN_CYCLE (VEER_NONE - 2u)
#define CALLS_CYCLE (VEER_NONE - 3u)
#define DECLARED VEER_REGION(struct veer_declared, DECLARED)
#define OWNERS ((struct veer_owner *)VEER_OWNERS_BASE)
#define OWNERS_SIZE ((uint64_t)sizeof(struct veer_owner) << VEER_LOW_BITS)

enum { VEER_DECLARED_LISTS = 1024 };

struct veer_found;
struct veer_level;

/* Of a byte of memory: the last activation that declared, or may write, it. */
struct veer_owner {
    uint32_t declared, written;
};

struct veer_declarations {
    uint32_t settled; /* so many records of DECLARED were known when the roots were settled (settled.c) */
    uint32_t listed;  /* so many records of DECLARED are in the lists by function */
    uint16_t first[VEER_DECLARED_LISTS], next[VEER_DECLARED_CAPACITY];
};
VEER_STATE_FITS(declarations);
#define DECLARATIONS VEER_STATE(declarations)

void veer_level_access(uint64_t address, uint64_t size, int is_store);
void veer_levels_use_stack(void);
int veer_must_settle(uint32_t leaf);
void veer_declare_guesses(void);
void veer_refuse_object(const struct veer_level *level, const struct veer_found *found, uint32_t fault);
const struct veer_declared *veer_first_declared(uint32_t function);
const struct veer_declared *veer_next_declared(const struct veer_declared *declared);
uint32_t veer_fault_of(const struct veer_found *found);
int veer_leads_to(uint64_t pointer, const struct veer_found *found);
void veer_require_declared(uint32_t count, uint64_t address, uint64_t size, int is_store);
void veer_note_cycle(uint32_t function);
uint64_t veer_cycles_around(void);
#endif
