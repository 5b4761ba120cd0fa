/* The run's decisions: events of the trace, and the path's identity. */
#ifndef VEER_EVENTS_H
#define VEER_EVENTS_H
#include "places.h"
#include "veer_shared.h"

struct veer_events {
    uint32_t trace_full;
    uint32_t has_pins;    /* whether the run has pinned a term, see veer_is_pinned */
    uint64_t choice_hash; /* of the alternatives of pointers and the functions that indirect calls reach: a part of the path's identity */
    uint32_t literal_marks[VEER_NODES_CAPACITY]; /* epoch of the run that decided the literal, or pinned the term */
};
VEER_STATE_FITS(events);
#define EVENTS VEER_STATE(events)

/* Whether the run has made as many decisions as are negated (control.max_depth): later ones are not recorded, and the run goes on
   concretely. The one after the last that is negated is still in the trace, so that the tree shows the bound. A concrete run is
   past it from the start. */
static inline int veer_past_bound(void) {
    const struct veer_control *control = VEER_CONTROL;
    return control->is_concrete || (control->max_depth && control->trace_count > control->max_depth);
}

void veer_events_begin(void);
void veer_events_forget(void);
void veer_event(uint32_t kind, uint32_t literal, uint32_t holds, uint32_t site);
void veer_choice_event(uint32_t leaf, uint32_t alternatives, uint32_t alternative, uint32_t flags, uint32_t site);
void veer_mix_choice(uint32_t leaf, uint32_t alternative);
void veer_mix_callee(uint32_t site, uint64_t function);
uint64_t veer_path_identity(void);
void veer_mark_pinned(uint32_t term);
int veer_was_pinned(uint32_t term);

/* Whether the term has one value on this run's path, since it was pinned, or extends one that has. Terms of width 1 are literals,
   which are marked when they are decided. */
static inline int veer_is_pinned(uint32_t term) { return EVENTS->has_pins && veer_was_pinned(term); }
#endif
