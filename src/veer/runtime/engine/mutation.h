/* The command of the mutation stage. */
#ifndef ENGINE_MUTATION_H
#define ENGINE_MUTATION_H
#include "veer_wire.h"

enum veer_reply veer_command_mutate(void);
#endif
