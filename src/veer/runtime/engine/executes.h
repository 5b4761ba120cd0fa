/* What the engine asks of the tracer (tracer/run.c; tests give a fake one). */
#ifndef ENGINE_EXECUTES_H
#define ENGINE_EXECUTES_H
#include <stdint.h>

/* One run with the input at VEER_INPUTS + control.input_bytes, control.current_length bytes long. The run may lengthen it
   (leaves beyond its end are filled in place). Leaves the decisions in VEER_TRACE[0 : control.trace_count],
   control.current_hash, last_outcome, last_report (a report that is not yet published, or NONE). Returns 1 if this
   process must be renewed before the next run. */
int veer_execute(void);
uint64_t veer_now(void); /* nanoseconds, monotonic */
void veer_drop_new_edges(void); /* after a run that is none of the campaign's: the next one is to find its own edges alone */
int veer_take_new_edges(void); /* after a run: how many edges of the code and of the call graph it covered that none before did; they are known from now on */
#endif
