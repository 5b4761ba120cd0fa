/* FlowTest's blocks (--partitioned): a node is negated only for the block of inputs that its condition asks about, on a
   path that changed nothing but that block and shared inputs (Majumdar, Xu 2009, algorithm 1, line 11). All others are
   HELD, in a list of the leaf that they wait for, until Python has merged its block with another one.

       held_first[leaf] ─► node ─ held_next ─► node ─ ...

   Python says which block each leaf is of; a leaf that it has not seen yet is a block of its own, or shared if it
   decides shapes. Blocks only grow, and what is shared stays so: whatever may be negated once may always be. */
#include "blocks.h"
#include "hash.h"
#include "leaves.h"
#include "ledger.h"
#include "node.h"
#include "places.h"
#include "publish.h"
#include "support.h"
#include "tree_columns.h"
#include "veer_shared.h"
#include <string.h>

enum { CHANGED_MEMO = 1 << 16 };

struct blocks_state {
    uint32_t changed_block; /* that the path noted last has changed */
    uint32_t changed_memo[CHANGED_MEMO]; /* places of lists in `changed` */
};
ENGINE_STATE_FITS(blocks);
#define BLOCKS ENGINE_STATE(blocks)

#define LEAF_BLOCKS VEER_REGION(uint32_t, LEAF_BLOCKS)
#define HELD_INPUT VEER_REGION(uint8_t, HELD_INPUT)
#define PATH_CHANGED VEER_REGION(uint32_t, PATH_CHANGED)
#define CHANGED VEER_REGION(uint32_t, CHANGED)
#define DOUBTS VEER_REGION(uint32_t, DOUBTS)
#define HELD_FIRST VEER_REGION(uint32_t, HELD_FIRST)
#define HELD_NEXT VEER_REGION(uint32_t, HELD_NEXT)
#define FREED VEER_REGION(uint32_t, FREED)
#define SHARED VEER_NONE          /* of every block, as what there is none of */
#define SEVERAL (VEER_NONE - 1)   /* of blocks that are not one */
#define IS_LIST 0x80000000u

/* New leaves: what they are held at (the base's value, or 0, within their bounds), and their blocks. */
static void lay_out(void)
{
    struct veer_control *control = VEER_CONTROL;
    for (; control->held_leaves < control->leaf_count; control->held_leaves++) {
        const struct veer_leaf *leaf = &VEER_LEAVES[control->held_leaves];
        uint64_t before = 0, value;
        memcpy(&before, HELD_INPUT + leaf->input_offset, (leaf->width + 7u) / 8u);
        value = veer_leaf_clamp(leaf, before);
        if (value != before)
            memcpy(HELD_INPUT + leaf->input_offset, &value, (leaf->width + 7u) / 8u);
    }
    for (; control->labelled_leaves < control->leaf_count; control->labelled_leaves++) {
        uint32_t leaf = control->labelled_leaves;
        LEAF_BLOCKS[leaf] = VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHOICE ? SHARED : leaf;
    }
}

/* The block that all of these leaves are of, shared ones left out; SHARED, or SEVERAL. */
static uint32_t block_of(const uint32_t *leaves, uint32_t count)
{
    uint32_t block = SHARED;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t own = LEAF_BLOCKS[leaves[k]];
        if (own == SHARED || own == block)
            continue;
        if (block != SHARED)
            return SEVERAL;
        block = own;
    }
    return block;
}

/* Any of these leaves that is not shared; NONE: there is none. */
static uint32_t own_leaf(const uint32_t *leaves, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (LEAF_BLOCKS[leaves[k]] != SHARED)
            return leaves[k];
    }
    return VEER_NONE;
}

/* The leaves of an entry of PATH_CHANGED, which is written as a support is (engine/support.c). */
static uint32_t leaves_changed(uint32_t changed, const uint32_t **leaves, uint32_t *single)
{
    if (changed & IS_LIST) {
        const uint32_t *list = CHANGED + (changed & ~IS_LIST);
        *leaves = list + 1;
        return list[0];
    }
    *single = changed - 1;
    *leaves = single;
    return changed != 0;
}

