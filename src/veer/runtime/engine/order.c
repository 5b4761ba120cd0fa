/* The order rung: slices whose constraints all compare two words with each other (sorting): leaves, or numbers made of
   several leaves (the bytes of an int) that are no other word's. The relation is closed, a cycle with a strict step is
   a proof of unsat, and values are raised from the parent's (else from the least ones) until all hold. That no values
   are left proves something only where the words' domains are known exactly: a word of several leaves has one when
   none of its leaves is bounded.

   Ranks are values with the sign bit flipped where the comparison is signed, so that their order is the unsigned one.
   */
#include "order.h"
#include "bits.h"
#include "byte_set.h"
#include "evaluate.h"
#include "leaves.h"
#include "node.h"
#include "slice.h"
#include "spans.h"
#include "trail.h"
#include "veer_shared.h"
#include <string.h>

enum { MAX_ORDERED = 32, MAX_DIFFERENT = 64, MAX_RAISES = 4096, MAX_PARTS = 8 };

enum relation { UNRELATED = 0, NOT_ABOVE = 1, BELOW = 2 };

/* What is compared: an expression, and where its leaves lie in it. */
struct word {
    uint32_t expression, part_count;
    struct {
        uint32_t leaf, shift;
    } parts[MAX_PARTS];
};

struct order {
    uint32_t count, width, op; /* op: VEER_OP_ULT or VEER_OP_SLT, 0 = not known yet */
    int is_inexact;            /* a word's domain is not that of its leaves */
    uint8_t relation[MAX_ORDERED][MAX_ORDERED];
    uint32_t different_count;
    uint8_t different[MAX_DIFFERENT][2];
    struct spans domains[MAX_ORDERED];
    uint64_t ranks[MAX_ORDERED];
    struct word words[MAX_ORDERED];
};

/* Lists the leaves of an expression that is nothing but leaves side by side; 0 = it is something else. */
static int take_apart(uint32_t expression, uint32_t shift, struct word *word)
{
    const struct veer_node *node = node_of(expression);
    for (; node->op == VEER_OP_CONCAT; node = node_of(expression)) {
        if (!take_apart(node->b, shift, word)) /* no deeper than a word has bits */
            return 0;
        shift += node_of(node->b)->width;
        expression = node->a;
    }
    if (node->op != VEER_OP_LEAF || word->part_count == MAX_PARTS)
        return 0;
    word->parts[word->part_count].leaf = node->a;
    word->parts[word->part_count++].shift = shift;
    return 1;
}

/* Whether a leaf of the word is part of another one, or twice in it. */
static int is_shared(const struct order *order, const struct word *word)
{
    for (uint32_t i = 0; i < word->part_count; i++) {
        for (const struct word *other = order->words; other <= word; other++) {
            for (uint32_t k = 0; k < (other == word ? i : other->part_count); k++) {
                if (other->parts[k].leaf == word->parts[i].leaf)
                    return 1;
            }
        }
    }
    return 0;
}

/* The number of a word, a new one if need be; 0 = it is none. */
static int index_of(struct order *order, uint32_t expression, uint32_t *index)
{
    for (*index = 0; *index < order->count; ++*index) {
        if (order->words[*index].expression == expression)
            return 1;
    }
    if (order->count == MAX_ORDERED || (order->count && node_of(expression)->width != order->width))
        return 0;
    struct word *word = &order->words[order->count];
    word->expression = expression;
    word->part_count = 0;
    if (!take_apart(expression, 0, word) || is_shared(order, word))
        return 0;
    order->width = node_of(expression)->width;
    order->count++;
    return 1;
}

static void relate(struct order *order, uint32_t left, uint32_t right, enum relation relation)
{
    if (order->relation[left][right] < relation)
        order->relation[left][right] = (uint8_t)relation;
}

/* Enters one constraint; 0 = it does not compare two words. */
static int enter(struct order *order, uint32_t literal, uint32_t want)
{
    const struct veer_node *node = node_of(literal);
    uint32_t left, right;
    while (node->op == VEER_OP_NOT) {
        node = node_of(node->a);
        want = !want;
    }
    if (node->op != VEER_OP_EQ && node->op != VEER_OP_ULT && node->op != VEER_OP_SLT)
        return 0;
    if (!index_of(order, node->a, &left) || !index_of(order, node->b, &right))
        return 0;
    if (node->op == VEER_OP_EQ) {
        if (want) {
            relate(order, left, right, NOT_ABOVE);
            relate(order, right, left, NOT_ABOVE);
            return 1;
        }
        if (order->different_count == MAX_DIFFERENT)
            return 0;
        order->different[order->different_count][0] = (uint8_t)left;
        order->different[order->different_count++][1] = (uint8_t)right;
        return 1;
    }
    if (order->op && order->op != node->op)
        return 0;
    order->op = node->op;
    if (want)
        relate(order, left, right, BELOW);
    else
        relate(order, right, left, NOT_ABOVE);
    return 1;
}

