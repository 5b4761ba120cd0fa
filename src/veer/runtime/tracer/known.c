/* What a run's decisions have left of the values of narrow leaves (at most 8 bits), so that nobody solves what they answer: a parser
   that has told '5' from all other characters hands it to strtod, which asks for blanks, signs, points, 'x', 'e', "inf".

   What veer's own libc asks in vain is no decision. The user's conditions are, since the report tells which of them contradict an
   infeasible side (decision 0115); their other side is infeasible from the beginning. */
#include "known.h"

#include "engine/byte_set.h"
#include "engine/support.h"
#include "leaf_state.h"
#include "run.h"
#include "veer_shared.h"

enum { MOST_LEAVES = 16 };

/* The leaves under a literal, if there are few and each is narrow; 0 = it is not so. */
static uint32_t narrow_leaves(uint32_t literal, const uint32_t **leaves, uint32_t *single) {
    uint32_t count = veer_support_leaves(VEER_NODES[literal].support, leaves, single);
    if (count > MOST_LEAVES) return 0;
    for (uint32_t k = 0; k < count; k++)
        if (VEER_LEAVES[(*leaves)[k]].width > 8 || VEER_LEAVES[(*leaves)[k]].kind == VEER_LEAFKIND_CHOICE) return 0;
    return count;
}

static int has_one(const struct byte_set *set) {
    int members = 0;
    for (int i = 0; i < 4; i++) members += __builtin_popcountll(set->word[i]);
    return members == 1;
}

/* Whether each of the leaves has one value left. */
static int are_fixed(const uint32_t *leaves, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const struct veer_leaf_state *state = &LEAF_STATES[leaves[k]];
        if (state->known_epoch != RUN->epoch || !has_one(&state->known)) return 0;
    }
    return 1;
}

/* Takes the values out that the decision excludes. 0 = there is nothing to learn: what the run decided before implies what the
   literal is. */
int veer_learn(uint32_t literal, uint32_t holds) {
    const uint32_t *leaves;
    uint32_t single;
    struct byte_set scratch;
    for (; VEER_NODES[literal].op == VEER_OP_NOT; literal = VEER_NODES[literal].a) holds = !holds;
    uint32_t count = narrow_leaves(literal, &leaves, &single);
    if (count != 1) return count == 0 || !are_fixed(leaves, count);
    const struct byte_set *solution = veer_byte_solution(literal, leaves[0], &scratch);
    struct veer_leaf_state *state = &LEAF_STATES[leaves[0]];
    if (!solution) return 1;
    int is_first = state->known_epoch != RUN->epoch;
    if (is_first) state->known = (struct byte_set){{~0ull, ~0ull, ~0ull, ~0ull}};
    state->known_epoch = RUN->epoch;
    uint64_t flip = holds ? 0 : ~0ull, some = 0, others = 0;
    struct byte_set kept;
    for (int i = 0; i < 4; i++) {
        kept.word[i] = state->known.word[i] & (solution->word[i] ^ flip);
        some |= kept.word[i];
        others |= state->known.word[i] ^ kept.word[i];
    }
    if (!is_first && !(some && others)) return 0;
    state->known = kept;
    return 1;
}
