/* The tracer's private state and the functions that its files call among themselves. All state lies in one struct at
   VEER_PRIVATE_BASE, so that a wild write in the unit's data cannot reach it by a small offset. */
#ifndef VEER_TRACER_H
#define VEER_TRACER_H
#include <setjmp.h>
#include <stdint.h>

#include "engine/arena.h"
#include "engine/attachment.h"
#include "engine/blocks.h"
#include "engine/byte_set.h"
#include "engine/contexts.h"
#include "engine/division.h"
#include "engine/evaluate.h"
#include "engine/executes.h"
#include "engine/expand.h"
#include "engine/leaves.h"
#include "engine/ledger.h"
#include "engine/support.h"
#include "engine/tables.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

/* Addresses of the tracer's own mappings; everything from VEER_OWN_BEGIN to VEER_OWN_END belongs to veer. */
#define VEER_OWN_BEGIN VEER_SHADOW_BASE
#define VEER_OWN_END 0x400000000000ull
#define VEER_SNAPSHOT_BASE 0x210000000000ull
#define VEER_GLOBALS_BASE 0x220000000000ull
#define VEER_NATIVE_STACK_BASE 0x400000000000ull
#define VEER_NATIVE_STACK_SIZE 0x10000000ull
#define VEER_SHADOW_SIZE ((4ull << VEER_LOW_BITS) + VEER_PAGE)
#define VEER_LOW_END (1ull << VEER_LOW_BITS)
#define VEER_NULL_END 0x10000ull

#define VEER_REDZONE 16u
#define VEER_MAX_CHUNKS (1u << 20)
#define VEER_MAX_LOCALS (1u << 17)
#define VEER_MAX_INPUT_OBJECTS (1u << 14)
#define VEER_MAX_POOL_OBJECTS 256u
#define VEER_MAX_ROOTS (1u << 14)
#define VEER_MAX_DIRTY 4096u
#define VEER_MAX_HOT_PAGES (1u << 15)
#define VEER_MAX_EXTERNALS 256u
#define VEER_MAX_PINS 1024u
#define VEER_KNOWN_NAMES 256u
#define VEER_LEAF_POOL (1u << 18)
#define VEER_MOST_CHOICES 0xffffu /* alternatives of a pointer leaf; less by the number of the union's member that it is */
#define VEER_MAX_OFFERED 6 /* pointers of other members that share the place of one leaf of a union */
#define VEER_UNION_OFFSET 0x40000000u /* added to the offset of such a place: which of several pointers lies there */
#define VEER_MAX_WAITING 1024u /* pointers whose alternatives are fixed before the entry is called */
#define VEER_MAX_CANDIDATES (1u << 17) /* objects that undecided pointers may lead to, all in all */
#define VEER_MAX_CELLS (1u << 16) /* of one object that an access at a symbolic index may touch */
#define VEER_MAX_WRITTEN 256u /* cells that a write at a symbolic index changes */
#define VEER_KNOWN_TABLES 64u
#define VEER_MAX_EXTENTS 4096u /* objects of symbolic size in one run */
#define VEER_MAX_LEVELS 64u /* nested activations with symbols of their own */
#define VEER_MAX_ASIDE (1u << 14)
#define VEER_SLOT_TABLE (1u << 21)
#define VEER_SLOT_INDEX_BASE 0x170000000000ull /* index + 1 into the region `slots` */
#define VEER_OWNERS_BASE 0x180000000000ull
#define VEER_HEAP_STRETCH 64u /* bytes of the heap for which the first block is indexed */

enum veer_chunk_state { VEER_CHUNK_LIVE = 1, VEER_CHUNK_FREED = 2, VEER_CHUNK_RESERVED = 3 };

/* Of the object that is a pointer input's own: it may come to be, it is there, or the pointer leads elsewhere. */
enum veer_object_state { VEER_OBJECT_POSSIBLE = 0, VEER_OBJECT_MADE = 1, VEER_OBJECT_NEVER = 2 };

/* One block of the unit's heap, in the order of addresses. */
struct veer_chunk {
    uint32_t address;
    uint32_t size;
    uint32_t reserved;     /* addresses kept for it; more than `size` for inputs whose length varies */
    uint32_t site;         /* who allocated it */
    uint32_t freed_site;
    uint32_t input_object; /* index + 1 into input_objects, 0 = the unit's own */
    uint32_t state;
    uint32_t marked; /* leak check: reachable */
    uint32_t extent; /* index + 1 into extents: its size is symbolic; 0 = it is not */
};

