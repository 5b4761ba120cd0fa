/* Changes of a text: bytes, of which the last ones are zeros that nobody has written. */
#ifndef ENGINE_BYTES_H
#define ENGINE_BYTES_H
#include <stdint.h>

/* A text of at most `room` bytes, of which `size` are used; behind them there are zeros. */
struct text {
    uint8_t *bytes;
    uint32_t size, room;
};

/* One change. `other`: a text from which parts may be taken. */
void veer_change_text(struct text *text, const struct text *other);
#endif
