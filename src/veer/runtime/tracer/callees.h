/* The functions that indirect calls reach: each pair of a call and its target is an edge of the call graph. */
#ifndef VEER_CALLEES_H
#define VEER_CALLEES_H
#include <stdint.h>

void veer_callees_begin(void);
void veer_note_callee(uint64_t pair); /* a number for the call and its target, never 0 */
int veer_take_new_callees(void);      /* after a run: how many of its pairs none had before; they are known from now on */
#endif
