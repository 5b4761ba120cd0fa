/* The records of expressions. */
#ifndef ENGINE_NODE_H
#define ENGINE_NODE_H
#include "veer_shared.h"

static inline const struct veer_node *node_of(uint32_t expression)
{
    return &VEER_NODES[expression];
}

/* Whether `b` of the operator is a number, not an operand: the lowest bit of an EXTRACT, the table of a LOOKUP. */
static inline int has_number(uint32_t op)
{
    return op == VEER_OP_EXTRACT || op == VEER_OP_LOOKUP;
}
#endif
