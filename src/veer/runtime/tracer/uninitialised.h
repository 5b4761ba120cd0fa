/* Memory that the unit has not written yet: its words are bytes of an unwritten value (engine/unwritten.h). To copy it is no use;
   what it decides is a bug. */
#ifndef VEER_UNINITIALISED_H
#define VEER_UNINITIALISED_H
#include "engine/unwritten.h"
#include "words.h"

/* What is unwritten, as a number: a local variable of the activation at a site, or the block that was allocated there. */
enum { IS_BLOCK = 1 };
static inline uint64_t veer_unwritten_local(uint32_t site, uint32_t number) { return (uint64_t)number << 33 | (uint64_t)site << 1; }
static inline uint64_t veer_unwritten_block(uint32_t site) { return (uint64_t)site << 1 | IS_BLOCK; }

void veer_uninitialised_begin(void);
void veer_mark_unwritten(uint64_t address, uint64_t size, uint64_t what);
void veer_forget_unwritten(uint64_t address, uint64_t size);
int veer_is_fresh(uint64_t address, uint64_t size);
int veer_is_unwritten(uint64_t address, uint64_t size);
uint32_t veer_without_unwritten(uint32_t expression, uint32_t site);
uint32_t veer_decided_by(uint32_t expression, uint32_t site);

/* The expression, in which nothing is unwritten, or the end of the run where its value is decided by what was never written. */
static inline uint32_t veer_written(uint32_t expression, uint32_t site) {
    return veer_symbolic(expression) && veer_holds_unwritten(expression) ? veer_decided_by(expression, site) : expression;
}
#endif
