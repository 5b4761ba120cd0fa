/* The alternatives of pointers that are still open: 0 NULL, 1 a fresh object, 2 + k the k-th candidate (undecided.c). */
#ifndef VEER_ALTERNATIVES_H
#define VEER_ALTERNATIVES_H
#include "leaf_state.h"
#include "places.h"
#include "run.h"

#define VEER_MAX_CANDIDATES (1u << 17) /* objects that undecided pointers may lead to, all in all */
enum { VEER_MOST_ALTERNATIVES = 64 };

struct veer_alternatives {
    uint32_t count;
    uint32_t candidates[VEER_MAX_CANDIDATES]; /* indices into INPUT_OBJECTS */
};
VEER_STATE_FITS(alternatives);
#define ALTERNATIVES VEER_STATE(alternatives)

static inline int veer_may_be(const struct veer_leaf_state *state, uint64_t k) {
    return k < VEER_MOST_ALTERNATIVES && (state->possible >> k & 1);
}

static inline int veer_is_decided(const struct veer_leaf_state *state) { return state->decided_epoch == RUN->epoch; }

void veer_alternatives_begin(void);
void veer_note_literal(uint32_t literal, uint32_t holds);
#endif
