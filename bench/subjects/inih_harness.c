/* ini_parse_string on at most SIZE bytes; the handler wants one key of one section. */
#include "ini.h"
#include <klee/klee.h>
#include <string.h>
#ifndef SIZE
#define SIZE 8
#endif

static int wanted(void *user, const char *section, const char *name, const char *value) {
    int *found = user;
    if (!strcmp(section, "a") && !strcmp(name, "b"))
        *found = value[0] == '1';
    return 1;
}

int main(void) {
    char text[SIZE + 1];
    int found = 0;
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    int line = ini_parse_string(text, wanted, &found);
    return line ? 2 : found;
}
