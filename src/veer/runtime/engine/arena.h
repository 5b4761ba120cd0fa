/* The arena: expressions, hash-consed over the whole campaign and simplified. Each function returns an expression's id >= 2;
   0 = the arena is full (a CAPACITY loss has been noted): the caller goes on concretely. Simplification never changes the
   value under any input. Constants have an id too. */
#ifndef ENGINE_ARENA_H
#define ENGINE_ARENA_H
#include <stdint.h>

uint32_t veer_constant(uint32_t width, uint64_t value);
uint32_t veer_leaf_expression(uint32_t leaf);
uint32_t veer_slot_expression(uint32_t slot);
uint32_t veer_expression(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c);
int veer_is_constant(uint32_t expression, uint64_t *value);
uint32_t veer_arena_intern(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value);
void veer_arena_attach(void);
#endif
