/* Call strings, interned for the campaign; NONE = full. */
#ifndef ENGINE_CONTEXTS_H
#define ENGINE_CONTEXTS_H
#include <stdint.h>

uint32_t veer_intern_context(uint32_t parent, uint32_t site); /* context 0 = the empty call string */
void veer_contexts_attach(void);
#endif
