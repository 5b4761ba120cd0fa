/* Keil's at89x52.h on the host. */
#include "../registers_8052.h"
#include "../port_bits.h"
