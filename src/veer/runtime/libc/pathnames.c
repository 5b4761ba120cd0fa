/* The parts of a path name, as glibc has them: libgen.h calls the one of POSIX `__xpg_basename`, and string.h has GNU's `basename`. */
#include <stddef.h>

#include "libc.h"

static const char here[] = ".";

/* Where the name ends, without the slashes at its end. */
static char *without_slashes(char *begin, char *end) {
    while (end > begin && end[-1] == '/') end--;
    return end;
}

/* Where the last part of what stands before `end` begins. */
static char *last_part(char *begin, char *end) {
    while (end > begin && end[-1] != '/') end--;
    return end;
}

/* GNU's: what stands behind the last slash. */
char *veer_libc_basename(const char *name) {
    const char *slash = veer_libc_strrchr(name, '/');
    return (char *)(slash ? slash + 1 : name);
}

/* POSIX's: the last part without the slashes behind it, which are cut off in the name itself. */
char *veer_libc___xpg_basename(char *name) {
    if (!name || !*name) return (char *)here;
    char *slash = veer_libc_strrchr(name, '/');
    if (!slash) return name;
    if (slash[1]) return slash + 1;
    char *end = without_slashes(name, slash);
    if (end == name) return slash; /* slashes alone: the last one */
    *end = 0;
    return last_part(name, end);
}

/* All before the last part, without the slashes between them; two slashes at the beginning stay two. */
char *veer_libc_dirname(char *name) {
    if (!name) return (char *)here;
    char *all = name + veer_libc_strlen(name), *last = without_slashes(name, all), *end = last_part(name, last);
    if (last == name) end = all; /* slashes alone */
    if (end == name) return (char *)here;
    long slashes = end - name;
    end = without_slashes(name, end);
    if (end == name) end += slashes == 2 ? 2 : 1;
    *end = 0;
    return name;
}
