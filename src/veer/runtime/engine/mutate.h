/* Changes of inputs: of the leaves that a run asked for, as bytes of texts and as numbers. */
#ifndef ENGINE_MUTATE_H
#define ENGINE_MUTATE_H
#include <stdint.h>

/* Lays out the leaves that the last concrete run listed. 0 = there are none. */
int veer_mutate_begin(void);
/* Changes an input in place, which has room for every leaf; `other`: another input of the corpus. The input is longer afterwards
   where a change lies behind its end: its length. */
uint32_t veer_mutate(uint8_t *input, uint32_t length, const uint8_t *other, uint32_t other_length);
#endif
