/* The arena: a hash-consed DAG of expressions that lasts for the whole campaign, over restarts of the process.

   Insertion writes the node, then its slot in the table, then the count. A process that dies in between leaves a slot
   with an id that is not published: such a slot counts as empty. While the table is rebuilt its published size is 0. */
#include "arena.h"
#include "bits.h"
#include "hash.h"
#include "ledger.h"
#include "memo.h"
#include "node.h"
#include "places.h"
#include "publish.h"
#include "semantics.h"
#include "simplify.h"
#include "support.h"
#include "tables.h"
#include "unwritten.h"
#include "veer_shared.h"
#include <string.h>

enum {
    MEMO_SIZE = 8192, /* direct-mapped cache in front of the simplifier and the table */
    SMALL_CONSTANTS = 256,
    NODE_TABLE_START = 1 << 16 /* slots of the hash table at first */
};

struct arena_state {
    struct memo memo[MEMO_SIZE];
    uint32_t small_constants[65][SMALL_CONSTANTS]; /* by width and value: expressions, 0 = not yet */
    uint32_t leaf_expression[VEER_LEAVES_CAPACITY];
};
ENGINE_STATE_FITS(arena);
#define ARENA ENGINE_STATE(arena)

#define TABLE VEER_REGION(uint32_t, NODE_TABLE)

static uint64_t node_hash(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value)
{
    uint64_t low = (uint64_t)op | (uint64_t)width << 8 | (uint64_t)a << 32;
    return mix(low, ((uint64_t)b | (uint64_t)c << 32) ^ value);
}

static int is_node(const struct veer_node *node, uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c,
                   uint64_t value)
{
    return node->op == op && node->width == width && node->a == a && node->b == b && node->c == c &&
           node->value == value;
}

/* Fills the table from the published nodes; `size` slots, a power of two. */
static void rebuild(uint32_t size)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t count = control->node_count, mask = size - 1;
    PUBLISH(control->node_table_size, 0);
    memset(TABLE, 0, (size_t)size * sizeof(uint32_t));
    for (uint32_t id = VEER_FIRST_EXPRESSION; id < count; id++) {
        const struct veer_node *node = node_of(id);
        uint32_t slot = (uint32_t)node_hash(node->op, node->width, node->a, node->b, node->c, node->value) & mask;
        while (TABLE[slot])
            slot = (slot + 1) & mask;
        TABLE[slot] = id;
    }
    PUBLISH(control->node_table_size, size);
}

/* The table's size that holds `count` nodes at most half full. */
static uint32_t table_size(uint32_t count)
{
    uint32_t size = NODE_TABLE_START;
    while (size > VEER_NODE_TABLE_CAPACITY)
        size /= 2;
    while (count > size / 2 && size <= VEER_NODE_TABLE_CAPACITY / 2)
        size *= 2;
    return size;
}

void veer_arena_attach(void)
{
    if (VEER_CONTROL->node_table_size == 0)
        rebuild(table_size(VEER_CONTROL->node_count));
}

/* Union of the operands' supports; NONE = no room. */
static uint32_t support_of(uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
    if (op == VEER_OP_CONST || op == VEER_OP_SLOT || op == VEER_OP_UNWRITTEN || op == VEER_OP_DEFERRED)
        return 0;
    if (op == VEER_OP_LEAF)
        return a + 1;
    uint32_t operands = veer_operand_count(op);
    uint32_t support = node_of(a)->support;
    if (operands > 1)
        support = veer_support_union(support, node_of(b)->support);
    if (operands > 2 && support != VEER_NONE)
        support = veer_support_union(support, node_of(c)->support);
    return support;
}

/* Whether there is an unwritten value in an operand, or the node is one. */
static uint16_t flags_of(uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t operands = veer_operand_count(op), flags = op == VEER_OP_UNWRITTEN ? HOLDS_UNWRITTEN : 0;
    if (operands > 0)
        flags |= node_of(a)->flags;
    if (operands > 1 && !has_number(op))
        flags |= node_of(b)->flags;
    if (operands > 2)
        flags |= node_of(c)->flags;
    return (uint16_t)flags;
}

