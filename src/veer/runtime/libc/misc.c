/* The environment of the executor is no input of the program. */
#include <stddef.h>

char *veer_libc_getenv(const char *name) {
    (void)name;
    return NULL;
}

char *veer_libc_secure_getenv(const char *name) {
    (void)name;
    return NULL;
}
