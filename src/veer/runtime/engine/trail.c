/* The trail: what the decisions from the root to a node say, kept aligned with the node that was worked on last.

   A decision over one leaf narrows the leaf's domain (a byte set or intervals, both exact); every other one is a
   residual constraint, listed at each of its leaves. Moving to another node pops to the common ancestor and pushes down
   from there.

       frames    [root] [decision 1] [decision 2] ...         each knows how far to undo
       domains   leaf → word of the pool (immutable sets; undo puts the old word back)
       links     leaf → residual → residual                  lists whose heads are undone */
#include "engine.h"

void veer_trail_reset(void)
{
    struct engine *engine = ENGINE;
    veer_trail_pop(0);
    engine->frames[0] = (struct frame){0, 0, 0, 0, 0, engine->pool_top, 0, 0};
}

/* Keeps the first `depth` decisions. */
void veer_trail_pop(uint32_t depth)
{
    struct engine *engine = ENGINE;
    if (engine->depth <= depth)
        return;
    const struct frame *frame = &engine->frames[depth + 1];
    while (engine->undo_count > frame->undo) {
        const struct undo *undo = &engine->undo[--engine->undo_count];
        engine->leaf_domain[undo->leaf] = undo->domain;
    }
    while (engine->link_count > frame->links) {
        const struct link *link = &engine->links[--engine->link_count];
        engine->leaf_links[link->leaf] = link->next;
    }
    engine->residual_count = frame->residuals;
    engine->pool_top = frame->pool;
    engine->depth = depth;
    if (engine->broken > depth)
        engine->broken = 0;
    if (engine->overflow > depth)
        engine->overflow = 0;
    if (engine->holes > depth)
        engine->holes = 0;
}

static void note_overflow(void)
{
    if (!ENGINE->overflow)
        ENGINE->overflow = ENGINE->depth;
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_TRAIL);
}

static void note_broken(void)
{
    if (!ENGINE->broken)
        ENGINE->broken = ENGINE->depth;
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
    uint32_t at = ENGINE->leaf_domain[leaf];
    if (at) {
        *set = *(const struct byte_set *)&ENGINE->pool[at];
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
    uint32_t at = ENGINE->leaf_domain[leaf];
    if (!at) {
        veer_leaf_bounds(leaf, spans);
        return;
    }
    const uint64_t *words = &ENGINE->pool[at];
    spans->count = (uint32_t)words[0];
    for (uint32_t i = 0; i < spans->count; i++)
        spans->span[i] = (struct span){words[1 + 2 * i], words[2 + 2 * i]};
}

/* Whether the domain has the value. */
int veer_trail_allows(uint32_t leaf, uint64_t value)
{
    uint32_t at = ENGINE->leaf_domain[leaf];
    if (at && VEER_LEAVES[leaf].width <= 8)
        return (int)(ENGINE->pool[at + (value >> 6)] >> (value & 63) & 1);
    struct spans spans;
    veer_trail_spans_domain(leaf, &spans); /* a narrow leaf's bounds, where it has no domain */
    return veer_spans_contain(&spans, value);
}

/* Room for a new domain of that many words, entered for the leaf; NULL = none. */
static uint64_t *replace_domain(uint32_t leaf, uint32_t words)
{
    struct engine *engine = ENGINE;
    if (engine->pool_top + words > POOL_WORDS || engine->undo_count == UNDO_ENTRIES) {
        note_overflow();
        return NULL;
    }
    uint32_t at = engine->pool_top;
    engine->pool_top += words;
    engine->undo[engine->undo_count++] = (struct undo){leaf, engine->leaf_domain[leaf]};
    engine->leaf_domain[leaf] = at;
    return &engine->pool[at];
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
        if (!ENGINE->holes)
            ENGINE->holes = ENGINE->depth;
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
    struct engine *engine = ENGINE;
    if (engine->residual_count == RESIDUALS || engine->link_count + count > LINKS) {
        note_overflow();
        return;
    }
    uint32_t residual = engine->residual_count++;
    engine->residuals[residual] = (struct residual){literal, want};
    for (uint32_t i = 0; i < count; i++) {
        engine->links[engine->link_count++] = (struct link){leaves[i], residual, engine->leaf_links[leaves[i]]};
        engine->leaf_links[leaves[i]] = engine->link_count;
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
    struct engine *engine = ENGINE;
    if (engine->depth + 1 >= TRAIL_FRAMES)
        return 0;
    struct frame *frame = &engine->frames[++engine->depth];
    *frame = (struct frame){node,
                            literal,
                            site,
                            kind << 16 | alternative,
                            engine->undo_count,
                            engine->pool_top,
                            engine->residual_count,
                            engine->link_count};
    if (kind != VEER_KIND_CHOICE)
        assert_literal(literal, alternative == 1, 0);
    return 1;
}

/* Moves the trail to a node of the tree. */
void veer_trail_seek(uint32_t node)
{
    struct engine *engine = ENGINE;
    uint32_t count = 0;
    for (;;) {
        uint32_t depth = TREE_DEPTH[node];
        if (depth <= engine->depth && engine->frames[depth].node == node) {
            veer_trail_pop(depth);
            break;
        }
        if (depth == 0 || count == TRAIL_FRAMES) {
            veer_trail_pop(0);
            break;
        }
        engine->descent[count++] = node;
        node = TREE_PARENT[node];
    }
    while (count--) {
        uint32_t next = engine->descent[count];
        veer_trail_push(next, TREE_KIND[next], TREE_SITE[next], TREE_LITERAL[next], TREE_ALTERNATIVE[next]);
    }
}