static uint32_t append(uint32_t slot, const struct veer_node *node)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t id = control->node_count;
    if (id >= VEER_NODES_CAPACITY || id + 1 >= control->node_table_size) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_ARENA);
        return 0;
    }
    VEER_NODES[id] = *node;
    __atomic_store_n(&TABLE[slot], id, __ATOMIC_RELEASE);
    PUBLISH(control->node_count, id + 1);
    if (id + 1 > control->node_table_size / 2 && control->node_table_size <= VEER_NODE_TABLE_CAPACITY / 2)
        rebuild(table_size(id + 1));
    return id;
}

/* The id of exactly this node, made if it is new; 0 = no room. */
uint32_t veer_arena_intern(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value)
{
    struct veer_control *control = VEER_CONTROL;
    if (control->node_table_size == 0)
        rebuild(table_size(control->node_count));
    uint32_t count = control->node_count, mask = control->node_table_size - 1;
    uint32_t slot = (uint32_t)node_hash(op, width, a, b, c, value) & mask;
    for (; TABLE[slot] && TABLE[slot] < count; slot = (slot + 1) & mask) {
        if (is_node(node_of(TABLE[slot]), op, width, a, b, c, value))
            return TABLE[slot];
    }
    uint32_t support = support_of(op, a, b, c);
    if (support == VEER_NONE)
        return 0;
    struct veer_node node = {(uint8_t)op, (uint8_t)width, flags_of(op, a, b, c), a, b, c, value, support, 0};
    return append(slot, &node);
}

/* The memo's entry for a key; its `result` is 0 or another key's if it is not there. */
static struct memo *memo_entry(uint64_t low, uint64_t high)
{
    return &ARENA->memo[mix(low, high) & (MEMO_SIZE - 1)];
}

static uint64_t expression_key(uint32_t op, uint32_t width, uint32_t a)
{
    return (uint64_t)op | (uint64_t)width << 8 | (uint64_t)a << 32;
}

/* What programs compare with most, characters among it, is looked up without a hash. */
static uint32_t small_constant(uint32_t width, uint32_t value)
{
    uint32_t *known = &ARENA->small_constants[width][value];
    if (!*known)
        *known = veer_arena_intern(VEER_OP_CONST, width, 0, 0, 0, value);
    return *known;
}

uint32_t veer_constant(uint32_t width, uint64_t value)
{
    if (width == 0 || width > 64)
        return 0;
    value &= mask_of(width);
    if (value < SMALL_CONSTANTS)
        return small_constant(width, (uint32_t)value);
    uint64_t low = (uint64_t)VEER_OP_CONST | (uint64_t)width << 8;
    struct memo *memo = memo_entry(low, value);
    if (memo->result && memo->low == low && memo->high == value)
        return memo->result;
    uint32_t result = veer_arena_intern(VEER_OP_CONST, width, 0, 0, 0, value);
    if (result)
        remember(memo, low, value, result);
    return result;
}

uint32_t veer_leaf_expression(uint32_t leaf)
{
    if (leaf >= VEER_CONTROL->leaf_count)
        return 0;
    uint32_t known = ARENA->leaf_expression[leaf];
    if (known)
        return known;
    uint32_t result = veer_arena_intern(VEER_OP_LEAF, VEER_LEAVES[leaf].width, leaf, 0, 0, 0);
    ARENA->leaf_expression[leaf] = result;
    return result;
}

/* What stands for a value that crossed a boundary (a compositional run's): nothing is known of it but its width. */
uint32_t veer_slot_expression(uint32_t slot)
{
    if (slot >= VEER_CONTROL->slot_count)
        return 0;
    return veer_arena_intern(VEER_OP_SLOT, VEER_REGION(struct veer_slot, SLOTS)[slot].width, slot, 0, 0, 0);
}

