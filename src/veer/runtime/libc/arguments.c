/* The arguments of a whole program: as many as its argc says. */
#include "veer_harness.h"
#include "veer_runtime.h"

/* Makes an argument, if it is there. The question is the library's, so that it is no branch of the program's. */
void veer_symbolic_argument(char **place, const struct veer_type *type, const char *name, int is_there) {
    if (is_there) veer_make(place, type, name);
}
