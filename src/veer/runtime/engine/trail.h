/* The trail: what the decisions from the root to a node say. */
#ifndef ENGINE_TRAIL_H
#define ENGINE_TRAIL_H
#include "places.h"
#include "veer_wire.h"

enum {
    POOL_WORDS = 1 << 22, /* domains on the trail */
    TRAIL_FRAMES = (1 << 21) + 2,
    UNDO_ENTRIES = 1 << 22,
    RESIDUALS = 1 << 21,
    LINKS = 1 << 22
};

struct byte_set;
struct spans;

/* One decision on the trail: what a run must repeat, and how far to undo. */
struct frame {
    uint32_t node, literal, site, key; /* key = kind << 16 | alternative */
    uint32_t undo, pool, residuals, links;
};

/* A constraint of the prefix that no domain holds exactly. */
struct residual {
    uint32_t literal;
    uint32_t want;
};

/* An entry of a leaf's list of residuals. */
struct link {
    uint32_t leaf, residual, next; /* next: index of a link + 1, 0 = end */
};

struct undo {
    uint32_t leaf, domain;
};

struct trail_state {
    uint32_t depth, undo_count, pool_top, residual_count, link_count;
    uint32_t broken;   /* depth of the first frame whose constraints contradict what ran, 0 = none */
    uint32_t overflow; /* depth of the first frame that the trail could not hold, 0 = none */
    uint32_t holes;    /* depth of the first frame whose domain has too many intervals, 0 = none */
    uint32_t leaf_links[VEER_LEAVES_CAPACITY];  /* head of the leaf's residuals: link + 1 */
    uint32_t leaf_domain[VEER_LEAVES_CAPACITY]; /* word of the pool, 0 = its bounds alone */
    uint64_t pool[POOL_WORDS];
    uint32_t descent[TRAIL_FRAMES];
    struct frame frames[TRAIL_FRAMES];
    struct undo undo[UNDO_ENTRIES];
    struct residual residuals[RESIDUALS];
    struct link links[LINKS];
};
ENGINE_STATE_FITS(trail);
#define TRAIL ENGINE_STATE(trail)

void veer_trail_attach(void);
void veer_trail_pop(uint32_t depth);
int veer_trail_push(uint32_t node, uint32_t kind, uint32_t site, uint32_t literal, uint32_t alternative);
void veer_trail_seek(uint32_t node);
void veer_trail_byte_domain(uint32_t leaf, struct byte_set *set);
void veer_trail_spans_domain(uint32_t leaf, struct spans *spans);
int veer_trail_allows(uint32_t leaf, uint64_t value);
#endif