/* The locals of one activation, or one alloca. */
struct veer_local_frame {
    uint32_t base;
    uint32_t total;
    uint32_t count;
    uint32_t single[2]; /* an alloca's layout; `layout` is NULL then */
    const uint32_t *layout;
    uint32_t extent; /* an alloca of symbolic size: index + 1 into extents, 0 = none */
    uint32_t reserved; /* an alloca's room */
};

/* The size of an object, as a term of 64 bits. */
struct veer_sized {
    uint64_t size;  /* in this run */
    uint64_t known; /* decided to be at least this */
    uint32_t term;
    uint32_t spare;
};

/* An object that a pointer input leads to, or may lead to. */
struct veer_input_object {
    uint32_t object; /* id in the campaign's table, once it is made */
    uint32_t chunk;
    const struct veer_type *pointer; /* through which type it was made */
    uint32_t element_size;
    uint32_t count;         /* elements that it has in this run */
    uint32_t known;         /* STRING, LENGTH: so many elements are known to exist by decisions */
    uint32_t first_leaf;    /* STRING: index into leaf_pool of the leaf of character 0 */
    uint32_t length_leaf;   /* LENGTH: leaf that holds the length, or NONE */
    uint64_t length_value;
    uint32_t depth;
    uint32_t leaf;  /* the pointer whose fresh object it is */
    uint32_t state; /* enum veer_object_state */
    uint32_t is_filled; /* its contents are inputs of this run: from its making on, eagerly before */
    uint32_t is_settled; /* which elements there are was decided before the call (settled.c) */
};

/* Where a value belongs: the campaign's object, the byte offset in it, how many pointers lead to it. */
struct veer_place {
    uint32_t object, offset, depth;
};

/* What is known about a leaf in the run under way; valid if `epoch` is the run's. */
struct veer_leaf_state {
    /* what every run touches of every leaf comes first, close together */
    uint32_t epoch;
    uint32_t known_epoch;  /* run of `known` */
    struct byte_set known; /* narrow leaves: the values that decisions have left */
    uint32_t object;       /* elements of STRING and LENGTH inputs: index + 1 into input_objects */
    uint32_t depth; /* of the object that holds it */
    const struct veer_type *type; /* undecided pointers */
    uint64_t pointer; /* where a pointer leads in this run */
    uint64_t possible; /* undecided pointers: bit k = alternative k is not excluded by the run's decisions */
    uint32_t loaded_epoch, constrained_epoch, decided_epoch; /* runs in which the pointer was met, asked about, decided */
    uint32_t type_epoch; /* run in which `type` was set */
    uint32_t term;       /* undecided pointers: the address as a term over the leaf */
    uint32_t alternative;
    uint32_t own;        /* index + 1 into input_objects: alternative 1, 0 = none */
    uint32_t first_candidate, candidates; /* alternatives 2, 3, ...: a part of tracer.candidates */
    uint32_t planned_epoch; /* eager.c: run in which the alternatives were fixed before the entry was called */
    uint32_t shared_epoch, shared; /* unions.c: the leaf to which the pointers are offered that share this leaf's bytes */
    uint32_t offered_epoch, read_epoch, taken_epoch;
    uint8_t offered, taken, members[VEER_MAX_OFFERED]; /* numbers of pointers, from 1 on; `taken`: 0 = what was made */
    const struct veer_type *unite;
    struct veer_place holder_place;
    uint32_t holder;        /* of a planned pointer: index + 1 into input_objects of the object that holds it, 0 = a root */
};

/* The inputs of one name in the run under way. */
struct veer_root {
    const char *name;
    uint32_t epoch;
    uint32_t occurrences;
    uint32_t leaf; /* of the last scalar made under that name, or NONE */
    uint32_t hash;
};

