/* Inside the native library: the engine (arena, leaves, contexts, evaluator, ladder, tree, expand) on one side, the tracer (trace,
   shadow, inputs, heap, runs) on the other. In an executor VEER_SHARED is a constant address; in the shared library that
   Python loads (-DVEER_LIBRARY) it is a pointer set by veer_attach. */
#ifndef VEER_ENGINE_H
#define VEER_ENGINE_H
#include "veer_wire.h"

#ifdef VEER_LIBRARY
extern uint8_t *veer_shared;
void veer_attach(void *shared);
#define VEER_SHARED veer_shared
#else
#define VEER_SHARED ((uint8_t *)(uintptr_t)VEER_SHARED_BASE)
#endif
#define VEER_CONTROL ((struct veer_control *)VEER_SHARED)
#define VEER_REGION(type, NAME) ((type *)(VEER_SHARED + VEER_##NAME##_OFFSET))
#define VEER_NODES VEER_REGION(struct veer_node, NODES)
#define VEER_LEAVES VEER_REGION(struct veer_leaf, LEAVES)
#define VEER_OBJECTS VEER_REGION(struct veer_object, OBJECTS)
#define VEER_TRACE VEER_REGION(struct veer_event, TRACE)
#define VEER_PATHS VEER_REGION(struct veer_path, PATHS)
#define VEER_INPUTS VEER_REGION(uint8_t, INPUTS)
#define VEER_REPORTS VEER_REGION(struct veer_report, REPORTS)
#define VEER_IDS VEER_REGION(uint32_t, IDS)

/* -- arena (engine/arena.c, engine/simplify.c) --------------------------------------------------------------
   Each returns an expression's id >= 2, hash-consed over the whole campaign and simplified. 0 = the arena is full
   (a CAPACITY loss has been noted): the caller goes on concretely. Simplification never changes the value under
   any input. Constants have an id too. */
uint32_t veer_constant(uint32_t width, uint64_t value);
uint32_t veer_leaf_expression(uint32_t leaf);
uint32_t veer_slot_expression(uint32_t slot);
uint32_t veer_expression(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c);
/* The number `b` of LOOKUP: the table of these entries of 1, 2, 4 or 8 bytes. 0 = no room (engine/tables.c). */
uint32_t veer_intern_table(const void *entries, uint32_t count, uint32_t entry_bytes);
int veer_is_constant(uint32_t expression, uint64_t *value);

/* -- leaves, objects, names, contexts (engine/leaves.c, engine/contexts.c): interned for the campaign; NONE = full - */
uint32_t veer_intern_name(const char *name); /* its offset in `names` */
uint32_t veer_intern_object(uint32_t via, const char *name, uint32_t occurrence, uint32_t type);
uint32_t veer_intern_leaf(uint32_t object, uint32_t offset, uint32_t width, uint32_t kind, uint64_t minimum, uint64_t maximum);
uint64_t veer_leaf_clamp(const struct veer_leaf *leaf, uint64_t value); /* as near as its bounds let it be */
uint32_t veer_intern_context(uint32_t parent, uint32_t site); /* context 0 = the empty call string */

/* -- what an expression depends on (engine/support.c, engine/domain.c) --------------------------------------- */
uint32_t veer_support_leaves(uint32_t support, const uint32_t **leaves, uint32_t *single);
/* A set of values of a leaf of at most 8 bits. */
struct byte_set {
    uint64_t word[4];
};
const struct byte_set *veer_byte_solution(uint32_t literal, uint32_t leaf, struct byte_set *scratch);

/* 1 to 8 bytes as a number; a copy of a size that is not known would be a call. */
static inline uint64_t veer_read_bytes(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 1: return *from;
    case 2: __builtin_memcpy(&value, from, 2); break;
    case 4: __builtin_memcpy(&value, from, 4); break;
    case 8: __builtin_memcpy(&value, from, 8); break;
    default: __builtin_memcpy(&value, from, bytes); break;
    }
    return value;
}

/* -- evaluator (engine/evaluate.c) ---------------------------------------------------------------------------
   Value of an expression under an input (bytes beyond `length` count as 0). Memoised within one generation; a new input
   wants veer_evaluate_begin. */
void veer_evaluate_begin(const uint8_t *input, uint32_t length);
uint64_t veer_evaluate(uint32_t expression);
uint64_t veer_leaf_value(uint32_t leaf, const uint8_t *input, uint32_t length);
void veer_set_leaf(uint32_t leaf, uint64_t value, uint8_t *input);
/* Quotient and remainder of 128 bits (engine/division.c). */
unsigned __int128 veer_divide(unsigned __int128 dividend, unsigned __int128 divisor, unsigned __int128 *rest);

/* -- ledger and reports (engine/ledger.c) -------------------------------------------------------------------- */
void veer_note_loss(uint32_t kind, uint32_t site);

/* -- the loop (engine/tree.c, engine/ladder*.c, engine/expand.c) --------------------------------------------- */
enum veer_reply veer_command_run(void);
enum veer_reply veer_command_expand(void);
enum veer_reply veer_command_follow(void);
enum veer_reply veer_command_dfs(void);
enum veer_reply veer_command_rescan(void);
enum veer_reply veer_command_again(void);
enum veer_reply veer_command_release(void); /* engine/blocks.c */

/* -- what the engine asks of the tracer (tracer/run.c; tests give a fake one) --------------------------------
   One run with the input at VEER_INPUTS + control.input_bytes, control.current_length bytes long. The run may
   lengthen it (leaves beyond its end are filled in place). Leaves the decisions in VEER_TRACE[0 : control.trace_count],
   control.current_hash, last_outcome, last_report (a report that is not yet published, or NONE). Returns 1 if this process must be
   renewed before the next run. */
int veer_execute(void);
uint64_t veer_now(void); /* nanoseconds, monotonic */
void veer_drop_new_edges(void); /* after a run that is none of the campaign's: the next one is to find its own edges alone */
int veer_take_new_edges(void); /* after a run: how many edges it covered that none before did; marks them in edge_seen */
#endif
