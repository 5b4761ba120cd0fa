/* What a run's decisions have left of the values of narrow leaves (at most 8 bits), so that nobody solves what they answer: a parser
   that has told '5' from all other characters hands it to strtod, which asks for blanks, signs, points, 'x', 'e', "inf".

   What veer's own libc asks in vain is no decision. The user's conditions are, since the report tells which of them contradict an
   infeasible side (decision 0115); their other side is infeasible from the beginning. */
#include "tracer.h"

enum { MOST_LEAVES = 16 };

/* The leaves under a literal, if there are few and each is narrow; 0 = it is not so. */
static uint32_t narrow_leaves(uint32_t literal, const uint32_t **leaves, uint32_t *single) {
    uint32_t count = veer_support_leaves(VEER_NODES[literal].support, leaves, single);
    if (count > MOST_LEAVES) return 0;
    for (uint32_t k = 0; k < count; k++)
        if (VEER_LEAVES[(*leaves)[k]].width > 8 || VEER_LEAVES[(*leaves)[k]].kind == VEER_LEAFKIND_CHOICE) return 0;
    return count;
}

/* The values that are left of a leaf; NULL = nothing was decided about it. */
static struct byte_set *left_of(uint32_t leaf) {
    struct veer_leaf_state *state = &TRACER->leaves[leaf];
    return state->known_epoch == TRACER->epoch ? &state->known : NULL;
}

static int has_one(const struct byte_set *set) {
    int members = 0;
    for (int i = 0; i < 4; i++) members += __builtin_popcountll(set->word[i]);
    return members == 1;
}

static uint32_t without_not(uint32_t literal) {
    while (VEER_NODES[literal].op == VEER_OP_NOT) literal = VEER_NODES[literal].a;
    return literal;
}

/* Whether the run's decisions imply what the literal is. */
int veer_is_answered(uint32_t literal) {
    const uint32_t *leaves;
    uint32_t single, count = narrow_leaves(literal, &leaves, &single);
    struct byte_set scratch, *left;
    if (count == 0) return 0;
    if (count == 1) {
        left = left_of(leaves[0]);
        const struct byte_set *holds = left ? veer_byte_solution(without_not(literal), leaves[0], &scratch) : NULL;
        uint64_t some = 0, others = 0;
        for (int i = 0; i < 4 && holds; i++) some |= left->word[i] & holds->word[i], others |= left->word[i] & ~holds->word[i];
        return holds && !(some && others);
    }
    for (uint32_t k = 0; k < count; k++) {
        left = left_of(leaves[k]);
        if (!left || !has_one(left)) return 0;
    }
    return 1;
}

/* Takes the values out that the decision excludes. */
void veer_learn(uint32_t literal, uint32_t holds) {
    const uint32_t *leaves;
    uint32_t single;
    struct byte_set scratch;
    for (; VEER_NODES[literal].op == VEER_OP_NOT; literal = VEER_NODES[literal].a) holds = !holds;
    if (narrow_leaves(literal, &leaves, &single) != 1) return;
    const struct byte_set *solution = veer_byte_solution(literal, leaves[0], &scratch);
    struct veer_leaf_state *state = &TRACER->leaves[leaves[0]];
    if (!solution) return;
    if (state->known_epoch != TRACER->epoch) state->known = (struct byte_set){{~0ull, ~0ull, ~0ull, ~0ull}};
    state->known_epoch = TRACER->epoch;
    for (int i = 0; i < 4; i++) state->known.word[i] &= holds ? solution->word[i] : ~solution->word[i];
}
