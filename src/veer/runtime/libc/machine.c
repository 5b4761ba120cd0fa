/* What machine.h has, on veer's own library. */
#include "libc.h"

#define MACHINE(name) veer_libc_machine_##name
#define WRITE_FORMATTED veer_libc_vsnprintf
#define READ_UNSIGNED veer_libc_strtoul
#include "machine.h"
