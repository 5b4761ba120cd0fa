/* Code of the unit that the runtime calls within an access of the unit. */
#ifndef VEER_WITHIN_H
#define VEER_WITHIN_H
#include <stdint.h>

/* Calls the instrumented function at that address with one argument, as if the call stood at the site. */
void veer_call_within(uint64_t function, uint64_t argument, uint32_t site);
#endif
