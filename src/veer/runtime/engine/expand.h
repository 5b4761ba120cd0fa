/* The commands of the loop. */
#ifndef ENGINE_EXPAND_H
#define ENGINE_EXPAND_H
#include "veer_wire.h"

enum veer_reply veer_command_run(void);
enum veer_reply veer_command_expand(void);
enum veer_reply veer_command_follow(void);
enum veer_reply veer_command_dfs(void);
enum veer_reply veer_command_rescan(void);
enum veer_reply veer_command_again(void);
/* One run of the current input, aimed at `target` or NONE, and its record. `start`: what the clock says. */
enum veer_reply veer_run_and_record(uint32_t target, uint64_t start);
#endif
