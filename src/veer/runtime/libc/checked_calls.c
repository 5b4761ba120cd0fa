/* Checks around calls of the C library, as terms. */
#include "libc.h"

#define LENGTH(text) veer_libc_strlen(text)
#include "checked_calls.h"
