/* What libc/machine.h has, on the machine's library: tests of machine code call it. */
#include <stdio.h>

#define MACHINE(name) machine_##name
#define WRITE_FORMATTED vsnprintf
#define READ_UNSIGNED strtoul
#include "libc/machine.h"
