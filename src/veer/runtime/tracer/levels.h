/* Of compositional runs alone: what functions are known to use (declared.c), and their activations over slots (levels.c). */
#ifndef LEVELS_H
#define LEVELS_H
#include "tracer.h"

#define USES_STACK (VEER_NONE - 1u) /* in `argument` */
#define IN_CYCLE (VEER_NONE - 2u)
#define CALLS_CYCLE (VEER_NONE - 3u)
#define DECLARED VEER_REGION(struct veer_declared, DECLARED)
#define REFUSALS VEER_REGION(uint8_t, REFUSALS)
#define OWNERS ((struct veer_owner *)VEER_OWNERS_BASE)
#define OWNERS_SIZE ((uint64_t)sizeof(struct veer_owner) << VEER_LOW_BITS)

/* declared.c */
void veer_declare_guesses(void);
void veer_refuse_object(const struct veer_level *level, const struct veer_found *found, uint32_t fault);
const struct veer_declared *veer_first_declared(uint32_t function);
const struct veer_declared *veer_next_declared(const struct veer_declared *declared);
void veer_refuse_level(const struct veer_level *level, uint32_t reason);
uint32_t veer_fault_of(const struct veer_found *found);
int veer_leads_to(uint64_t pointer, const struct veer_found *found);
void veer_require_declared(uint32_t count, uint64_t address, uint64_t size, int is_store);
void veer_note_cycle(uint32_t function);
uint64_t veer_cycles_around(void);
#endif