/* The transitive closure. */
static void close_relation(struct order *order)
{
    for (uint32_t k = 0; k < order->count; k++) {
        for (uint32_t i = 0; i < order->count; i++) {
            for (uint32_t j = 0; order->relation[i][k] && j < order->count; j++) {
                if (order->relation[k][j])
                    relate(order, i, j,
                           order->relation[i][k] > order->relation[k][j] ? order->relation[i][k]
                                                                         : order->relation[k][j]);
            }
        }
    }
}

/* Not above and different is below; 0 = a contradiction. */
static int tighten(struct order *order)
{
    close_relation(order);
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < order->different_count; i++) {
            uint8_t left = order->different[i][0], right = order->different[i][1];
            uint8_t forward = order->relation[left][right], backward = order->relation[right][left];
            if (left == right || (forward == NOT_ABOVE && backward == NOT_ABOVE))
                return 0;
            if (forward == NOT_ABOVE || backward == NOT_ABOVE) {
                relate(order, forward ? left : right, forward ? right : left, BELOW);
                changed = 1;
            }
        }
        close_relation(order);
    }
    for (uint32_t i = 0; i < order->count; i++) {
        if (order->relation[i][i] == BELOW)
            return 0;
    }
    return 1;
}

/* The leaf's domain as intervals of ranks; 0 = some do not fit in. */
static int rank_domain(uint32_t leaf, uint64_t flip, struct spans *ranks)
{
    struct spans values;
    ranks->count = 0;
    if (VEER_LEAVES[leaf].width <= 8) {
        struct byte_set set;
        veer_trail_byte_domain(leaf, &set);
        for (uint32_t rank = 0; rank < 1u << VEER_LEAVES[leaf].width; rank++) {
            uint64_t value = rank ^ flip;
            if (set.word[value >> 6] >> (value & 63) & 1)
                ranks->span[ranks->count++] = (struct span){rank, rank};
        }
        return 1;
    }
    veer_trail_spans_domain(leaf, &values);
    for (uint32_t half = 0; half < 2; half++) { /* with a flip, the upper half of the values has the lower ranks */
        uint64_t mask = mask_of(VEER_LEAVES[leaf].width), middle = mask / 2 + 1;
        uint64_t low = (half == 0) == (flip == 0) ? 0 : middle, high = low ? mask : middle - 1;
        for (uint32_t i = 0; i < values.count; i++) {
            struct span span = values.span[i];
            if (span.high < low || span.low > high)
                continue;
            if (ranks->count == MAX_SPANS)
                return 0;
            uint64_t from = span.low < low ? low : span.low, to = span.high > high ? high : span.high;
            ranks->span[ranks->count++] = (struct span){from ^ flip, to ^ flip};
        }
    }
    return 1;
}

/* The word's domain as intervals of ranks. */
static void rank_word(struct order *order, uint32_t index, uint64_t flip)
{
    const struct word *word = &order->words[index];
    struct spans bounds;
    if (word->part_count == 1) {
        if (!rank_domain(word->parts[0].leaf, flip, &order->domains[index]))
            order->is_inexact = 1;
        return;
    }
    order->domains[index].count = 1;
    order->domains[index].span[0] = (struct span){0, mask_of(order->width)};
    for (uint32_t i = 0; i < word->part_count; i++) {
        uint32_t leaf = word->parts[i].leaf;
        veer_leaf_bounds(leaf, &bounds);
        uint64_t mask = mask_of(VEER_LEAVES[leaf].width);
        if (TRAIL->leaf_domain[leaf] || bounds.count != 1 || bounds.span[0].low || bounds.span[0].high != mask)
            order->is_inexact = 1;
    }
}

/* The least rank of the domain that is not below `rank`; 0 = none. */
static int raise_to(struct order *order, uint32_t index, uint64_t rank)
{
    const struct spans *domain = &order->domains[index];
    for (uint32_t i = 0; i < domain->count; i++) {
        if (domain->span[i].high >= rank) {
            order->ranks[index] = domain->span[i].low > rank ? domain->span[i].low : rank;
            return 1;
        }
    }
    return 0;
}

