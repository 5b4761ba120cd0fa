/* The rung for a literal over one narrow leaf: what the leaf's domain and the literal's truth table (byte_set.c) have in
   common. */
#include "domain.h"
#include "byte_set.h"
#include "evaluate.h"
#include "slice.h"
#include "trail.h"
#include "veer_shared.h"

enum { CANDIDATES = 64 };

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
static int pick(const struct byte_set *set, uint32_t leaf, uint64_t near)
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

/* Tries members of a narrow leaf's set on the whole slice, from the parent's value on. */
static int try_bytes(uint32_t literal, uint32_t want, uint32_t leaf, struct byte_set set, uint8_t *input,
                     uint32_t length)
{
    uint64_t old = veer_leaf_value(leaf, input, length);
    for (int i = 0; i < CANDIDATES; i++) {
        int value = pick(&set, leaf, old);
        if (value < 0)
            break;
        veer_set_leaf(leaf, (uint64_t)value, input);
        if (veer_slice_holds(literal, want, input, length))
            return 1;
        set.word[value >> 6] &= ~(1ull << (value & 63));
    }
    veer_set_leaf(leaf, old, input);
    return 0;
}

/* The only leaf of the literal is narrow: what its domain and the truth table have in common. */
enum verdict veer_rung_domain(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length)
{
    struct byte_set scratch, set;
    const struct byte_set *solution = veer_byte_solution(literal, leaf, &scratch);
    if (!solution)
        return VERDICT_UNKNOWN;
    veer_trail_byte_domain(leaf, &set);
    uint64_t any = 0;
    for (int i = 0; i < 4; i++) {
        set.word[i] &= want ? solution->word[i] : ~solution->word[i];
        any |= set.word[i];
    }
    if (!any)
        return VERDICT_UNSAT;
    if (!TRAIL->leaf_links[leaf]) {
        veer_set_leaf(leaf, (uint64_t)pick(&set, leaf, veer_leaf_value(leaf, input, length)), input);
        return VERDICT_SAT;
    }
    return veer_slice_build(literal) && try_bytes(literal, want, leaf, set, input, length) ? VERDICT_SAT
                                                                                            : VERDICT_UNKNOWN;
}