/* What is known of a library's function. */
enum veer_fact {
    VEER_OUTPUT_ONLY = 1,
    VEER_READER = 2,
    VEER_SHALLOW = 4,
    VEER_FORBIDDEN = 8,
    VEER_HANDLERS = 16,
    VEER_KILLS = 32,
    VEER_RAISES = 64,
    VEER_MATHEMATICAL = 128,
    VEER_ANSWERS = 256 /* of this call: the program computes with the result */
};
struct veer_known_name {
    const char *name;
    uint32_t facts;
};

/* A call of an uninstrumented function that has not returned yet. */
struct veer_external_call {
    uint32_t depth;
    uint32_t site;
    uint32_t count;
    uint32_t writes;
    uint32_t facts;
    int64_t steps;       /* budget at its beginning: less at its end means that it called back */
    uint64_t stack_mark; /* where locals of functions that it calls back begin */
    uint64_t values[VEER_MAX_ARGUMENTS];
};

struct veer_range {
    uint32_t begin, end;
};

/* An object that a call sequence works on: its address, the pool of its type, its number in the pool from 1 on. */
struct veer_pool_object {
    uint64_t address;
    uint32_t pool;
    uint32_t number;
};

/* An object of any kind, as found around an address. */
struct veer_found {
    uint64_t base;
    uint64_t size;
    uint64_t capacity; /* size that does not depend on the run's input: bounds are stated with it */
    const char *region; /* "heap", "global", "local"; NULL = nothing found */
    const char *name;
    struct veer_chunk *chunk;
    struct veer_input_object *input;
    struct veer_sized *extent; /* its size is symbolic; NULL = it is not */
};

/* The cells of an object that one access may touch: cell k, of `size` bytes at first + k * stride, if index == k. The access is known
   to lie within the object. */
struct veer_cells {
    uint64_t first, stride;
    uint32_t index, count, size;
    uint32_t is_constant; /* the object is never written */
};

/* The table of cells of a constant object. */
struct veer_known_table {
    uint64_t first, stride;
    uint32_t count, size, table;
};

/* The activation of a function that is executed over symbols of its own (levels.c). */
struct veer_level {
    uint32_t serial, function, recursion, calls, events, changed, argument_count, uses_stack;
    uint64_t mark; /* its locals lie from here on */
    uint64_t arguments[VEER_MAX_ARGUMENTS];
};

/* The shadow words of a cell as the caller had them. */
struct veer_set_aside {
    uint32_t address, size, words[8];
};

enum { VEER_DECLARED_LISTS = 1024 };

/* Of a byte of memory: the last activation that declared, or may write, it. */
struct veer_owner {
    uint32_t declared, written;
};

