/* The leak check at a normal return. */
#ifndef VEER_LEAKS_H
#define VEER_LEAKS_H
#include "places.h"

enum { VEER_MOST_OPEN_STREAMS = 64 };

/* A stream that the unit has opened. `is_held`: something points to it, or may close it. */
struct veer_open_stream {
    uint64_t address;
    uint32_t size, site, is_held;
};

struct veer_open_streams {
    uint32_t count;
    struct veer_open_stream of[VEER_MOST_OPEN_STREAMS];
};
VEER_STATE_FITS(open_streams);
#define OPEN_STREAMS VEER_STATE(open_streams)

void veer_leaks_begin(void);
void veer_hold_stream(uint64_t address);
void veer_check_leaks(void);
#endif
