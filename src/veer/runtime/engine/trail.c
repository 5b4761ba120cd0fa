/* The trail: what the decisions from the root to a node say, kept aligned with the node that was worked on last.

   A decision over one leaf narrows the leaf's domain (a byte set or intervals, both exact); every other one is a
   residual constraint, listed at each of its leaves. Moving to another node pops to the common ancestor and pushes down
   from there.

       frames    [root] [decision 1] [decision 2] ...         each knows how far to undo
       domains   leaf → word of the pool (immutable sets; undo puts the old word back)
       links     leaf → residual → residual                  lists whose heads are undone */
#include "trail.h"
#include "byte_set.h"
#include "leaves.h"
#include "ledger.h"
#include "node.h"
#include "preimage.h"
#include "spans.h"
#include "support.h"
#include "tree_columns.h"
#include "veer_shared.h"

void veer_trail_attach(void)
{
    struct trail_state *trail = TRAIL;
    trail->pool_top = 1; /* word 0 says "no domain of its own" */
    trail->frames[0] = (struct frame){0, 0, 0, 0, 0, trail->pool_top, 0, 0};
}

/* Keeps the first `depth` decisions. */
void veer_trail_pop(uint32_t depth)
{
    struct trail_state *trail = TRAIL;
    if (trail->depth <= depth)
        return;
    const struct frame *frame = &trail->frames[depth + 1];
    while (trail->undo_count > frame->undo) {
        const struct undo *undo = &trail->undo[--trail->undo_count];
        trail->leaf_domain[undo->leaf] = undo->domain;
    }
    while (trail->link_count > frame->links) {
        const struct link *link = &trail->links[--trail->link_count];
        trail->leaf_links[link->leaf] = link->next;
    }
    trail->residual_count = frame->residuals;
    trail->pool_top = frame->pool;
    trail->depth = depth;
    if (trail->broken > depth)
        trail->broken = 0;
    if (trail->overflow > depth)
        trail->overflow = 0;
    if (trail->holes > depth)
        trail->holes = 0;
}

static void note_overflow(void)
{
    if (!TRAIL->overflow)
        TRAIL->overflow = TRAIL->depth;
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_TRAIL);
}

static void note_broken(void)
{
    if (!TRAIL->broken)
        TRAIL->broken = TRAIL->depth;
}

/* The values of a byte set's word that are not below `low`. */
static uint64_t bits_from(uint64_t low, uint32_t word)
{
    uint64_t first = 64 * (uint64_t)word;
    if (low <= first)
        return ~0ull;
    return low - first < 64 ? ~0ull << (low - first) : 0;
}

/* The leaf's domain as a byte set: its own, or its bounds. */
void veer_trail_byte_domain(uint32_t leaf, struct byte_set *set)
{
    uint32_t at = TRAIL->leaf_domain[leaf];
    if (at) {
        *set = *(const struct byte_set *)&TRAIL->pool[at];
        return;
    }
    struct spans bounds;
    veer_leaf_bounds(leaf, &bounds);
    *set = (struct byte_set){{0, 0, 0, 0}};
    for (uint32_t i = 0; i < bounds.count; i++) {
        for (uint32_t word = 0; word < 4; word++)
            set->word[word] |= bits_from(bounds.span[i].low, word) & ~bits_from(bounds.span[i].high + 1, word);
    }
}

/* The leaf's domain as intervals. */
void veer_trail_spans_domain(uint32_t leaf, struct spans *spans)
{
    uint32_t at = TRAIL->leaf_domain[leaf];
    if (!at) {
        veer_leaf_bounds(leaf, spans);
        return;
    }
    const uint64_t *words = &TRAIL->pool[at];
    spans->count = (uint32_t)words[0];
    for (uint32_t i = 0; i < spans->count; i++)
        spans->span[i] = (struct span){words[1 + 2 * i], words[2 + 2 * i]};
}

/* Whether the domain has the value. */
int veer_trail_allows(uint32_t leaf, uint64_t value)
{
    uint32_t at = TRAIL->leaf_domain[leaf];
    if (at && VEER_LEAVES[leaf].width <= 8)
        return (int)(TRAIL->pool[at + (value >> 6)] >> (value & 63) & 1);
    struct spans spans;
    veer_trail_spans_domain(leaf, &spans); /* a narrow leaf's bounds, where it has no domain */
    return veer_spans_contain(&spans, value);
}

/* Room for a new domain of that many words, entered for the leaf; NULL = none. */
static uint64_t *replace_domain(uint32_t leaf, uint32_t words)
{
    struct trail_state *trail = TRAIL;
    if (trail->pool_top + words > POOL_WORDS || trail->undo_count == UNDO_ENTRIES) {
        note_overflow();
        return NULL;
    }
    uint32_t at = trail->pool_top;
    trail->pool_top += words;
    trail->undo[trail->undo_count++] = (struct undo){leaf, trail->leaf_domain[leaf]};
    trail->leaf_domain[leaf] = at;
    return &trail->pool[at];
}

