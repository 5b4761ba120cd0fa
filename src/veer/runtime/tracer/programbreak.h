#ifndef VEER_PROGRAM_BREAK_H
#define VEER_PROGRAM_BREAK_H
#include <stdint.h>

uint64_t veer_program_break_begin(void);
#endif
