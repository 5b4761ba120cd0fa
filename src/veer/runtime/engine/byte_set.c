/* Narrow leaves (at most 8 bits): the truth table of a predicate over one such leaf, exact, memoised. */
#include "byte_set.h"
#include "arena.h"
#include "evaluate.h"
#include "lanes.h"
#include "solutions.h"
#include "veer_shared.h"

/* Finds the table by evaluating the predicate for each value, a word of the set at a time; 0 = too large an
   expression. */
static int tabulate(uint32_t literal, uint32_t leaf, struct byte_set *set)
{
    uint32_t values = 1u << VEER_LEAVES[leaf].width, lanes = values < LANES ? values : LANES;
    *set = (struct byte_set){{0, 0, 0, 0}};
    if (!veer_cone_build(&literal, 1))
        return 0;
    veer_lanes_prepare();
    uint64_t *argument = veer_lanes_column(veer_leaf_expression(leaf));
    const uint64_t *result = veer_lanes_column(literal);
    for (uint32_t first = 0; first < values; first += LANES) {
        for (uint32_t lane = 0; lane < lanes; lane++)
            argument[lane] = first + lane;
        veer_lanes_run(0, EVALUATOR->cone_count, lanes);
        for (uint32_t lane = 0; lane < lanes; lane++)
            set->word[first / LANES] |= (result[lane] & 1) << lane;
    }
    return 1;
}

/* The values of the leaf, the only one under `literal`, for which it holds; in the memo or in *scratch. NULL = unknown.
 */
const struct byte_set *veer_byte_solution(uint32_t literal, uint32_t leaf, struct byte_set *scratch)
{
    uint32_t at = SOLUTIONS->of[literal];
    if (at == VEER_NONE)
        return NULL;
    if (at)
        return (const struct byte_set *)&SOLUTIONS->words[at];
    if (!tabulate(literal, leaf, scratch)) {
        SOLUTIONS->of[literal] = VEER_NONE;
        return NULL;
    }
    if (SOLUTIONS->top + 4 > SOLUTION_WORDS)
        return scratch;
    at = SOLUTIONS->top;
    SOLUTIONS->top += 4;
    for (int i = 0; i < 4; i++)
        SOLUTIONS->words[at + (uint32_t)i] = scratch->word[i];
    SOLUTIONS->of[literal] = at;
    return scratch;
}
