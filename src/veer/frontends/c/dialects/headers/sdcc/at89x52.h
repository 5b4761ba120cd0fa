/* SDCC's at89x52.h on the host. */
#include "8052.h"
