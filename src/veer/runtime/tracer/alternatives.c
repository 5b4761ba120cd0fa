/* What decisions leave of the alternatives of open pointers. */
#include "alternatives.h"

#include "engine/evaluate.h"
#include "veer_shared.h"

/* A decision over one open pointer leaves fewer alternatives. */
void veer_note_literal(uint32_t literal, uint32_t holds) {
    uint32_t support = VEER_NODES[literal].support, leaf = support - 1;
    if (support == 0 || support >> 31 || VEER_LEAVES[leaf].kind != VEER_LEAFKIND_CHOICE) return;
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    if (state->loaded_epoch != RUN->epoch || veer_is_decided(state)) return;
    uint8_t *input = VEER_INPUTS + VEER_CONTROL->input_bytes;
    for (uint32_t k = 0; k < 2 + state->candidates; k++) {
        if (!veer_may_be(state, k)) continue;
        veer_set_leaf(leaf, k, input);
        veer_evaluate_begin(input, VEER_CONTROL->current_length);
        if (veer_evaluate(literal) != holds) state->possible &= ~(1ull << k);
    }
    veer_set_leaf(leaf, state->alternative, input);
}

void veer_alternatives_begin(void) { ALTERNATIVES->count = 0; }
