/* Tracks: the leaves of an input in their own order. An input has its leaves in the order in which runs came upon them; what a text or
   an array is can be told from their places in objects alone. */
#ifndef ENGINE_TRACKS_H
#define ENGINE_TRACKS_H
#include "places.h"

enum { MOST_TRACKS = 512, MOST_PLACES = 1 << 16 };

/* Leaves of the same width that lie behind each other in one object. */
struct track {
    uint32_t first, count; /* of `leaves` */
    uint32_t bytes;        /* of each leaf */
    uint32_t kind;
    uint32_t is_together; /* in inputs, too, they lie behind each other */
};

struct tracks_state {
    uint32_t count, leaf_count;
    struct track of[MOST_TRACKS];
    uint32_t leaves[MOST_PLACES];
    uint32_t objects[MOST_TRACKS], object_count;
};
ENGINE_STATE_FITS(tracks);
#define TRACKS ENGINE_STATE(tracks)

int veer_tracks_begin(void); /* of the objects whose leaves the last concrete run listed; 0 = none */
#endif
