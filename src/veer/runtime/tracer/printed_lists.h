/* Lists of arguments that veer made and the machine's printf reads. */
#ifndef VEER_PRINTED_LISTS_H
#define VEER_PRINTED_LISTS_H
#include <stdint.h>

/* Before such a call, whose last two arguments these are: the list gets what the conversions of the format take. */
void veer_ready_list(uint64_t format, uint64_t list, uint32_t site);
#endif
