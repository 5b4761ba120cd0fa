/* basename (of POSIX and GNU) and dirname of veer's own libc against the machine's, on all names of up to 8 characters of two kinds. */
#include <libgen.h>
#undef basename
#include <stdio.h>

#include "libc_compare.h"

char *basename(const char *); /* GNU's, which string.h declares under _GNU_SOURCE alone */
char *veer_libc_basename(const char *);
char *veer_libc___xpg_basename(char *);
char *veer_libc_dirname(char *);

enum { MOST = 8 };

static char *gnu_own(char *name) { return veer_libc_basename(name); }
static char *gnu_machine(char *name) { return basename(name); }

/* What is returned, as a text and as a place in the name, and what is left of the name. */
static void compare(const char *what, const char *name, char *(*own)(char *), char *(*machine)(char *)) {
    char first[MOST + 1], second[MOST + 1];
    memset(first, 7, sizeof first), memset(second, 7, sizeof second);
    strcpy(first, name), strcpy(second, name);
    char *a = own(first), *b = machine(second);
    int is_inside = b >= second && b <= second + MOST;
    if (strcmp(a, b) == 0 && memcmp(first, second, sizeof first) == 0 && (is_inside ? a - first == b - second : a < first || a > first + MOST)) return;
    failures++, printf("%s(\"%s\"): \"%s\", not \"%s\"\n", what, name, a, b);
}

int main(void) {
    for (unsigned length = 0; length <= MOST; length++)
        for (unsigned bits = 0; bits < 1u << length; bits++) {
            char name[MOST + 1] = "";
            for (unsigned k = 0; k < length; k++) name[k] = bits >> k & 1 ? '/' : 'a';
            compare("basename", name, veer_libc___xpg_basename, __xpg_basename);
            compare("GNU's basename", name, gnu_own, gnu_machine);
            compare("dirname", name, veer_libc_dirname, dirname);
        }
    if (strcmp(veer_libc_dirname(NULL), ".") || strcmp(veer_libc___xpg_basename(NULL), ".")) failures++, printf("NULL\n");
    return failures != 0;
}
