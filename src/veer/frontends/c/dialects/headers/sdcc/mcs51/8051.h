/* SDCC's mcs51/8051.h on the host. */
#include "../8051.h"
