/* Where pointers to the ends of other pointers' objects lead. */
#ifndef VEER_END_ADDRESSES_H
#define VEER_END_ADDRESSES_H
#include <stdint.h>

uint64_t veer_resolve_end(uint32_t leaf, uint32_t *term, uint32_t site);
#endif