struct veer_tracer {
    int command, reply, errors;
    uint32_t declared_listed; /* so many records of DECLARED are in the lists by function (declared.c) */
    uint16_t declared_first[VEER_DECLARED_LISTS], declared_next[VEER_DECLARED_CAPACITY];
    uint32_t verify;
    uint32_t show_output;
    uint32_t epoch;
    uint32_t in_run;
    uint32_t untrusted;       /* this process must be renewed */
    uint32_t handlers_dirty;  /* the unit may have replaced our signal handlers */
    uint32_t trace_full;
    uint32_t has_pins; /* whether the run has pinned a term, see veer_is_pinned */
    uint32_t initial_length;  /* of the run's input before leaves were added */
    uint32_t stack_end;       /* highest address that locals of this run used */
    uint32_t graph_depth, maximum_objects, root_depth;
    uint32_t chunk_count, local_count, input_object_count, leaf_pool_count, extent_count, external_count, choice_count;
    uint32_t heap_top;
    uint32_t heap_stretches; /* so many entries of first_chunks are the run's */
    uint64_t heap_used;
    uint32_t dirty_count, dirty_overflow;
    uint32_t hot_page_count;
    uint32_t global_count;
    uint32_t has_extents;
    uint32_t settles; /* pointers that are made now are decided before the call (settled.c) */
    uint32_t settled_records; /* so many records of DECLARED were known then */
    uint32_t untouched; /* word of concrete bytes whose existence nobody has asked for yet: a constant's id */
    uint32_t foreign_site, foreign_depth; /* the last access of instrumented code outside of the unit's memory */
    uint32_t candidate_count, made_objects;
    uint32_t has_unions; /* unions.c: whether pointers were offered in this run */
    uint32_t is_eager, waiting_count, holder; /* eager.c: whether pointers that are made are listed, and within which object */
    uint32_t waiting[VEER_MAX_WAITING];
    uint64_t choice_hash; /* of the alternatives of pointers: a part of the path's identity */
    uint32_t candidates[VEER_MAX_CANDIDATES]; /* indices into input_objects */
    uint32_t making; /* STRING or LENGTH input whose elements are being made: index + 1 into input_objects */
    uint64_t data_begin, data_end, const_begin, const_end, image_begin, image_end, text_end;
    uint64_t cold_begin, cold_end; /* whole pages of the data section that are write-protected until first written */
    struct veer_global *globals;
    uint32_t pool_count, receiver; /* objects in `pools`; index of the one that the call under way was given first */
    struct veer_pool_object pools[VEER_MAX_POOL_OBJECTS];
    jmp_buf end;
    struct veer_report scratch_report;
    struct veer_range dirty[VEER_MAX_DIRTY];
    uint32_t hot_pages[VEER_MAX_HOT_PAGES];
    struct veer_root roots[VEER_MAX_ROOTS];
    struct veer_known_name known_names[VEER_KNOWN_NAMES];
    struct veer_external_call externals[VEER_MAX_EXTERNALS];
    struct veer_input_object input_objects[VEER_MAX_INPUT_OBJECTS];
    struct veer_sized extents[VEER_MAX_EXTENTS];
    uint32_t leaf_pool[VEER_LEAF_POOL];
    struct veer_local_frame locals[VEER_MAX_LOCALS];
    struct veer_chunk chunks[VEER_MAX_CHUNKS];
    uint32_t first_chunks[VEER_HEAP_SIZE / VEER_HEAP_STRETCH + 1]; /* the first block that begins in this stretch or behind it */
    struct veer_known_table known_tables[VEER_KNOWN_TABLES];
    uint32_t level_count, outer_calls, level_serial, aside_count, slots_known, has_owners, first_serial;
    struct veer_level levels[VEER_MAX_LEVELS];
    struct veer_set_aside aside[VEER_MAX_ASIDE];
    uint8_t entries[8 * VEER_MAX_CELLS]; /* of the table that is being made */
    struct veer_leaf_state leaves[VEER_LEAVES_CAPACITY];
    uint32_t literal_marks[VEER_NODES_CAPACITY]; /* epoch of the run that decided the literal, or pinned the term */
    uint8_t coverage_copy[VEER_COVERAGE_SIZE];
};
_Static_assert(sizeof(struct veer_tracer) < 0x0f000000, "the tracer's state must fit below the engine's");
#define TRACER ((struct veer_tracer *)VEER_PRIVATE_BASE)
#define VEER_SIGNAL_STACK (VEER_PRIVATE_BASE + 0x0f100000ull)
#define VEER_SIGNAL_STACK_SIZE 0x40000ull

static inline int veer_symbolic(uint32_t shadow) { return shadow >= VEER_FIRST_EXPRESSION; }
static inline uint32_t *veer_words(uint64_t address) { return VEER_SHADOW + address; }
static inline int veer_own_address(uint64_t address) { return address >= VEER_OWN_BEGIN && address < VEER_OWN_END; }

/* Whether the run has made as many decisions as are negated (control.max_depth): later ones are not recorded, and the run goes on
   concretely. The one after the last that is negated is still in the trace, so that the tree shows the bound. */
static inline int veer_past_bound(void) {
    const struct veer_control *control = VEER_CONTROL;
    return control->max_depth && control->trace_count > control->max_depth;
}

/* The head of a function whose address the unit may take and call: its entry carries the mark. */
#define VEER_QUOTE(text) #text
#define VEER_QUOTED(text) VEER_QUOTE(text)
#define VEER_MARKED(type, name, ...)                                                                            \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.quad " VEER_QUOTED(VEER_FUNCTION_MARK) ", " VEER_QUOTED(         \
        VEER_FUNCTION_MARK) "\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tjmp " #name        \
                            "_body\n\t.size " #name ", . - " #name "\n\t.popsection");                          \
    __attribute__((used)) type name##_body(__VA_ARGS__);                                                        \
    type name##_body(__VA_ARGS__)

