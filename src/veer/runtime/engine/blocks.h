/* FlowTest's blocks: what may be negated, and the command that says so of more. */
#ifndef ENGINE_BLOCKS_H
#define ENGINE_BLOCKS_H
#include "veer_wire.h"

void veer_blocks_note(uint32_t path);
uint32_t veer_blocks_state(uint32_t literal, uint32_t kind);
void veer_blocks_file(uint32_t first, uint32_t end);
enum veer_reply veer_command_release(void);
#endif
