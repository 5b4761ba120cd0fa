/* Records of what a run leaves behind: appended in order, what does not fit any more is left out. */
#ifndef VEER_OUTPUT_RECORDS_H
#define VEER_OUTPUT_RECORDS_H
#include <stdint.h>

/* A byte for each byte of the memory there, whether it was never written. */
void veer_put_flags(uint8_t *to, uint64_t address, uint32_t size);

enum { WITHOUT_FLAGS, WITH_FLAGS };
/* A record of the memory there. WITH_FLAGS: a byte for each of its bytes follows, whether it was never written. */
void veer_append_output(uint32_t kind, uint32_t number, uint64_t address, uint32_t size, int flags);
#endif
