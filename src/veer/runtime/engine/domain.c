/* Sets of values of narrow leaves (at most 8 bits): the truth table of a predicate over one such leaf, exact, memoised.
 */
#include "engine.h"

/* Finds the table by running the predicate for each value; 0 = too large an expression. */
static int tabulate(uint32_t literal, uint32_t leaf, struct byte_set *set)
{
    uint32_t values = 1u << VEER_LEAVES[leaf].width;
    *set = (struct byte_set){{0, 0, 0, 0}};
    if (!veer_cone_build(&literal, 1))
        return 0;
    for (uint32_t value = 0; value < values; value++) {
        veer_cone_run_leaf(leaf, value);
        if (ENGINE->value[literal])
            set->word[value >> 6] |= 1ull << (value & 63);
    }
    return 1;
}

/* The values of the leaf, the only one under `literal`, for which it holds; in the memo or in *scratch. NULL = unknown.
 */
const struct byte_set *veer_byte_solution(uint32_t literal, uint32_t leaf, struct byte_set *scratch)
{
    uint32_t at = ENGINE->solution[literal];
    if (at == VEER_NONE)
        return NULL;
    if (at)
        return (const struct byte_set *)&ENGINE->solutions[at];
    if (!tabulate(literal, leaf, scratch)) {
        ENGINE->solution[literal] = VEER_NONE;
        return NULL;
    }
    if (ENGINE->solution_top + 4 > SOLUTION_WORDS)
        return scratch;
    at = ENGINE->solution_top;
    ENGINE->solution_top += 4;
    for (int i = 0; i < 4; i++)
        ENGINE->solutions[at + (uint32_t)i] = scratch->word[i];
    ENGINE->solution[literal] = at;
    return scratch;
}

/* The first member at `near` or above it, around the end; -1 = none. */
static int first_from(const struct byte_set *set, uint32_t near)
{
    uint32_t word = near >> 6;
    uint64_t rest = set->word[word] & (~0ull << (near & 63));
    for (int i = 0; i < 5; i++) {
        if (rest)
            return (int)(word * 64 + (uint32_t)__builtin_ctzll(rest));
        word = (word + 1) & 3;
        rest = set->word[word];
    }
    return -1;
}

/* A member close to `near`; for characters a printable one if there is any, so that tests can be read. -1 = none. */
int veer_byte_pick(const struct byte_set *set, uint32_t leaf, uint64_t near)
{
    if (VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHAR) {
        struct byte_set printable = {
            {set->word[0] & 0xffffffff00000000ull, set->word[1] & 0x7fffffffffffffffull, 0, 0}};
        int value = first_from(&printable, (uint32_t)near & 255);
        if (value >= 0)
            return value;
    }
    return first_from(set, (uint32_t)near & 255);
}
