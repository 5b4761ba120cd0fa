/* What a harness asks for as inputs (veer_harness.h). */
#ifndef VEER_INPUTS_H
#define VEER_INPUTS_H

void veer_inputs_begin(void);
#endif
