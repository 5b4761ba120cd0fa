/* Private to the engine: its own state, and what its files call of each other. Nothing here is seen by the tracer.

   All mutable state that is not shared with Python lies in one struct at an address of its own (executors: fixed, far
   from the program's data; library: wherever the kernel puts it), so that a wild write of the unit is unlikely to hit
   it. Large arrays in it cost address space only: pages are touched as they are used. */
#ifndef ENGINE_H
#define ENGINE_H
#include "veer_engine.h"

enum {
    MEMO_SIZE = 8192,            /* direct-mapped cache in front of the simplifier and the arena */
    SMALL_CONSTANTS = 256,
    NODE_TABLE_START = 1 << 16,  /* slots of the arena's hash table at first */
    EVALUATION_STACK = 1 << 26,  /* never full: three pushes for each of 2^24 nodes at most */
    SUPPORT_LIMIT = 2048,        /* leaves in one support set; an expression over more is concretised */
    SUPPORT_TABLE = 1 << 20,
    UNION_MEMO = 4096,
    NAME_TABLE = 1 << 16,
    OBJECT_TABLE = 1 << 18,
    LEAF_TABLE = 1 << 20,
    LEDGER_TABLE = 1 << 13,
    TABLE_TABLE = 1 << 16,
    BUG_TABLE = 1 << 15,
    SOLUTION_WORDS = 1 << 22,    /* pool of truth tables and span lists, memoised per expression */
    POOL_WORDS = 1 << 22,        /* domains on the trail */
    TRAIL_FRAMES = (1 << 21) + 2,
    UNDO_ENTRIES = 1 << 22,
    RESIDUALS = 1 << 21,
    LINKS = 1 << 22,
    MAX_SPANS = 256,             /* intervals of one wide leaf's domain */
    SLICE_LEAVES = 2048,
    SLICE_RESIDUALS = 4096,
    CONE_LIMIT = 1 << 16,        /* nodes of one straight-line evaluation */
    LANES = 64,                  /* inputs that are evaluated at once: the bits of a word */
    GRID_LEAVES = 16,
    GRID_LITERALS = 64,
    GRID_VALUES = 1 << 17,       /* of all leaves of a grid together */
    REPEATED_INPUT = 4 << 20,
    WITNESSES = 8,               /* reports kept of one bug */
    CHANGED_MEMO = 1 << 16
};

/* What the ladder says. */
enum verdict { VERDICT_UNKNOWN = 0, VERDICT_SAT = 1, VERDICT_UNSAT = 2 };

/* A set of values of a leaf as sorted, disjoint, inclusive intervals. */
struct span {
    uint64_t low, high;
};
struct spans {
    uint32_t count;
    struct span span[MAX_SPANS];
};

struct memo {
    uint64_t low, high;
    uint32_t result, spare;
} __attribute__((aligned(32))); /* never across cache lines */

/* One decision on the trail: what a run must repeat, and how far to undo. */
struct frame {
    uint32_t node, literal, site, key; /* key = kind << 16 | alternative */
    uint32_t undo, pool, residuals, links;
};

/* A constraint of the prefix that no domain holds exactly. */
struct residual {
    uint32_t literal;
    uint32_t want;
};

/* An entry of a leaf's list of residuals. */
struct link {
    uint32_t leaf, residual, next; /* next: index of a link + 1, 0 = end */
};

struct undo {
    uint32_t leaf, domain;
};

/* The constraints that share leaves, transitively, with the literal to be solved. */
struct slice {
    uint32_t leaf_count, residual_count, stamp;
    uint32_t leaves[SLICE_LEAVES];
    uint32_t residuals[SLICE_RESIDUALS];
    uint64_t values[SLICE_LEAVES]; /* of the leaves, in the parent's input */
};

/* A known bug: (outcome, site). */
struct bug {
    uint32_t outcome, site, report, witnesses; /* report + 1; 0 = empty slot */
    uint64_t weight;
};

