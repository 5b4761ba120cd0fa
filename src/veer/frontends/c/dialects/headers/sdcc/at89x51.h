/* SDCC's at89x51.h on the host. */
#include "8051.h"
