/* What the tracer gives veer's own libc for numbers: with CONCRETE all text counts as concrete, else none. */
#ifndef CONCRETE_NUMBERS_H
#define CONCRETE_NUMBERS_H
#include <stdlib.h>

#ifndef CONCRETE
#define CONCRETE 0
#endif

long veer_read_double(const char *text, double *value) {
    char *end;
    if (!CONCRETE) return -1;
    *value = strtod(text, &end);
    return end - text;
}

long veer_read_float(const char *text, float *value) {
    char *end;
    if (!CONCRETE) return -1;
    *value = strtof(text, &end);
    return end - text;
}

const char veer_reads_errno = 1;
int veer_defer_number(void *to, const void *value, uint32_t size, uint32_t number, void (*read)(uint32_t number), const char *text) {
    (void)to, (void)value, (void)size, (void)number, (void)read, (void)text;
    return 0;
}
#endif