/* The leaf from `first` on in whose bytes that place of an input lies. */
static uint32_t leaf_at(uint32_t place, uint32_t first)
{
    uint32_t low = first, high = VEER_CONTROL->leaf_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (VEER_LEAVES[middle].input_offset <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether a run that asks for the leaf gets what it is held at. The bytes of one that was not asked for may be out of its bounds. */
static int is_held(const struct veer_leaf *leaf, const uint8_t *input, uint32_t length)
{
    uint32_t bytes = (leaf->width + 7u) / 8u, room = length - leaf->input_offset;
    uint64_t value = 0, held = 0;
    memcpy(&value, input + leaf->input_offset, room < bytes ? room : bytes);
    memcpy(&held, HELD_INPUT + leaf->input_offset, bytes);
    return veer_leaf_clamp(leaf, value) == held;
}

/* Writes the leaves whose value is not the one they are held at; how many there are, though no more than `room` fit. */
static uint32_t compare(const uint8_t *input, uint32_t length, uint32_t *leaves, uint32_t room)
{
    const uint8_t *held = HELD_INPUT;
    uint32_t size = length < VEER_CONTROL->leaf_bytes ? length : VEER_CONTROL->leaf_bytes, count = 0, leaf = 0;
    for (uint32_t at = 0; at < size;) {
        if (at + 8 <= size && memcmp(input + at, held + at, 8) == 0) {
            at += 8;
        } else if (input[at] == held[at]) {
            at++;
        } else {
            leaf = leaf_at(at, leaf);
            if (!is_held(&VEER_LEAVES[leaf], input, length)) {
                if (count < room)
                    leaves[count] = leaf;
                count++;
            }
            at = VEER_LEAVES[leaf].input_offset + (VEER_LEAVES[leaf].width + 7u) / 8u;
        }
    }
    return count;
}

/* The list of `count` leaves that stands behind the others: kept, or an earlier one that is the same. */
static uint32_t keep_list(uint32_t count)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t *list = CHANGED + control->changed_words;
    uint64_t hash = count;
    for (uint32_t k = 1; k <= count; k++)
        hash = mix(hash, list[k]);
    uint32_t *known = &BLOCKS->changed_memo[hash & (CHANGED_MEMO - 1)];
    list[0] = count;
    if (*known && memcmp(CHANGED + *known, list, (count + 1) * sizeof *list) == 0)
        return *known | IS_LIST;
    *known = control->changed_words;
    control->changed_words += count + 1;
    return *known | IS_LIST;
}

/* What the path changed; Python looks at a path that changed several blocks, or ended early. Before its nodes are made. */
void veer_blocks_note(uint32_t path)
{
    struct veer_control *control = VEER_CONTROL;
    BLOCKS->changed_block = SHARED;
    if (!control->holds_blocks)
        return;
    lay_out();
    if (control->changed_words == 0)
        control->changed_words = 1; /* offset 0 is nobody's */
    uint32_t *leaves = CHANGED + control->changed_words + 1, room = VEER_CHANGED_CAPACITY - control->changed_words - 1;
    const struct veer_path *record = &VEER_PATHS[path];
    uint32_t count = compare(VEER_INPUTS + record->input_offset, record->input_length, leaves, room);
    BLOCKS->changed_block = count > room ? SEVERAL : block_of(leaves, count);
    if (count > room)
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_FLOWS);
    PATH_CHANGED[path] = count > room ? VEER_NONE : count == 0 ? 0 : count == 1 ? leaves[0] + 1 : keep_list(count);
    if ((record->outcome != VEER_OUTCOME_RETURNED || BLOCKS->changed_block == SEVERAL) && control->doubt_count < VEER_DOUBTS_CAPACITY) {
        DOUBTS[control->doubt_count] = path;
        PUBLISH(control->doubt_count, control->doubt_count + 1);
    }
}

