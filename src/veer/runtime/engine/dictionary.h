/* The words that are put into inputs: what the unit compares its inputs with, and its constant texts. */
#ifndef ENGINE_DICTIONARY_H
#define ENGINE_DICTIONARY_H
#include "veer_shared.h"

#define WORDS VEER_REGION(struct veer_word, WORDS)

void veer_learn_words(void); /* from what is new in the arena; from the unit's constants once */
#endif
