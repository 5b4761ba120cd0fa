/* Keil's regx51.h on the host. */
#include "../registers_8051.h"
#include "../port_bits.h"
