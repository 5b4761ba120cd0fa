/* The counters build's marks, without those of preconditions: what runs between the last input and the call is no test's. */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

/* runtime/counters/counters.c, which the plain build has not. */
extern uint8_t veer_edge_hits[] __attribute__((weak));
extern uint8_t veer_line_hits[] __attribute__((weak));

static uint8_t *kept;
static int has_begun; /* the call */

static int keeps(void) { return veer_edge_hits && veer_replay_data->keeps_preconditions_apart && !has_begun; }

void veer_replay_keep_counters(void) {
    if (!keeps()) return;
    uint32_t edges = veer_replay_data->edge_count, lines = veer_replay_data->line_count;
    if (!kept) kept = malloc((size_t)edges + lines + 1);
    if (!kept) abort();
    memcpy(kept, veer_edge_hits, edges);
    memcpy(kept + edges, veer_line_hits, lines);
}

void veer_replay_restore_counters(void) {
    if (!keeps() || !kept) return;
    memcpy(veer_edge_hits, kept, veer_replay_data->edge_count);
    memcpy(veer_line_hits, kept + veer_replay_data->edge_count, veer_replay_data->line_count);
    free(kept);
    has_begun = 1;
}
