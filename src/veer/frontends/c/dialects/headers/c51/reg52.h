/* Keil's reg52.h on the host. */
#include "../registers_8052.h"
