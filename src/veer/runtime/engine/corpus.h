/* The corpus: inputs that are changed. Each was the first whose run showed something. */
#ifndef ENGINE_CORPUS_H
#define ENGINE_CORPUS_H
#include "veer_shared.h"

#define CORPUS VEER_REGION(struct veer_corpus_entry, CORPUS)
#define CORPUS_BYTES VEER_REGION(uint8_t, CORPUS_INPUTS)

/* Appends an input whose run took so many steps; 0 = there is no room. */
int veer_corpus_add(const uint8_t *input, uint32_t length, uint64_t steps, uint32_t rarest);
uint32_t veer_corpus_pick(void); /* the one to be changed next, or NONE */
#endif
