/* The inputs that are what a stub writes: "read_frame() argument 1"; of its second call "read_frame()#1 argument 1". Where the pointer's
   first bytes were written before, the offset of what the stub writes follows: "+4". */
#ifndef VEER_STUB_NAMES_H
#define VEER_STUB_NAMES_H
#include <stdint.h>

enum { VEER_STUB_NAME_ROOM = 120, VEER_STUB_NAME_TAIL = 48 };

static inline char *veer_put_text(char *to, const char *text) {
    while (*text) *to++ = *text++;
    *to = 0;
    return to;
}

static inline char *veer_put_number(char *to, const char *before, uint64_t number) {
    char digits[21] = {0};
    uint32_t first = 20;
    do digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    return veer_put_text(veer_put_text(to, before), digits + first);
}

/* Writes the name and returns its end; 0 where it has no room. */
static inline char *veer_stub_name(char *name, const char *stub, uint32_t call, uint32_t argument) {
    uint32_t length = 0;
    while (stub[length]) length++;
    if (length > VEER_STUB_NAME_ROOM - VEER_STUB_NAME_TAIL) return 0;
    char *end = veer_put_text(name, stub);
    if (call) end = veer_put_number(end, "#", call);
    return veer_put_number(end, " argument ", argument);
}
#endif
