#include "control.h"

static enum state state = OFF;

enum state control_step(enum command command, int16_t temperature)
{
    if (temperature <= NO_SENSOR || temperature > TOO_HOT) {
        state = FAULT;
        return state;
    }
    switch (state) {
    case OFF:
        if (command == SWITCH_ON && temperature < TOO_COLD)
            state = HEATING;
        break;
    case HEATING:
        if (command == SWITCH_OFF || temperature >= TOO_COLD)
            state = OFF;
        break;
    case FAULT:
        if (command == RESET)
            state = OFF;
        break;
    }
    return state;
}