/* Raises the ranks until the relation holds. Unsat = no ranks at or above the start do, whatever the disequalities. */
static enum verdict raise_all(struct order *order, uint64_t mask, uint32_t *raises)
{
    for (uint32_t changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < order->count; i++) {
            for (uint32_t j = 0; j < order->count; j++) {
                uint64_t strict = order->relation[i][j] == BELOW;
                if (!order->relation[i][j] ||
                    (order->ranks[j] >= order->ranks[i] && order->ranks[j] - order->ranks[i] >= strict))
                    continue;
                if (order->ranks[i] > mask - strict || !raise_to(order, j, order->ranks[i] + strict))
                    return VERDICT_UNSAT;
                changed = 1;
                if (++*raises > MAX_RAISES)
                    return VERDICT_UNKNOWN;
            }
        }
    }
    return VERDICT_SAT;
}

/* From a start: relation and disequalities; 0 = did not work out. */
static int raise_apart(struct order *order, uint64_t mask)
{
    uint32_t raises = 0;
    for (;;) {
        if (raise_all(order, mask, &raises) != VERDICT_SAT)
            return 0;
        uint32_t i = 0;
        while (i < order->different_count &&
               order->ranks[order->different[i][0]] != order->ranks[order->different[i][1]])
            i++;
        if (i == order->different_count)
            return 1;
        uint8_t moved = order->different[i][1];
        if (++raises > MAX_RAISES || order->ranks[moved] == mask || !raise_to(order, moved, order->ranks[moved] + 1))
            return 0;
    }
}

static int write_and_check(struct order *order, uint64_t flip, uint32_t literal, uint32_t want, uint8_t *input,
                           uint32_t length)
{
    for (uint32_t i = 0; i < order->count; i++) {
        const struct word *word = &order->words[i];
        for (uint32_t k = 0; k < word->part_count; k++) {
            uint32_t leaf = word->parts[k].leaf;
            uint64_t value = (order->ranks[i] ^ flip) >> word->parts[k].shift;
            veer_set_leaf(leaf, value & mask_of(VEER_LEAVES[leaf].width), input);
        }
    }
    if (veer_slice_holds(literal, want, input, length))
        return 1;
    veer_slice_restore(input);
    return 0;
}

/* Reads the slice; 0 = it is not of this kind. */
static int read_slice(struct order *order, uint32_t literal, uint32_t want)
{
    const struct slice *slice = SLICE;
    if (slice->leaf_count < 2 || slice->leaf_count > MAX_ORDERED * MAX_PARTS)
        return 0;
    memset(order, 0, offsetof(struct order, domains));
    if (!enter(order, literal, want))
        return 0;
    for (uint32_t i = 0; i < slice->residual_count; i++) {
        const struct residual *residual = &TRAIL->residuals[slice->residuals[i]];
        if (!enter(order, residual->literal, residual->want))
            return 0;
    }
    return 1;
}

enum verdict veer_rung_order(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    struct order order;
    if (!read_slice(&order, literal, want))
        return VERDICT_UNKNOWN;
    if (!tighten(&order))
        return VERDICT_UNSAT;
    uint64_t mask = mask_of(order.width), flip = order.op == VEER_OP_SLT ? sign_bit(order.width) : 0;
    int is_started = 1;
    veer_evaluate_begin(input, length);
    for (uint32_t i = 0; i < order.count; i++) {
        rank_word(&order, i, flip);
        is_started &= raise_to(&order, i, veer_evaluate(order.words[i].expression) ^ flip);
    }
    if (is_started && raise_apart(&order, mask) && write_and_check(&order, flip, literal, want, input, length))
        return VERDICT_SAT;
    uint32_t raises = 0;
    for (uint32_t i = 0; i < order.count; i++) {
        if (!raise_to(&order, i, 0))
            return VERDICT_UNKNOWN;
    }
    enum verdict verdict = raise_all(&order, mask, &raises);
    if (verdict == VERDICT_UNSAT && order.is_inexact)
        return VERDICT_UNKNOWN;
    if (verdict != VERDICT_SAT)
        return verdict;
    return raise_apart(&order, mask) && write_and_check(&order, flip, literal, want, input, length) ? VERDICT_SAT
                                                                                                    : VERDICT_UNKNOWN;
}