/* A function's own argument shadows, as the caller left them for the function at address `self`. */
static inline uint32_t veer_argument(const void *self, unsigned index) {
    return VEER_HOT->callee == (uint64_t)(uintptr_t)self ? VEER_HOT->arguments[index] : 0;
}

/* -- events.c */
uint32_t veer_context(void);
/* Site of the innermost call under way. */
static inline uint32_t veer_here(void) {
    return VEER_HOT->depth > 0 ? VEER_HOT->frames[VEER_HOT->depth - 1].site : VEER_NONE;
}

/* veer_settle, whose answer is known at once for what is no pointer: nearly everything. */
static inline uint32_t veer_settle_here(uint32_t shadow) {
    return veer_symbolic(shadow) && VEER_NODES[shadow].width == 64 ? veer_settle(shadow, veer_here()) : shadow;
}

uint32_t veer_user_site(uint32_t site); /* a site of veer's own libc as the call that led there */
void veer_event(uint32_t kind, uint32_t literal, uint32_t holds, uint32_t site);
void veer_mix_choice(uint32_t leaf, uint32_t alternative);
uint64_t veer_path_identity(void);
void veer_choice_event(uint32_t leaf, uint32_t alternatives, uint32_t alternative, uint32_t flags, uint32_t site);
void veer_verify_value(uint32_t expression, uint64_t value);
/* Checks, if VEER_VERIFY is set, that an expression has its concrete value under the run's input. */
static inline void veer_verify(uint32_t expression, uint64_t value) {
    if (TRACER->verify) veer_verify_value(expression, value);
}

/* -- known.c */
int veer_learn(uint32_t literal, uint32_t holds);

/* -- values.c */
int veer_was_pinned(uint32_t term);
/* Whether the term has one value on this run's path, since it was pinned, or extends one that has. Terms of width 1 are literals,
   which are marked when they are decided. */
static inline int veer_is_pinned(uint32_t term) { return TRACER->has_pins && veer_was_pinned(term); }
uint32_t veer_operand(uint32_t width, uint32_t shadow, uint64_t value);
uint32_t veer_result_shadow(uint32_t expression);
static inline uint64_t veer_mask(uint32_t width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }

/* -- objects.c */
struct veer_found veer_find_object(uint64_t address);
int veer_foreign(uint64_t address);
_Noreturn void veer_bad_access(uint64_t address, uint64_t size, int is_store, uint32_t site);
_Noreturn void veer_outside(uint64_t address, uint64_t size, int is_store, uint32_t site);
_Noreturn void veer_left_object(const struct veer_found *origin, uint64_t address, uint64_t size, int is_store, uint32_t site);

/* -- shadow.c */
void veer_fill_words(uint64_t address, uint64_t size, uint32_t word);
void veer_note_dirty(uint64_t address, uint64_t size);
void veer_require(uint64_t address, uint64_t size, int is_store, uint32_t site);
void veer_decide_range(uint64_t address, uint64_t size, uint32_t site);
void veer_touch_range(uint64_t address, uint64_t size, uint32_t site);
int veer_symbolic_range(uint64_t address, uint64_t size);
int veer_is_undecided(uint64_t address, uint64_t size);
uint64_t veer_first_zero(uint64_t address, uint64_t size);
uint32_t veer_gather(uint64_t address, uint32_t size);

/* -- resolve.c, cells.c */
int veer_locate(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site, struct veer_cells *cells);
uint64_t veer_resolve(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site);
uint32_t veer_read_cells(const struct veer_cells *cells);
int veer_write_cells(const struct veer_cells *cells, uint32_t value);

/* -- inputs.c, pointers.c */
void veer_inputs_begin(void);
uint32_t veer_make_value(uint64_t address, const struct veer_type *type, struct veer_place place);
uint64_t veer_make_leaf(uint64_t address, struct veer_place place, uint32_t width, uint32_t kind, uint64_t low, uint64_t high,
                        uint32_t *made);
