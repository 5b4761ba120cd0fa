/* Keil's C51 for the 8051: what its keywords and intrinsic functions are on the host. Its keywords have no underscores, so that
   veer takes them out of the source itself and not by macros, which would hit the system's headers, too. */
#ifndef VEER_C51_H
#define VEER_C51_H
#include "bits.h"
#define __C51__ 951
#define __CX51__ 951
#endif
