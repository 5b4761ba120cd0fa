/* What the engine asks of the tracer (tracer/run.c; tests give a fake one). */
#ifndef ENGINE_EXECUTES_H
#define ENGINE_EXECUTES_H
#include <stdint.h>

/* One run with the input at VEER_INPUTS + control.input_bytes, control.current_length bytes long. The run may lengthen it
   (leaves beyond its end are filled in place). Leaves the decisions in VEER_TRACE[0 : control.trace_count],
   control.current_hash, last_outcome, last_report (a report that is not yet published, or NONE). Returns 1 if this
   process must be renewed before the next run. */
int veer_execute(void);
/* The same without any symbolic value, within so many steps: nothing of it goes into the trace. How often it took each edge is in
   veer_edge_counts()[0 : control.edge_count], up to 255, until veer_forget_edges(), which comes before the next veer_execute. */
int veer_execute_concretely(uint64_t most_steps, uint64_t *steps);
const uint8_t *veer_edge_counts(void);
void veer_forget_edges(void);
/* The k-th constant object of the unit and its size; NULL: there are no more. */
const void *veer_constant_object(uint32_t k, uint64_t *size);
uint64_t veer_now(void); /* nanoseconds, monotonic */
void veer_drop_new_edges(void); /* after a run that is none of the campaign's: the next one is to find its own edges alone */
int veer_take_new_edges(void); /* after a run: how many edges of the code and of the call graph it covered that none before did; they are known from now on */
#endif
