/* Keil's reg51.h on the host. */
#include "../registers_8051.h"
