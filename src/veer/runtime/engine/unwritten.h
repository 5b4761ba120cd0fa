/* Values that nobody has written. They are 0 in the machine; an expression that holds one may depend on it or not, which is
   found out by evaluation. None is ever a part of a decision. */
#ifndef ENGINE_UNWRITTEN_H
#define ENGINE_UNWRITTEN_H
#include "node.h"

enum { HOLDS_UNWRITTEN = 1 }; /* a flag of nodes */
enum { MOST_FILLINGS = 96 };

/* Whether there is an unwritten value in the expression. */
static inline int veer_holds_unwritten(uint32_t expression)
{
    return node_of(expression)->flags & HOLDS_UNWRITTEN;
}

uint32_t veer_unwritten(uint64_t what);
uint32_t veer_unwritten_fillings(uint32_t expression, uint64_t *fillings);
int veer_depends_on_unwritten(uint32_t expression, const uint8_t *input, uint32_t length);
uint64_t veer_what_is_unwritten(uint32_t expression);
uint32_t veer_with_unwritten_as(uint32_t expression, uint64_t bits);
#endif