/* The values between two, inclusive, as unsigned integers; with is_float: as finite numbers, by their bits. */
struct range {
    uint64_t low, high;
    uint32_t is_float;
};

/* One expression of a cone, for many-lane evaluation: its operands' positions (or the number `b`, see has_number). An
   operand's width of 0 says that there is nothing to compute. */
struct lane_step {
    uint8_t op, width, operand_width, spare;
    uint32_t a, b, c;
};

/* A leaf of a grid and its values: grid_values[first : first + size], the parent's first. */
struct axis {
    uint32_t leaf, first, size, position;
    uint64_t parent;
    uint64_t *column; /* its lanes */
};

/* All combinations of values of some leaves, and what literals are wanted (grid.c). */
struct grid {
    uint32_t axis_count, literal_count;
    uint64_t left, hits; /* combinations not yet tried; lanes of the last ones that hold and were not yet told */
    struct axis axes[GRID_LEAVES];
    struct residual literals[GRID_LITERALS];
    uint32_t ends[GRID_LITERALS]; /* where each literal's part of the cone ends */
    const uint64_t *columns[GRID_LITERALS];
};

struct engine {
    uint32_t attached;
    uint32_t generation;
    const uint8_t *input;
    uint32_t input_length;
    uint32_t slice_stamp;
    uint32_t last_leaf;     /* the leaf that was looked up last */
    uint32_t outcomes_seen; /* a bit for each outcome */
    uint32_t bugs_known;
    /* trail */
    uint32_t depth, undo_count, pool_top, residual_count, link_count;
    uint32_t broken;   /* depth of the first frame whose constraints contradict what ran, 0 = none */
    uint32_t overflow; /* depth of the first frame that the trail could not hold, 0 = none */
    uint32_t holes;    /* depth of the first frame whose domain has too many intervals, 0 = none */
    uint32_t solution_top, cone_count;
    uint64_t clock; /* when what is timed now began */
    uint32_t changed_block; /* that the path noted last has changed (blocks.c) */
    struct slice slice;
    uint8_t set_aside[REPEATED_INPUT]; /* stored inputs whose place a run in a full campaign takes */
    uint32_t small_constants[65][SMALL_CONSTANTS]; /* by width and value: expressions, 0 = not yet */
    struct memo memo[MEMO_SIZE];
    struct memo union_memo[UNION_MEMO];
    uint32_t support_table[SUPPORT_TABLE];
    uint32_t name_table[NAME_TABLE];
    uint32_t object_table[OBJECT_TABLE];
    uint32_t leaf_table[LEAF_TABLE];
    uint32_t ledger_table[LEDGER_TABLE];
    uint32_t table_table[TABLE_TABLE]; /* numbers of tables */
    uint32_t changed_memo[CHANGED_MEMO]; /* places of lists in `changed` */
    struct bug bugs[BUG_TABLE];
    uint32_t leaf_expression[VEER_LEAVES_CAPACITY];
    uint32_t leaf_stamp[VEER_LEAVES_CAPACITY];
    uint32_t leaf_links[VEER_LEAVES_CAPACITY];  /* head of the leaf's residuals: link + 1 */
    uint32_t leaf_domain[VEER_LEAVES_CAPACITY]; /* word of the pool, 0 = its bounds alone */
    uint64_t pool[POOL_WORDS];
    uint64_t solutions[SOLUTION_WORDS];
    uint64_t grid_values[GRID_VALUES];
    uint32_t cone[CONE_LIMIT];
    struct range ranges[CONE_LIMIT]; /* of the expressions of the cone */
    struct lane_step lane_steps[CONE_LIMIT];
    uint64_t lane_values[CONE_LIMIT][LANES];
    uint32_t descent[TRAIL_FRAMES];
    struct frame frames[TRAIL_FRAMES];
    struct undo undo[UNDO_ENTRIES];
    struct residual residuals[RESIDUALS];
    uint32_t residual_stamp[RESIDUALS];
    struct link links[LINKS];
    uint32_t stamp[VEER_NODES_CAPACITY];
    uint32_t solution[VEER_NODES_CAPACITY]; /* word of `solutions`, 0 = not yet, NONE = no such form */
    uint64_t value[VEER_NODES_CAPACITY];
    uint32_t stack[EVALUATION_STACK];
    uint32_t search[VEER_TREE_PARENT_CAPACITY]; /* open nodes of a native depth-first search */
};

