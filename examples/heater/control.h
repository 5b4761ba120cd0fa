/* The state of a heater: off, heating, or stopped by a fault until somebody resets it. */
#ifndef CONTROL_H
#define CONTROL_H
#include <stdint.h>

enum state { OFF, HEATING, FAULT };
enum command { KEEP, SWITCH_ON, SWITCH_OFF, RESET };

enum { TOO_HOT = 900, TOO_COLD = 180, NO_SENSOR = -400 }; /* tenths of a degree */

/* @req HTR-3, HTR-4: what the heater does next. */
enum state control_step(enum command command, int16_t temperature);
#endif
