/* Shadows: of a value, an expression's id or 0 or 1 for "concrete"; of a byte of memory, a word. */
#ifndef VEER_WORDS_H
#define VEER_WORDS_H
#include "veer_runtime.h"

static inline int veer_symbolic(uint32_t shadow) { return shadow >= VEER_FIRST_EXPRESSION; }
static inline uint32_t *veer_words(uint64_t address) { return VEER_SHADOW + address; }

void veer_fill_words(uint64_t address, uint64_t size, uint32_t word);
uint64_t veer_first_zero(uint64_t address, uint64_t size);
int veer_symbolic_words(uint64_t address, uint64_t size);

/* Whether a byte of the range has a term. Mostly the first one tells. */
static inline int veer_symbolic_range(uint64_t address, uint64_t size) {
    return (size && veer_symbolic(*veer_words(address))) || veer_symbolic_words(address, size);
}
#endif