#ifdef VEER_LIBRARY
extern struct engine *veer_engine_state;
#define ENGINE veer_engine_state
#else
#define ENGINE_BASE (VEER_PRIVATE_BASE + 0x10000000ull)
#define ENGINE ((struct engine *)(uintptr_t)ENGINE_BASE)
#endif

#define TREE_PARENT VEER_REGION(uint32_t, TREE_PARENT)
#define TREE_CHILD VEER_REGION(uint32_t, TREE_CHILD)
#define TREE_SIBLING VEER_REGION(uint32_t, TREE_SIBLING)
#define TREE_LITERAL VEER_REGION(uint32_t, TREE_LITERAL)
#define TREE_SITE VEER_REGION(uint32_t, TREE_SITE)
#define TREE_CONTEXT VEER_REGION(uint32_t, TREE_CONTEXT)
#define TREE_PATH VEER_REGION(uint32_t, TREE_PATH)
#define TREE_DEPTH VEER_REGION(uint32_t, TREE_DEPTH)
#define TREE_ALTERNATIVE VEER_REGION(uint16_t, TREE_ALTERNATIVE)
#define TREE_KIND VEER_REGION(uint8_t, TREE_KIND)
#define TREE_STATE VEER_REGION(uint8_t, TREE_STATE)

/* Publishes a count: everything written before is there when it is read. */
#define PUBLISH(field, new_value) __atomic_store_n(&(field), (new_value), __ATOMIC_RELEASE)

