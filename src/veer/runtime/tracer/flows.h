/* The flow build (--partitioned): FlowTest's flow map (Majumdar, Xu 2009, section 3) as a second shadow. A flow is the id of a
   hash-consed set of input leaves, 0 = none; each byte of the unit's memory has one, beside its word.

   The modules flow_*.c keep their state in a mapping of its own that exists only when control.partitioned is set; hooks elsewhere
   ask veer_has_flows(). */
#ifndef VEER_FLOWS_H
#define VEER_FLOWS_H
#include "veer_shared.h"

/* Cells of no variable, below everything that a program may touch: what they hold steers where things lie. */
#define VEER_FLOW_HEAP 8u   /* the state of the allocator: addresses of later blocks depend on it */
#define VEER_FLOW_STACK 16u /* the same of the stack, for allocas */
#define VEER_FLOW_INPUT 24u /* how many inputs of a name were made: which input is the next one */

#define VEER_FLOWS ((struct veer_flows *)(uintptr_t)VEER_FLOWS_BASE)

static inline int veer_has_flows(void) { return VEER_CONTROL->partitioned != 0; }
#endif
