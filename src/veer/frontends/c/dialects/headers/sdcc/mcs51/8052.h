/* SDCC's mcs51/8052.h on the host. */
#include "../8052.h"
