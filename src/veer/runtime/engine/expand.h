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
#endif
