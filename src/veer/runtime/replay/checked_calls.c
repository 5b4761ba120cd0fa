/* Checks around calls of the C library, in the build in which a replay is counted: the plain one has none (frontends/c/ownchecks.py). */
#include <string.h>

#define LENGTH(text) strlen(text)
#include "libc/checked_calls.h"