static int may_be_negated(uint32_t asked, uint32_t changed)
{
    return asked != SEVERAL && changed != SEVERAL && (asked == SHARED || changed == SHARED || asked == changed);
}

/* The block that a decision asks about. A choice between objects belongs to all. */
static uint32_t block_asked(uint32_t literal, uint32_t kind)
{
    const uint32_t *leaves;
    uint32_t single;
    if (kind == VEER_KIND_CHOICE)
        return SHARED;
    uint32_t count = veer_support_leaves(node_of(literal)->support, &leaves, &single);
    return block_of(leaves, count);
}

/* The state of an open side of the path that was noted last. */
uint32_t veer_blocks_state(uint32_t literal, uint32_t kind)
{
    if (!VEER_CONTROL->holds_blocks || may_be_negated(block_asked(literal, kind), BLOCKS->changed_block))
        return VEER_STATE_OPEN;
    return VEER_STATE_HELD;
}

/* Puts a HELD node into the list of a leaf that must change its block before the node may be negated. */
static void wait(uint32_t node)
{
    const uint32_t *leaves;
    uint32_t single, leaf = VEER_NONE;
    uint32_t changed = PATH_CHANGED[TREE_PATH[node]], count;
    if (TREE_KIND[node] != VEER_KIND_CHOICE) {
        count = veer_support_leaves(node_of(TREE_LITERAL[node])->support, &leaves, &single);
        leaf = own_leaf(leaves, count);
    }
    if (leaf == VEER_NONE && changed != VEER_NONE) {
        count = leaves_changed(changed, &leaves, &single);
        leaf = own_leaf(leaves, count);
    }
    if (leaf == VEER_NONE)
        return; /* for the whole tree to be looked at */
    HELD_NEXT[node] = HELD_FIRST[leaf];
    HELD_FIRST[leaf] = node;
}

/* Files the HELD ones among new nodes, which are published by now: a process that dies in between leaves whole lists. */
void veer_blocks_file(uint32_t first, uint32_t end)
{
    if (!VEER_CONTROL->holds_blocks)
        return;
    for (uint32_t node = first; node < end; node++) {
        if (TREE_STATE[node] == VEER_STATE_HELD)
            wait(node);
    }
}

static void look_at(uint32_t node)
{
    const uint32_t *leaves;
    uint32_t single, changed = PATH_CHANGED[TREE_PATH[node]], block = SEVERAL;
    if (changed != VEER_NONE) {
        uint32_t count = leaves_changed(changed, &leaves, &single);
        block = block_of(leaves, count);
    }
    if (!may_be_negated(block_asked(TREE_LITERAL[node], TREE_KIND[node]), block)) {
        wait(node);
        return;
    }
    TREE_STATE[node] = VEER_STATE_OPEN;
    FREED[VEER_CONTROL->freed_count++] = node;
}

static void look_at_list(uint32_t leaf)
{
    uint32_t node = HELD_FIRST[leaf], next;
    HELD_FIRST[leaf] = 0;
    for (; node; node = next) {
        next = HELD_NEXT[node];
        if (TREE_STATE[node] == VEER_STATE_HELD)
            look_at(node);
    }
}

/* Opens the HELD nodes that may be negated now: of those that wait for the leaves in ids, or (no ids) of all. */
enum veer_reply veer_command_release(void)
{
    struct veer_control *control = VEER_CONTROL;
    control->freed_count = 0;
    lay_out();
    for (uint32_t k = 0; k < control->id_count && k < VEER_IDS_CAPACITY; k++) {
        if (VEER_IDS[k] < control->leaf_count)
            look_at_list(VEER_IDS[k]);
    }
    if (control->id_count)
        return VEER_REPLY_DONE;
    memset(HELD_FIRST, 0, control->leaf_count * sizeof(uint32_t));
    for (uint32_t node = 1; node < control->tree_count; node++) {
        if (TREE_STATE[node] == VEER_STATE_HELD)
            look_at(node);
    }
    return VEER_REPLY_DONE;
}