uint64_t veer_leaf_input(uint32_t leaf, uint64_t alternatives);
void veer_record_leaf(uint32_t leaf);
void veer_record_target(uint32_t leaf);
void veer_touch(uint32_t leaf, uint32_t site);
void veer_element_exists(struct veer_input_object *object, uint64_t index, uint32_t kind, uint32_t site);
void veer_end_is_seen(const struct veer_chunk *chunk, uint64_t size, uint32_t site);
uint32_t veer_concrete_word(const struct veer_found *object);
void veer_behind_choice(const struct veer_found *object, uint32_t site);
uint32_t veer_scalar_leaf(const struct veer_type *type, struct veer_place place);
int veer_varies(const struct veer_input_object *object);
void veer_mark_untouched(uint64_t address, uint64_t size);
struct veer_root *veer_root_of(const char *name);
void veer_initialise_object(struct veer_input_object *object, uint32_t site);
uint32_t veer_reserve_object(uint32_t leaf, const struct veer_type *pointer, uint32_t depth, uint32_t site);
uint64_t veer_object_address(const struct veer_input_object *object);
void veer_make_object(struct veer_input_object *object, uint32_t site);
void veer_fill_object(struct veer_input_object *object, uint32_t site);
uint32_t veer_first_element(const struct veer_input_object *object);
int veer_object_fits(struct veer_input_object *object, const struct veer_type *pointer, uint32_t site);
int veer_may_alias(const struct veer_type *made, const struct veer_type *wanted);

/* -- undecided.c */
uint64_t veer_decide_pointer(uint32_t leaf, uint32_t site);
uint32_t veer_load_pointer(uint64_t address, uint32_t site);
uint32_t veer_pointer_of(uint32_t shadow);
int veer_compare_pointers(uint32_t *sa, uint64_t a, uint32_t *sb, uint64_t b, uint32_t *equal);
void veer_note_literal(uint32_t literal, uint32_t holds);
int veer_plan_pointer(uint32_t leaf, int is_there, uint32_t site);
int veer_is_there(const struct veer_input_object *object);

/* -- unions.c */
void veer_make_pointer(uint64_t address, const struct veer_type *type, struct veer_place place, uint32_t member);
void veer_offer_members(uint64_t address, const struct veer_type *type, struct veer_place place);
void veer_take_member(uint64_t address, uint32_t is_pointer, uint32_t name, uint32_t site);
int veer_is_offered(uint64_t address);
void veer_read_member(uint64_t address, uint32_t size, uint32_t site);

/* -- eager.c */
void veer_wait_for_plan(uint32_t leaf);

/* -- sequence.c */
void veer_sequence_begin(void);

/* -- extents.c */
uint64_t veer_size_class(uint32_t term, uint64_t size, const uint64_t *bounds, uint32_t site);
uint32_t veer_new_extent(uint32_t term, uint64_t size, uint32_t site);
void veer_extent_reaches(struct veer_sized *extent, uint64_t end, uint32_t site);
int veer_extent_holds(struct veer_sized *extent, uint32_t offset, uint64_t offset_value, uint64_t size, uint32_t site);

/* -- library.c, external.c */
uint32_t veer_library_facts(const char *name);
int veer_may_be_overwritten(uint64_t address);

/* -- heap.c */
struct veer_chunk *veer_new_chunk(uint64_t size, uint64_t reserved, uint64_t alignment, uint32_t site);
struct veer_chunk *veer_chunk_before(uint64_t address);
void veer_heap_begin(void);
void veer_check_leaks(void);

/* -- locals.c */
void veer_locals_begin(void);
struct veer_local_frame *veer_local_before(uint64_t address);

/* -- globals.c */
void veer_register_globals(void);
void veer_restore_globals(void);
int veer_warm_page(uint64_t address);
void veer_warm_range(uint64_t address, uint64_t size);
struct veer_global *veer_global_before(uint64_t address);

/* -- levels.c, declared.c, slots.c */
void veer_levels_begin(void);
void veer_levels_use_stack(void);
void veer_level_access(uint64_t address, uint64_t size, int is_store);
void veer_refuse_levels(uint32_t reason);
int veer_must_settle(uint32_t leaf);
int veer_is_root_pointer(uint32_t leaf); /* settled.c */
uint32_t veer_slot(const struct veer_slot *wanted);
void veer_crossing(const struct veer_crossed *crossing);

/* -- endings.c, signals.c */
struct veer_report *veer_report_begin(uint32_t outcome, uint32_t site);
_Noreturn void veer_finish(uint32_t outcome);
_Noreturn void veer_end_run(uint32_t outcome, uint32_t site, const char *message);
void veer_install_handlers(void);
#endif