static inline uint64_t mask_of(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

static inline uint64_t sign_bit(uint32_t width)
{
    return 1ull << (width - 1);
}

static inline int64_t sign_extend(uint64_t value, uint32_t width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* Whether `b` of the operator is a number, not an operand: the lowest bit of an EXTRACT, the table of a LOOKUP. */
static inline int has_number(uint32_t op)
{
    return op == VEER_OP_EXTRACT || op == VEER_OP_LOOKUP;
}

static inline uint64_t mix(uint64_t low, uint64_t high)
{
    uint64_t hash = (low ^ (high * 0xc2b2ae3d27d4eb4full + (high >> 29))) * VEER_HASH_MULTIPLIER;
    return hash ^ (hash >> 32);
}

/* Fills a memo entry so that an interruption half-way leaves it empty, never wrong. */
static inline void remember(struct memo *memo, uint64_t low, uint64_t high, uint32_t result)
{
    __atomic_store_n(&memo->result, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->low, low, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->high, high, __ATOMIC_RELEASE);
    __atomic_store_n(&memo->result, result, __ATOMIC_RELEASE);
}

static inline const struct veer_node *node_of(uint32_t expression)
{
    return &VEER_NODES[expression];
}

/* state.c */
void veer_engine_ready(void);
/* blocks.c */
void veer_blocks_note(uint32_t path);
uint32_t veer_blocks_state(uint32_t literal, uint32_t kind);
void veer_blocks_file(uint32_t first, uint32_t end);
/* arena.c */
void veer_arena_attach(void);
uint32_t veer_arena_intern(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value);
/* support.c: 0 = no leaf, NONE = no room */
void veer_support_attach(void);
uint32_t veer_support_union(uint32_t left, uint32_t right);
/* simplify.c, simplify_compare.c, simplify_bits.c */
uint32_t veer_simplify(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c);
uint32_t veer_simplify_equal(uint32_t a, uint32_t b);
uint32_t veer_simplify_below(uint32_t op, uint32_t a, uint32_t b);
uint32_t veer_simplify_extract(uint32_t width, uint32_t a, uint32_t low_bit);
uint32_t veer_simplify_concat(uint32_t high, uint32_t low);
uint32_t veer_simplify_extend(uint32_t op, uint32_t width, uint32_t a);
uint32_t veer_simplify_disjoint(uint32_t width, uint32_t a, uint32_t b);
uint64_t veer_odd_inverse(uint64_t odd);
/* semantics.c, floats.c */
uint64_t veer_apply(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b, uint64_t c);
uint64_t veer_apply_float(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b);
uint32_t veer_operand_count(uint32_t op);
/* tables.c */
void veer_tables_attach(void);
uint32_t veer_table_count(uint32_t table);
uint32_t veer_table_width(uint32_t table);
uint64_t veer_table_entry(uint32_t table, uint64_t index);
/* evaluate.c, lanes.c, grid.c */
int veer_cone_build(const uint32_t *roots, uint32_t count);
void veer_lanes_prepare(void);
uint64_t *veer_lanes_column(uint32_t expression);
void veer_lanes_run(uint32_t first, uint32_t end, uint32_t lanes);
int veer_grid_leaf(struct grid *grid, uint32_t leaf, uint64_t parent);
int veer_grid_literal(struct grid *grid, uint32_t literal, uint32_t want);
int veer_grid_make(struct grid *grid);
int veer_grid_next(struct grid *grid, uint8_t *input);
/* leaves.c, ledger.c, contexts.c */
void veer_leaves_attach(void);
void veer_leaf_bounds(uint32_t leaf, struct spans *bounds);
void veer_contexts_attach(void);
/* spans.c, preimage.c */
int veer_spans_solution(uint32_t literal, struct spans *spans);
int veer_spans_intersect(const struct spans *left, const struct spans *right, struct spans *both);
int veer_spans_complement(const struct spans *spans, uint32_t width, struct spans *rest);
int veer_spans_contain(const struct spans *spans, uint64_t value);
uint64_t veer_spans_nearest(const struct spans *spans, uint64_t near, uint32_t width);
/* trail.c */
void veer_trail_reset(void);
void veer_trail_pop(uint32_t depth);
int veer_trail_push(uint32_t node, uint32_t kind, uint32_t site, uint32_t literal, uint32_t alternative);
void veer_trail_seek(uint32_t node);
void veer_trail_byte_domain(uint32_t leaf, struct byte_set *set);
void veer_trail_spans_domain(uint32_t leaf, struct spans *spans);
int veer_trail_allows(uint32_t leaf, uint64_t value);
/* ladder.c and its rungs */
enum verdict veer_ladder(uint32_t literal, uint32_t want, const uint8_t *parent, uint32_t parent_length, uint8_t *input,
                         uint32_t *length);
enum verdict veer_rung_domain(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length);
enum verdict veer_rung_interval(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length);
enum verdict veer_rung_invert(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_recent(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_order(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_pairs(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_enumerate(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_ranges(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
enum verdict veer_rung_linear(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
/* ranges.c, float_ranges.c */
int veer_ranges_build(const uint32_t *roots, uint32_t count);
struct range veer_range_of(uint32_t expression);
struct range veer_integer_range(const struct range *range, uint32_t width);
void veer_signed_hull(uint32_t expression, __int128 *least, __int128 *greatest);
int veer_float_range(const struct veer_node *node, const struct range *given, struct range *range);
/* slice.c */
int veer_slice_build(uint32_t literal);
int veer_slice_holds(uint32_t literal, uint32_t want, const uint8_t *input, uint32_t length);
void veer_slice_restore(uint8_t *input);
/* tree.c, paths.c */
void veer_tree_attach(void);
void veer_paths_attach(void);
int veer_tree_record(uint32_t target, uint32_t outcome);
int veer_tree_room(uint32_t input_length);
void veer_tree_trim_trace(void);
void veer_path_expect(void);
uint32_t veer_path_begin(uint32_t outcome, uint32_t adds, uint32_t flags);
void veer_path_finish(uint32_t path, uint32_t node, uint32_t flags);
#endif