int veer_is_constant(uint32_t expression, uint64_t *value)
{
    const struct veer_node *node = node_of(expression);
    if (expression < VEER_FIRST_EXPRESSION || node->op != VEER_OP_CONST)
        return 0;
    *value = node->value;
    return 1;
}

/* Whether the operands exist and their widths fit the operator: an expression of mixed widths would be a wrong
   constraint. */
static int is_well_formed(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t count = VEER_CONTROL->node_count, operands = veer_operand_count(op);
    if (operands == 0 || width == 0 || width > 64 || a < VEER_FIRST_EXPRESSION || a >= count)
        return 0;
    if (operands > 1 && (b < VEER_FIRST_EXPRESSION || b >= count))
        return 0;
    if (operands > 2 && (c < VEER_FIRST_EXPRESSION || c >= count))
        return 0;
    uint32_t wa = node_of(a)->width, wb = operands > 1 ? node_of(b)->width : 0;
    switch (op) {
    case VEER_OP_EQ:
    case VEER_OP_ULT:
    case VEER_OP_ULE:
    case VEER_OP_SLT:
    case VEER_OP_SLE: return width == 1 && wa == wb;
    case VEER_OP_FOEQ:
    case VEER_OP_FOLT:
    case VEER_OP_FOLE:
    case VEER_OP_FUNO: return width == 1 && wa == wb && (wa == 32 || wa == 64);
    case VEER_OP_ZEXT:
    case VEER_OP_SEXT: return wa <= width;
    case VEER_OP_EXTRACT: return b < wa && width <= wa - b;
    case VEER_OP_LOOKUP: return veer_table_width(b) == width;
    case VEER_OP_CONCAT: return wa + wb == width;
    case VEER_OP_ITE: return wa == 1 && wb == width && node_of(c)->width == width;
    case VEER_OP_FPTOSI:
    case VEER_OP_FPTOUI: return wa == 32 || wa == 64;
    case VEER_OP_SITOFP:
    case VEER_OP_UITOFP: return width == 32 || width == 64;
    case VEER_OP_FPEXT: return wa == 32 && (width == 64 || width == 32);
    case VEER_OP_FPTRUNC: return (wa == 64 || wa == 32) && width == 32;
    case VEER_OP_CTPOP: return wa == width;
    case VEER_OP_UDIVL:
    case VEER_OP_UREML: return wa == width && wb == width && node_of(c)->width == width;
    default:
        if (op >= VEER_OP_FADD)
            return (width == 32 || width == 64) && wa == width && (operands < 2 || wb == width) &&
                   (operands < 3 || node_of(c)->width == width);
        return wa == width && (operands < 2 || wb == width);
    }
}

static uint32_t new_expression(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t operands = veer_operand_count(op);
    if (a == 0 || (operands > 1 && b == 0) || (operands > 2 && c == 0))
        return 0; /* an operand for which there was no room */
    if (!is_well_formed(op, width, a, b, c)) {
        veer_note_loss(VEER_LOSS_UNSUPPORTED, VEER_NONE);
        return 0;
    }
    return veer_simplify(op, width, a, b, c);
}

/* What the memo did not know. */
__attribute__((noinline)) static uint32_t remembered(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t low = expression_key(op, width, a), high = (uint64_t)b | (uint64_t)c << 32;
    uint32_t result = new_expression(op, width, a, b, c);
    if (result)
        remember(memo_entry(low, high), low, high, result);
    return result;
}

/* Nearly always the memo knows: that is all that is done here, so that nothing has to be saved on the stack for it. */
uint32_t veer_expression(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t low = expression_key(op, width, a), high = (uint64_t)b | (uint64_t)c << 32;
    const struct memo *memo = memo_entry(low, high);
    if (memo->result && memo->low == low && memo->high == high)
        return memo->result;
    return remembered(op, width, a, b, c);
}