/* Narrows a narrow leaf's domain; 0 = the literal is too large for a table. */
static int narrow_bytes(uint32_t literal, uint32_t want, uint32_t leaf)
{
    struct byte_set scratch, domain;
    const struct byte_set *solution = veer_byte_solution(literal, leaf, &scratch);
    if (!solution)
        return 0;
    veer_trail_byte_domain(leaf, &domain);
    uint64_t flip = want ? 0 : ~0ull, lost = 0, left = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t word = domain.word[i] & (solution->word[i] ^ flip);
        lost |= domain.word[i] ^ word;
        left |= word;
        domain.word[i] = word;
    }
    if (!left)
        note_broken();
    if (!lost)
        return 1;
    uint64_t *words = replace_domain(leaf, 4);
    for (int i = 0; words && i < 4; i++)
        words[i] = domain.word[i];
    return 1;
}

/* Narrows a wide leaf's domain; 0 = intervals do not express the literal, or not within their capacity. */
static int narrow_spans(uint32_t literal, uint32_t want, uint32_t leaf)
{
    struct spans solution, domain, rest;
    if (!veer_spans_solution(literal, &solution))
        return 0;
    const struct spans *wanted = &solution;
    if (!want) {
        if (!veer_spans_complement(&solution, VEER_LEAVES[leaf].width, &rest))
            return 0;
        wanted = &rest;
    }
    struct spans both;
    veer_trail_spans_domain(leaf, &domain);
    if (!veer_spans_intersect(&domain, wanted, &both)) {
        if (!TRAIL->holes)
            TRAIL->holes = TRAIL->depth;
        return 0;
    }
    if (!both.count)
        note_broken();
    uint64_t *words = replace_domain(leaf, 1 + 2 * both.count);
    if (!words)
        return 1;
    words[0] = both.count;
    for (uint32_t i = 0; i < both.count; i++) {
        words[1 + 2 * i] = both.span[i].low;
        words[2 + 2 * i] = both.span[i].high;
    }
    return 1;
}

static void add_residual(uint32_t literal, uint32_t want, const uint32_t *leaves, uint32_t count)
{
    struct trail_state *trail = TRAIL;
    if (trail->residual_count == RESIDUALS || trail->link_count + count > LINKS) {
        note_overflow();
        return;
    }
    uint32_t residual = trail->residual_count++;
    trail->residuals[residual] = (struct residual){literal, want};
    for (uint32_t i = 0; i < count; i++) {
        trail->links[trail->link_count++] = (struct link){leaves[i], residual, trail->leaf_links[leaves[i]]};
        trail->leaf_links[leaves[i]] = trail->link_count;
    }
}

/* Enters a literal that holds (want 1) or not; conjunctions are entered part by part. */
static void assert_literal(uint32_t literal, uint32_t want, uint32_t nesting)
{
    const struct veer_node *node = node_of(literal);
    const uint32_t *leaves;
    uint32_t single, count;
    if (node->op == VEER_OP_NOT) {
        assert_literal(node->a, !want, nesting);
        return;
    }
    if (nesting < 16 && ((node->op == VEER_OP_AND && want) || (node->op == VEER_OP_OR && !want))) {
        assert_literal(node->a, want, nesting + 1);
        assert_literal(node->b, want, nesting + 1);
        return;
    }
    count = veer_support_leaves(node->support, &leaves, &single);
    if (count == 1) {
        uint32_t leaf = leaves[0];
        if (VEER_LEAVES[leaf].width <= 8 ? narrow_bytes(literal, want, leaf) : narrow_spans(literal, want, leaf))
            return;
    }
    if (count)
        add_residual(literal, want, leaves, count);
}

/* Adds a decision that was taken. A choice constrains nothing but itself. */
int veer_trail_push(uint32_t node, uint32_t kind, uint32_t site, uint32_t literal, uint32_t alternative)
{
    struct trail_state *trail = TRAIL;
    if (trail->depth + 1 >= TRAIL_FRAMES)
        return 0;
    struct frame *frame = &trail->frames[++trail->depth];
    *frame = (struct frame){node,
                            literal,
                            site,
                            kind << 16 | alternative,
                            trail->undo_count,
                            trail->pool_top,
                            trail->residual_count,
                            trail->link_count};
    if (kind != VEER_KIND_CHOICE)
        assert_literal(literal, alternative == 1, 0);
    return 1;
}

/* Moves the trail to a node of the tree. */
void veer_trail_seek(uint32_t node)
{
    struct trail_state *trail = TRAIL;
    uint32_t count = 0;
    for (;;) {
        uint32_t depth = TREE_DEPTH[node];
        if (depth <= trail->depth && trail->frames[depth].node == node) {
            veer_trail_pop(depth);
            break;
        }
        if (depth == 0 || count == TRAIL_FRAMES) {
            veer_trail_pop(0);
            break;
        }
        trail->descent[count++] = node;
        node = TREE_PARENT[node];
    }
    while (count--) {
        uint32_t next = trail->descent[count];
        veer_trail_push(next, TREE_KIND[next], TREE_SITE[next], TREE_LITERAL[next], TREE_ALTERNATIVE[next]);
    }
}
