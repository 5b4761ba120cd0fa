/* Generated from src/veer/wire/layout.py by `python -m veer.wire.header`; do not edit. */
#ifndef VEER_WIRE_H
#define VEER_WIRE_H
#include <stddef.h>
#include <stdint.h>

#define VEER_VERSION 0x1u
#define VEER_MAGIC 0x56454552u
#define VEER_PLAIN_BEGIN 0xf00000u
#define VEER_PLAIN_END 0x8000000u
#define VEER_HEAP_BASE 0x20000000u
#define VEER_HEAP_SIZE 0x40000000u
#define VEER_STACK_BASE 0x60000000u
#define VEER_STACK_SIZE 0x10000000u
#define VEER_COVERAGE_BASE 0x7d000000u
#define VEER_COVERAGE_SIZE 0x1000000u
#define VEER_HOT_BASE 0x7f000000u
#define VEER_FLOWS_BASE 0x7f800000u
#define VEER_SHADOW_BASE 0x100000000000ull
#define VEER_FLOW_SHADOW_BASE 0x110000000000ull
#define VEER_LOW_BITS 0x1fu
#define VEER_PRIVATE_BASE 0x200000000000ull
#define VEER_SHARED_BASE 0x300000000000ull
#define VEER_PAGE 0x1000u
#define VEER_SHADOW_UNADDRESSABLE 0x0u
#define VEER_SHADOW_CONCRETE 0x1u
#define VEER_FIRST_EXPRESSION 0x2u
#define VEER_FRAGMENT_SHIFT 0x1cu
#define VEER_EXPRESSION_MASK 0xfffffffu
#define VEER_NONE 0xffffffffu
#define VEER_TARGET_MARK 0x80000000u
#define VEER_MAX_STACK_SHOWN 0x20u
#define VEER_MAX_ARGUMENTS 0x800u
#define VEER_MAX_DEPTH 0xfde8u
#define VEER_MET_PLACES 0x1fu
#define VEER_MAX_SPECIFICATIONS 0x20u
#define VEER_SPECIFICATION_STATES 0x400u
#define VEER_HASH_MULTIPLIER 0x9e3779b97f4a7c15ull
#define VEER_GOES_ON 0xffffffffu
#define VEER_BEGINS 0xfffffffeu
#define VEER_POINTS 0xfffffffdu

enum veer_op { VEER_OP_NONE = 0, VEER_OP_CONST = 1, VEER_OP_LEAF = 2, VEER_OP_ADD = 3, VEER_OP_SUB = 4, VEER_OP_MUL = 5, VEER_OP_UDIV = 6, VEER_OP_SDIV = 7, VEER_OP_UREM = 8, VEER_OP_SREM = 9, VEER_OP_AND = 10, VEER_OP_OR = 11, VEER_OP_XOR = 12, VEER_OP_SHL = 13, VEER_OP_LSHR = 14, VEER_OP_ASHR = 15, VEER_OP_EQ = 16, VEER_OP_ULT = 17, VEER_OP_ULE = 18, VEER_OP_SLT = 19, VEER_OP_SLE = 20, VEER_OP_NOT = 21, VEER_OP_ZEXT = 22, VEER_OP_SEXT = 23, VEER_OP_EXTRACT = 24, VEER_OP_CONCAT = 25, VEER_OP_ITE = 26, VEER_OP_CTPOP = 27, VEER_OP_UMULH = 28, VEER_OP_UDIVL = 29, VEER_OP_UREML = 30, VEER_OP_LOOKUP = 31, VEER_OP_FADD = 32, VEER_OP_FSUB = 33, VEER_OP_FMUL = 34, VEER_OP_FDIV = 35, VEER_OP_FREM = 36, VEER_OP_FNEG = 37, VEER_OP_FABS = 38, VEER_OP_FSQRT = 39, VEER_OP_FOEQ = 40, VEER_OP_FOLT = 41, VEER_OP_FOLE = 42, VEER_OP_FUNO = 43, VEER_OP_FPTOSI = 44, VEER_OP_FPTOUI = 45, VEER_OP_SITOFP = 46, VEER_OP_UITOFP = 47, VEER_OP_FPEXT = 48, VEER_OP_FPTRUNC = 49, VEER_OP_FRINT = 50, VEER_OP_FFLOOR = 51, VEER_OP_FCEIL = 52, VEER_OP_FTRUNC = 53, VEER_OP_FROUND = 54, VEER_OP_SLOT = 55, VEER_OP_UNWRITTEN = 56, VEER_OP_DEFERRED = 57, VEER_OP_FFMA = 58 };

enum veer_predicate { VEER_PREDICATE_EQ = 0, VEER_PREDICATE_NE = 1, VEER_PREDICATE_UGT = 2, VEER_PREDICATE_UGE = 3, VEER_PREDICATE_ULT = 4, VEER_PREDICATE_ULE = 5, VEER_PREDICATE_SGT = 6, VEER_PREDICATE_SGE = 7, VEER_PREDICATE_SLT = 8, VEER_PREDICATE_SLE = 9, VEER_PREDICATE_OEQ = 10, VEER_PREDICATE_OGT = 11, VEER_PREDICATE_OGE = 12, VEER_PREDICATE_OLT = 13, VEER_PREDICATE_OLE = 14, VEER_PREDICATE_ONE = 15, VEER_PREDICATE_ORD = 16, VEER_PREDICATE_UEQ = 17, VEER_PREDICATE_FUGT = 18, VEER_PREDICATE_FUGE = 19, VEER_PREDICATE_FULT = 20, VEER_PREDICATE_FULE = 21, VEER_PREDICATE_UNE = 22, VEER_PREDICATE_UNO = 23 };

enum veer_kind { VEER_KIND_BRANCH = 1, VEER_KIND_CHECK = 2, VEER_KIND_GUARD = 3, VEER_KIND_CHOICE = 4, VEER_KIND_ASSUME = 5 };

enum veer_state { VEER_STATE_UNUSED = 0, VEER_STATE_OPEN = 1, VEER_STATE_TAKEN = 2, VEER_STATE_INFEASIBLE = 3, VEER_STATE_QUEUED = 4, VEER_STATE_UNKNOWN = 5, VEER_STATE_DIVERGED = 6, VEER_STATE_PRUNED = 7, VEER_STATE_ASSUMED = 8, VEER_STATE_CUT = 9, VEER_STATE_ELSEWHERE = 10, VEER_STATE_HELD = 11 };

enum veer_switch { VEER_SWITCH_LADDER = 1, VEER_SWITCH_EVENTS = 2 };

enum veer_outcome { VEER_OUTCOME_NONE = 0, VEER_OUTCOME_RETURNED = 1, VEER_OUTCOME_EXITED = 2, VEER_OUTCOME_ABORTED = 3, VEER_OUTCOME_ASSERTION = 4, VEER_OUTCOME_SEGFAULT_NULL = 5, VEER_OUTCOME_SEGFAULT_WILD = 6, VEER_OUTCOME_STACK_OVERFLOW = 7, VEER_OUTCOME_DIVISION = 8, VEER_OUTCOME_BOUNDS_READ = 9, VEER_OUTCOME_BOUNDS_WRITE = 10, VEER_OUTCOME_USE_AFTER_FREE = 11, VEER_OUTCOME_DOUBLE_FREE = 12, VEER_OUTCOME_BAD_FREE = 13, VEER_OUTCOME_UNDEFINED = 14, VEER_OUTCOME_LEAK = 15, VEER_OUTCOME_HANG = 16, VEER_OUTCOME_ASSUMPTION = 17, VEER_OUTCOME_MEMORY_LIMIT = 18, VEER_OUTCOME_OUTPUT_LIMIT = 19, VEER_OUTCOME_CAPACITY = 20, VEER_OUTCOME_KILLED = 21, VEER_OUTCOME_ILLEGAL = 22, VEER_OUTCOME_UNREACHABLE = 23, VEER_OUTCOME_UNSUPPORTED = 24, VEER_OUTCOME_QUOTIENT = 25, VEER_OUTCOME_UNINITIALISED = 26, VEER_OUTCOME_VIOLATED = 27, VEER_OUTCOME_DIFFERS = 28 };

enum veer_part { VEER_PART_ENDING = 0, VEER_PART_RESULT = 1, VEER_PART_VARIABLE = 2, VEER_PART_OBJECT = 3, VEER_PART_CALL = 4, VEER_PART_ARGUMENT = 5, VEER_PART_BEHIND = 6 };

enum veer_loss { VEER_LOSS_EXTERNAL = 1, VEER_LOSS_UNSUPPORTED = 2, VEER_LOSS_ADDRESS = 3, VEER_LOSS_SOLVER = 4, VEER_LOSS_CAPACITY = 5, VEER_LOSS_DIVERGENCE = 6, VEER_LOSS_WIDE = 7, VEER_LOSS_FLOAT = 8, VEER_LOSS_CLOCK = 9, VEER_LOSS_STUB = 10, VEER_LOSS_GIVEN_UP = 11, VEER_LOSS_REFUSED = 12, VEER_LOSS_SANDBOX = 13, VEER_LOSS_ARBITRARY = 14 };

enum veer_table { VEER_TABLE_ARENA = 1, VEER_TABLE_LEAVES = 2, VEER_TABLE_OBJECTS = 3, VEER_TABLE_NAMES = 4, VEER_TABLE_CONTEXTS = 5, VEER_TABLE_NODES = 6, VEER_TABLE_PATHS = 7, VEER_TABLE_INPUTS = 8, VEER_TABLE_TRACE = 9, VEER_TABLE_QUEUE = 10, VEER_TABLE_REPORTS = 11, VEER_TABLE_HOLES = 12, VEER_TABLE_TRAIL = 13, VEER_TABLE_SUPPORTS = 14, VEER_TABLE_INTERESTING = 15, VEER_TABLE_TABLES = 16, VEER_TABLE_FLOWS = 17, VEER_TABLE_CROSSINGS = 18 };

enum veer_flowkind { VEER_FLOWKIND_INPUT = 0, VEER_FLOWKIND_VALUE = 1, VEER_FLOWKIND_STORE = 2, VEER_FLOWKIND_TEST = 3, VEER_FLOWKIND_LOAD = 4, VEER_FLOWKIND_JOIN = 5, VEER_FLOWKIND_CALL = 6, VEER_FLOWKIND_END = 7, VEER_FLOWKIND_LITERAL = 8 };

enum veer_crossing { VEER_CROSSING_ENTER = 1, VEER_CROSSING_ARGUMENT = 2, VEER_CROSSING_OBJECT = 3, VEER_CROSSING_CELL = 4, VEER_CROSSING_RESULT = 5, VEER_CROSSING_OUTPUT = 6, VEER_CROSSING_LEAVE = 7 };

enum veer_refusal { VEER_REFUSAL_NONE = 0, VEER_REFUSAL_INPUT = 1, VEER_REFUSAL_EXTERNAL = 2, VEER_REFUSAL_HEAP = 3, VEER_REFUSAL_LOSS = 4, VEER_REFUSAL_MEMORY = 5, VEER_REFUSAL_LARGE = 6, VEER_REFUSAL_SIGNATURE = 7, VEER_REFUSAL_EXTENT = 8, VEER_REFUSAL_LIMIT = 9, VEER_REFUSAL_FORM = 10, VEER_REFUSAL_OFTEN = 11 };

enum veer_leafkind { VEER_LEAFKIND_UNSIGNED = 1, VEER_LEAFKIND_SIGNED = 2, VEER_LEAFKIND_BOOL = 3, VEER_LEAFKIND_CHAR = 4, VEER_LEAFKIND_FLOAT = 5, VEER_LEAFKIND_CHOICE = 6, VEER_LEAFKIND_BYTE = 7 };

enum veer_bound { VEER_BOUND_NONE = 0, VEER_BOUND_LENGTH = 1, VEER_BOUND_ARRAY = 2, VEER_BOUND_DEPTH = 3, VEER_BOUND_ARGUMENT = 4, VEER_BOUND_INPUT = 5, VEER_BOUND_FILE = 6, VEER_BOUND_FILES = 7, VEER_BOUND_READS = 8, VEER_BOUND_CALLS = 9, VEER_BOUND_STATE = 10, VEER_BOUND_INTERRUPTS = 11, VEER_BOUND_CLOCKS = 12, VEER_BOUND_LONGER = 13, VEER_BOUND_ARGUMENTS = 14 };

enum veer_command { VEER_COMMAND_HELLO = 1, VEER_COMMAND_RUN = 2, VEER_COMMAND_EXPAND = 3, VEER_COMMAND_FOLLOW = 4, VEER_COMMAND_DFS = 5, VEER_COMMAND_QUIT = 6, VEER_COMMAND_RESCAN = 7, VEER_COMMAND_EVALUATE = 8, VEER_COMMAND_AGAIN = 9, VEER_COMMAND_RELEASE = 10, VEER_COMMAND_MUTATE = 11 };

enum veer_reply { VEER_REPLY_DONE = 1, VEER_REPLY_RESTART = 2, VEER_REPLY_FULL = 3 };

enum veer_eventflag { VEER_EVENTFLAG_SETTLED = 1 };

enum veer_pathflag { VEER_PATHFLAG_NEW_EDGE = 1, VEER_PATHFLAG_NEW_PATH = 2, VEER_PATHFLAG_DIVERGED = 4, VEER_PATHFLAG_NEW_BUG = 8, VEER_PATHFLAG_NEW_OUTCOME = 16 };

enum veer_outputkind { VEER_OUTPUTKIND_BEFORE = 1, VEER_OUTPUTKIND_AFTER = 2, VEER_OUTPUTKIND_OBJECT = 3, VEER_OUTPUTKIND_UNWRITTEN = 4, VEER_OUTPUTKIND_CALL = 5, VEER_OUTPUTKIND_ARGUMENT = 6, VEER_OUTPUTKIND_EVENT = 8, VEER_OUTPUTKIND_BEHIND = 7, VEER_OUTPUTKIND_WITNESS = 9, VEER_OUTPUTKIND_MADE = 10, VEER_OUTPUTKIND_FREED = 11, VEER_OUTPUTKIND_POOL = 12, VEER_OUTPUTKIND_ALLOCATED = 13, VEER_OUTPUTKIND_RELEASED = 14 };
#define VEER_RUNG_DOMAIN 0
#define VEER_RUNG_INTERVAL 1
#define VEER_RUNG_RECENT 2
#define VEER_RUNG_INVERT 3
#define VEER_RUNG_ORDER 4
#define VEER_RUNG_ENUMERATE 5
#define VEER_RUNG_CHOICE 6
#define VEER_RUNG_RANGES 7
#define VEER_RUNG_LINEAR 8
#define VEER_RUNG_PAIRS 9
#define VEER_RUNG_FRONTIER 10
#define VEER_RUNG_COUNT 11

struct veer_frame {
    uint32_t site; /* 0 */
    uint32_t context; /* 4 */
};
_Static_assert(sizeof(struct veer_frame) == 8, "veer_frame differs from layout.py");

struct veer_rung {
    uint64_t asked; /* 0 */
    uint64_t sat; /* 8 */
    uint64_t unsat; /* 16 */
    uint64_t nanoseconds; /* 24 */
};
_Static_assert(sizeof(struct veer_rung) == 32, "veer_rung differs from layout.py");

struct veer_node {
    uint8_t op; /* 0 */
    uint8_t width; /* 1 */
    uint16_t flags; /* 2 */
    uint32_t a; /* 4 */
    uint32_t b; /* 8 */
    uint32_t c; /* 12 */
    uint64_t value; /* 16 */
    uint32_t support; /* 24 */
    uint32_t spare; /* 28 */
};
_Static_assert(sizeof(struct veer_node) == 32, "veer_node differs from layout.py");

struct veer_leaf {
    uint32_t object; /* 0 */
    uint32_t offset; /* 4 */
    uint32_t input_offset; /* 8 */
    uint8_t width; /* 12 */
    uint8_t kind; /* 13 */
    uint16_t flags; /* 14 */
    uint64_t minimum; /* 16 */
    uint64_t maximum; /* 24 */
};
_Static_assert(sizeof(struct veer_leaf) == 32, "veer_leaf differs from layout.py");

struct veer_object {
    uint32_t via; /* 0 */
    uint32_t name; /* 4 */
    uint32_t occurrence; /* 8 */
    uint32_t type; /* 12 */
};
_Static_assert(sizeof(struct veer_object) == 16, "veer_object differs from layout.py");

struct veer_context {
    uint32_t parent; /* 0 */
    uint32_t site; /* 4 */
};
_Static_assert(sizeof(struct veer_context) == 8, "veer_context differs from layout.py");

struct veer_event {
    uint8_t kind; /* 0 */
    uint8_t flags; /* 1 */
    uint16_t alternatives; /* 2 */
    uint32_t alternative; /* 4 */
    uint32_t literal; /* 8 */
    uint32_t site; /* 12 */
    uint32_t context; /* 16 */
    uint32_t watched; /* 20 */
};
_Static_assert(sizeof(struct veer_event) == 24, "veer_event differs from layout.py");

struct veer_path {
    uint64_t hash; /* 0 */
    uint64_t input_offset; /* 8 */
    uint32_t input_length; /* 16 */
    uint32_t node; /* 20 */
    uint32_t report; /* 24 */
    uint8_t outcome; /* 28 */
    uint8_t flags; /* 29 */
    uint16_t spare; /* 30 */
};
_Static_assert(sizeof(struct veer_path) == 32, "veer_path differs from layout.py");

struct veer_report {
    uint32_t path; /* 0 */
    uint32_t outcome; /* 4 */
    uint32_t site; /* 8 */
    uint32_t depth; /* 12 */
    uint32_t stack[32]; /* 16 */
    uint64_t address; /* 144 */
    uint64_t object_base; /* 152 */
    uint64_t object_size; /* 160 */
    uint64_t value; /* 168 */
    uint64_t run; /* 176 */
    uint64_t nanoseconds; /* 184 */
    char message[128]; /* 192 */
};
_Static_assert(sizeof(struct veer_report) == 320, "veer_report differs from layout.py");

struct veer_ledger_entry {
    uint32_t kind; /* 0 */
    uint32_t site; /* 4 */
    uint64_t count; /* 8 */
};
_Static_assert(sizeof(struct veer_ledger_entry) == 16, "veer_ledger_entry differs from layout.py");

struct veer_pin_link {
    uint64_t value; /* 0 */
    uint32_t next; /* 8 */
    uint32_t spare; /* 12 */
};
_Static_assert(sizeof(struct veer_pin_link) == 16, "veer_pin_link differs from layout.py");

struct veer_lookup_table {
    uint32_t count; /* 0 */
    uint32_t entry_bytes; /* 4 */
};
_Static_assert(sizeof(struct veer_lookup_table) == 8, "veer_lookup_table differs from layout.py");

struct veer_output {
    uint32_t kind; /* 0 */
    uint32_t number; /* 4 */
    uint64_t address; /* 8 */
    uint32_t size; /* 16 */
    uint32_t spare; /* 20 */
};
_Static_assert(sizeof(struct veer_output) == 24, "veer_output differs from layout.py");

struct veer_hot {
    int64_t steps; /* 0 */
    uint64_t path_hash; /* 8 */
    uint64_t stack_pointer; /* 16 */
    uint64_t callee; /* 24 */
    uint64_t returner; /* 32 */
    uint32_t depth; /* 40 */
    uint32_t returned; /* 44 */
    uint32_t arguments[2048]; /* 48 */
    uint64_t values[2048]; /* 8240 */
    struct veer_frame frames[65536]; /* 24624 */
    uint64_t variadic; /* 548912 */
    uint64_t placed_base; /* 548920 */
    uint64_t placed_size; /* 548928 */
};
_Static_assert(sizeof(struct veer_hot) == 548936, "veer_hot differs from layout.py");

struct veer_flow_set {
    uint32_t first; /* 0 */
    uint32_t count; /* 4 */
    uint32_t left; /* 8 */
    uint32_t right; /* 12 */
    uint32_t site; /* 16 */
    uint32_t kind; /* 20 */
    uint32_t name; /* 24 */
    uint32_t offset; /* 28 */
};
_Static_assert(sizeof(struct veer_flow_set) == 32, "veer_flow_set differs from layout.py");

struct veer_flow_fact {
    uint64_t key; /* 0 */
    uint32_t granule; /* 8 */
    uint32_t mask; /* 12 */
    uint64_t told; /* 16 */
    uint32_t next; /* 24 */
    uint32_t told_mask; /* 28 */
};
_Static_assert(sizeof(struct veer_flow_fact) == 32, "veer_flow_fact differs from layout.py");

struct veer_flows {
    uint64_t callee; /* 0 */
    uint64_t returner; /* 8 */
    uint32_t returned; /* 16 */
    uint32_t count; /* 20 */
    uint32_t arguments[2048]; /* 24 */
};
_Static_assert(sizeof(struct veer_flows) == 8216, "veer_flows differs from layout.py");

struct veer_crossed {
    uint8_t kind; /* 0 */
    uint8_t width; /* 1 */
    uint16_t level; /* 2 */
    uint32_t function; /* 4 */
    uint32_t number; /* 8 */
    uint32_t event; /* 12 */
    uint32_t slot; /* 16 */
    uint32_t inner; /* 20 */
    uint64_t address; /* 24 */
    uint64_t value; /* 32 */
};
_Static_assert(sizeof(struct veer_crossed) == 40, "veer_crossed differs from layout.py");

struct veer_slot {
    uint32_t function; /* 0 */
    uint16_t recursion; /* 4 */
    uint8_t kind; /* 6 */
    uint8_t width; /* 7 */
    uint32_t number; /* 8 */
    uint32_t ordinal; /* 12 */
    uint64_t address; /* 16 */
    uint64_t value; /* 24 */
};
_Static_assert(sizeof(struct veer_slot) == 32, "veer_slot differs from layout.py");

struct veer_declared {
    uint32_t function; /* 0 */
    uint32_t argument; /* 4 */
    uint64_t base; /* 8 */
    uint32_t is_guess; /* 16 */
    uint16_t unit; /* 20 */
    uint16_t written; /* 22 */
};
_Static_assert(sizeof(struct veer_declared) == 24, "veer_declared differs from layout.py");

struct veer_corpus_entry {
    uint64_t input_offset; /* 0 */
    uint32_t input_length; /* 8 */
    uint32_t rarest; /* 12 */
    uint32_t picked; /* 16 */
    uint32_t steps; /* 20 */
};
_Static_assert(sizeof(struct veer_corpus_entry) == 24, "veer_corpus_entry differs from layout.py");

struct veer_word {
    uint32_t length; /* 0 */
    uint32_t is_text; /* 4 */
    uint8_t bytes[24]; /* 8 */
};
_Static_assert(sizeof(struct veer_word) == 32, "veer_word differs from layout.py");

struct veer_target {
    uint64_t at; /* 0 */
    uint64_t target; /* 8 */
};
_Static_assert(sizeof(struct veer_target) == 16, "veer_target differs from layout.py");

struct veer_control {
    uint32_t magic; /* 0 */
    uint32_t version; /* 4 */
    uint32_t node_count; /* 8 */
    uint32_t node_table_size; /* 12 */
    uint32_t support_count; /* 16 */
    uint32_t leaf_count; /* 20 */
    uint32_t object_count; /* 24 */
    uint32_t name_bytes; /* 28 */
    uint32_t context_count; /* 32 */
    uint32_t trace_count; /* 36 */
    uint32_t tree_count; /* 40 */
    uint32_t path_count; /* 44 */
    uint32_t queue_count; /* 48 */
    uint32_t interesting_count; /* 52 */
    uint32_t report_count; /* 56 */
    uint32_t ledger_count; /* 60 */
    uint32_t edge_count; /* 64 */
    uint32_t leaf_bytes; /* 68 */
    uint64_t input_bytes; /* 72 */
    uint64_t table_words; /* 80 */
    uint32_t result_length; /* 88 */
    uint32_t result_count; /* 92 */
    uint32_t output_length; /* 96 */
    uint32_t distinct_paths; /* 100 */
    uint64_t runs; /* 104 */
    uint64_t diverged; /* 112 */
    uint64_t infeasible; /* 120 */
    uint64_t left_to_smt; /* 128 */
    uint32_t id_count; /* 136 */
    uint32_t ids_done; /* 140 */
    uint32_t inbox_length; /* 144 */
    uint32_t record; /* 148 */
    uint32_t filler; /* 152 */
    uint32_t keeps; /* 156 */
    uint32_t stop; /* 160 */
    uint64_t max_runs; /* 168 */
    uint64_t answer; /* 176 */
    uint32_t executor; /* 184 */
    uint32_t max_depth; /* 188 */
    uint32_t guard_siblings; /* 192 */
    uint32_t check_leaks; /* 196 */
    uint32_t follows_unwritten; /* 200 */
    uint32_t switched_off; /* 204 */
    uint32_t rungs_off; /* 208 */
    uint64_t max_steps; /* 216 */
    uint64_t heap_limit; /* 224 */
    uint64_t stack_limit; /* 232 */
    uint64_t seed; /* 240 */
    uint64_t start_nanoseconds; /* 248 */
    uint32_t current_node; /* 256 */
    uint32_t current_length; /* 260 */
    uint64_t current_hash; /* 264 */
    uint32_t running; /* 272 */
    uint32_t crash_outcome; /* 276 */
    int32_t exit_code; /* 280 */
    uint32_t last_path; /* 284 */
    uint32_t last_outcome; /* 288 */
    uint32_t last_report; /* 292 */
    uint32_t run_leaf_count; /* 296 */
    int64_t steps_left; /* 304 */
    uint64_t execute_nanoseconds; /* 312 */
    uint64_t solve_nanoseconds; /* 320 */
    uint64_t explore_nanoseconds; /* 328 */
    uint64_t symbolic_operations; /* 336 */
    uint64_t pinned_operations; /* 344 */
    uint64_t concretised_operations; /* 352 */
    struct veer_rung rungs[16]; /* 360 */
    uint32_t forgotten_paths; /* 872 */
    uint32_t first_own_path; /* 876 */
    uint32_t first_own_forgotten; /* 880 */
    uint32_t dropped_paths; /* 884 */
    uint32_t dropped_own_paths; /* 888 */
    uint32_t partitioned; /* 892 */
    uint32_t flow_set_count; /* 896 */
    uint32_t flow_member_count; /* 900 */
    uint32_t flow_fact_count; /* 904 */
    uint32_t flow_index_size; /* 908 */
    uint32_t flow_frees; /* 912 */
    uint64_t flow_changes; /* 920 */
    uint32_t flow_jumps; /* 928 */
    uint32_t flow_end; /* 932 */
    uint32_t holds_blocks; /* 936 */
    uint32_t held_leaves; /* 940 */
    uint32_t labelled_leaves; /* 944 */
    uint32_t changed_words; /* 948 */
    uint32_t doubt_count; /* 952 */
    uint32_t freed_count; /* 956 */
    uint32_t compositional; /* 960 */
    uint32_t crossing_count; /* 964 */
    uint32_t slot_count; /* 968 */
    uint32_t declared_count; /* 972 */
    uint32_t boundary_changes; /* 976 */
    uint32_t run_callee_count; /* 980 */
    uint32_t met_bounds; /* 984 */
    uint64_t doublings; /* 992 */
    uint32_t is_drawn; /* 1000 */
    uint32_t draw_count; /* 1004 */
    uint32_t drawn_count; /* 1008 */
    uint32_t is_concrete; /* 1012 */
    uint32_t lists_leaves; /* 1016 */
    uint32_t mutation_reads; /* 1020 */
    uint32_t mutation_nodes; /* 1024 */
    uint32_t corpus_count; /* 1028 */
    uint32_t word_count; /* 1032 */
    uint32_t has_text_words; /* 1036 */
    uint32_t text_count; /* 1040 */
    uint32_t tried_count; /* 1044 */
    uint64_t corpus_bytes; /* 1048 */
    uint64_t mutated_runs; /* 1056 */
    uint64_t evaluated_nodes; /* 1064 */
    uint64_t work_limit; /* 1072 */
    uint32_t is_given_up; /* 1080 */
    uint64_t mutated_steps; /* 1088 */
    uint64_t mutation_random; /* 1096 */
    uint64_t find_limit; /* 1104 */
    uint64_t run_limit; /* 1112 */
    uint64_t turn_steps; /* 1120 */
    uint64_t mutation_steps; /* 1128 */
    uint64_t mutation_finds; /* 1136 */
    uint32_t target_count; /* 1144 */
    uint64_t last_target_run; /* 1152 */
    uint32_t is_compared; /* 1160 */
    uint32_t old_outcome; /* 1164 */
    int32_t old_exit_code; /* 1168 */
    uint32_t new_outcome; /* 1172 */
    int32_t new_exit_code; /* 1176 */
    uint64_t query_cost; /* 1184 */
};
_Static_assert(sizeof(struct veer_control) == 1192, "veer_control differs from layout.py");

#define VEER_SHARED_SIZE 0x23edcc000ull
#define VEER_NODES_OFFSET 0x2000ull
#define VEER_NODES_CAPACITY 0x1000000u
#define VEER_NODE_TABLE_OFFSET 0x20003000ull
#define VEER_NODE_TABLE_CAPACITY 0x2000000u
#define VEER_SUPPORTS_OFFSET 0x28004000ull
#define VEER_SUPPORTS_CAPACITY 0x400000u
#define VEER_LEAVES_OFFSET 0x29005000ull
#define VEER_LEAVES_CAPACITY 0x40000u
#define VEER_OBJECTS_OFFSET 0x29806000ull
#define VEER_OBJECTS_CAPACITY 0x10000u
#define VEER_NAMES_OFFSET 0x29907000ull
#define VEER_NAMES_CAPACITY 0x100000u
#define VEER_CONTEXTS_OFFSET 0x29a08000ull
#define VEER_CONTEXTS_CAPACITY 0x100000u
#define VEER_CONTEXT_TABLE_OFFSET 0x2a209000ull
#define VEER_CONTEXT_TABLE_CAPACITY 0x200000u
#define VEER_TRACE_OFFSET 0x2aa0a000ull
#define VEER_TRACE_CAPACITY 0x200000u
#define VEER_TREE_PARENT_OFFSET 0x2da0b000ull
#define VEER_TREE_PARENT_CAPACITY 0x2000000u
#define VEER_TREE_CHILD_OFFSET 0x35a0c000ull
#define VEER_TREE_CHILD_CAPACITY 0x2000000u
#define VEER_TREE_SIBLING_OFFSET 0x3da0d000ull
#define VEER_TREE_SIBLING_CAPACITY 0x2000000u
#define VEER_TREE_LITERAL_OFFSET 0x45a0e000ull
#define VEER_TREE_LITERAL_CAPACITY 0x2000000u
#define VEER_TREE_SITE_OFFSET 0x4da0f000ull
#define VEER_TREE_SITE_CAPACITY 0x2000000u
#define VEER_TREE_CONTEXT_OFFSET 0x55a10000ull
#define VEER_TREE_CONTEXT_CAPACITY 0x2000000u
#define VEER_TREE_PATH_OFFSET 0x5da11000ull
#define VEER_TREE_PATH_CAPACITY 0x2000000u
#define VEER_TREE_DEPTH_OFFSET 0x65a12000ull
#define VEER_TREE_DEPTH_CAPACITY 0x2000000u
#define VEER_TREE_ALTERNATIVE_OFFSET 0x6da13000ull
#define VEER_TREE_ALTERNATIVE_CAPACITY 0x2000000u
#define VEER_TREE_KIND_OFFSET 0x71a14000ull
#define VEER_TREE_KIND_CAPACITY 0x2000000u
#define VEER_TREE_STATE_OFFSET 0x73a15000ull
#define VEER_TREE_STATE_CAPACITY 0x2000000u
#define VEER_TREE_WATCHED_OFFSET 0x75a16000ull
#define VEER_TREE_WATCHED_CAPACITY 0x2000000u
#define VEER_PATHS_OFFSET 0x79a17000ull
#define VEER_PATHS_CAPACITY 0x1000000u
#define VEER_INPUTS_OFFSET 0x99a18000ull
#define VEER_INPUTS_CAPACITY 0x80000000u
#define VEER_PATH_TABLE_OFFSET 0x119a19000ull
#define VEER_PATH_TABLE_CAPACITY 0x2000000u
#define VEER_EDGE_TAKEN_OFFSET 0x129a1a000ull
#define VEER_EDGE_TAKEN_CAPACITY 0x1000000u
#define VEER_EDGE_SEEN_OFFSET 0x12da1b000ull
#define VEER_EDGE_SEEN_CAPACITY 0x1000000u
#define VEER_RUN_EDGES_OFFSET 0x12ea1c000ull
#define VEER_RUN_EDGES_CAPACITY 0x1000000u
#define VEER_QUEUE_OFFSET 0x12fa1d000ull
#define VEER_QUEUE_CAPACITY 0x400000u
#define VEER_INTERESTING_OFFSET 0x130a1e000ull
#define VEER_INTERESTING_CAPACITY 0x100000u
#define VEER_REPORTS_OFFSET 0x130e1f000ull
#define VEER_REPORTS_CAPACITY 0x4000u
#define VEER_LEDGER_OFFSET 0x131320000ull
#define VEER_LEDGER_CAPACITY 0x1000u
#define VEER_IDS_OFFSET 0x131331000ull
#define VEER_IDS_CAPACITY 0x10000u
#define VEER_INBOX_OFFSET 0x131372000ull
#define VEER_INBOX_CAPACITY 0x100000u
#define VEER_RESULT_OFFSET 0x131473000ull
#define VEER_RESULT_CAPACITY 0x10000u
#define VEER_PIN_FIRST_OFFSET 0x131484000ull
#define VEER_PIN_FIRST_CAPACITY 0x1000000u
#define VEER_PINS_OFFSET 0x135485000ull
#define VEER_PINS_CAPACITY 0x100000u
#define VEER_OUTPUTS_OFFSET 0x136486000ull
#define VEER_OUTPUTS_CAPACITY 0x100000u
#define VEER_TABLES_OFFSET 0x136587000ull
#define VEER_TABLES_CAPACITY 0x800000u
#define VEER_FORGOTTEN_OFFSET 0x13a588000ull
#define VEER_FORGOTTEN_CAPACITY 0x80u
#define VEER_FORGOTTEN_EDGES_OFFSET 0x13a58a000ull
#define VEER_FORGOTTEN_EDGES_CAPACITY 0x10000000u
#define VEER_FORGOTTEN_BELOW_OFFSET 0x1ba58b000ull
#define VEER_FORGOTTEN_BELOW_CAPACITY 0x2000000u
#define VEER_FORGOTTEN_PATHS_OFFSET 0x1c258c000ull
#define VEER_FORGOTTEN_PATHS_CAPACITY 0x2000000u
#define VEER_FLOW_SETS_OFFSET 0x1d258d000ull
#define VEER_FLOW_SETS_CAPACITY 0x100000u
#define VEER_FLOW_MEMBERS_OFFSET 0x1d458e000ull
#define VEER_FLOW_MEMBERS_CAPACITY 0x1000000u
#define VEER_FLOW_TABLE_OFFSET 0x1d858f000ull
#define VEER_FLOW_TABLE_CAPACITY 0x200000u
#define VEER_FLOW_FACTS_OFFSET 0x1d8d90000ull
#define VEER_FLOW_FACTS_CAPACITY 0x400000u
#define VEER_FLOW_INDEX_OFFSET 0x1e0d91000ull
#define VEER_FLOW_INDEX_CAPACITY 0x1000000u
#define VEER_FLOW_FILTER_OFFSET 0x1e4d92000ull
#define VEER_FLOW_FILTER_CAPACITY 0x20000u
#define VEER_PATH_FLOWS_OFFSET 0x1e4db3000ull
#define VEER_PATH_FLOWS_CAPACITY 0x1000000u
#define VEER_PATH_KNEW_OFFSET 0x1e8db4000ull
#define VEER_PATH_KNEW_CAPACITY 0x1000000u
#define VEER_LEAF_BLOCKS_OFFSET 0x1ecdb5000ull
#define VEER_LEAF_BLOCKS_CAPACITY 0x40000u
#define VEER_HELD_INPUT_OFFSET 0x1eceb6000ull
#define VEER_HELD_INPUT_CAPACITY 0x200000u
#define VEER_PATH_CHANGED_OFFSET 0x1ed0b7000ull
#define VEER_PATH_CHANGED_CAPACITY 0x1000000u
#define VEER_CHANGED_OFFSET 0x1f10b8000ull
#define VEER_CHANGED_CAPACITY 0x8000000u
#define VEER_DOUBTS_OFFSET 0x2110b9000ull
#define VEER_DOUBTS_CAPACITY 0x1000000u
#define VEER_HELD_FIRST_OFFSET 0x2150ba000ull
#define VEER_HELD_FIRST_CAPACITY 0x40000u
#define VEER_HELD_NEXT_OFFSET 0x2151bb000ull
#define VEER_HELD_NEXT_CAPACITY 0x2000000u
#define VEER_FREED_OFFSET 0x21d1bc000ull
#define VEER_FREED_CAPACITY 0x2000000u
#define VEER_CROSSINGS_OFFSET 0x2251bd000ull
#define VEER_CROSSINGS_CAPACITY 0x100000u
#define VEER_SLOTS_OFFSET 0x2279be000ull
#define VEER_SLOTS_CAPACITY 0x100000u
#define VEER_DECLARED_OFFSET 0x2299bf000ull
#define VEER_DECLARED_CAPACITY 0x1000u
#define VEER_REFUSALS_OFFSET 0x2299d8000ull
#define VEER_REFUSALS_CAPACITY 0x100000u
#define VEER_RUN_CALLEES_OFFSET 0x229ad9000ull
#define VEER_RUN_CALLEES_CAPACITY 0x100u
#define VEER_CALLEES_OFFSET 0x229adb000ull
#define VEER_CALLEES_CAPACITY 0x10000u
#define VEER_DRAWS_OFFSET 0x229b5c000ull
#define VEER_DRAWS_CAPACITY 0x10000u
#define VEER_DRAWN_OFFSET 0x229bdd000ull
#define VEER_DRAWN_CAPACITY 0x10000u
#define VEER_MUTATION_SEEN_OFFSET 0x229c1e000ull
#define VEER_MUTATION_SEEN_CAPACITY 0x1000000u
#define VEER_MUTATION_HITS_OFFSET 0x22ac1f000ull
#define VEER_MUTATION_HITS_CAPACITY 0x1000000u
#define VEER_CORPUS_OFFSET 0x22ec20000ull
#define VEER_CORPUS_CAPACITY 0x10000u
#define VEER_CORPUS_INPUTS_OFFSET 0x22eda1000ull
#define VEER_CORPUS_INPUTS_CAPACITY 0x10000000u
#define VEER_WORDS_OFFSET 0x23eda2000ull
#define VEER_WORDS_CAPACITY 0x400u
#define VEER_TRIED_OFFSET 0x23edab000ull
#define VEER_TRIED_CAPACITY 0x400u
#define VEER_TARGETS_OFFSET 0x23edae000ull
#define VEER_TARGETS_CAPACITY 0x1000u
#define VEER_SPECIFICATION_STATES_OFFSET 0x23edbf000ull
#define VEER_SPECIFICATION_STATES_CAPACITY 0x8000u
#define VEER_DIFFERENCE_OFFSET 0x23edc8000ull
#define VEER_DIFFERENCE_CAPACITY 0x40u
#define VEER_VERSION_REPORTS_OFFSET 0x23edca000ull
#define VEER_VERSION_REPORTS_CAPACITY 0x2u
/* R(offset, bytes) for each region: a guard page lies behind it. */
#define VEER_FOR_EACH_REGION(R) R(0x2000ull, 0x20000000ull) R(0x20003000ull, 0x8000000ull) R(0x28004000ull, 0x1000000ull) R(0x29005000ull, 0x800000ull) R(0x29806000ull, 0x100000ull) R(0x29907000ull, 0x100000ull) R(0x29a08000ull, 0x800000ull) R(0x2a209000ull, 0x800000ull) R(0x2aa0a000ull, 0x3000000ull) R(0x2da0b000ull, 0x8000000ull) R(0x35a0c000ull, 0x8000000ull) R(0x3da0d000ull, 0x8000000ull) R(0x45a0e000ull, 0x8000000ull) R(0x4da0f000ull, 0x8000000ull) R(0x55a10000ull, 0x8000000ull) R(0x5da11000ull, 0x8000000ull) R(0x65a12000ull, 0x8000000ull) R(0x6da13000ull, 0x4000000ull) R(0x71a14000ull, 0x2000000ull) R(0x73a15000ull, 0x2000000ull) R(0x75a16000ull, 0x4000000ull) R(0x79a17000ull, 0x20000000ull) R(0x99a18000ull, 0x80000000ull) R(0x119a19000ull, 0x10000000ull) R(0x129a1a000ull, 0x4000000ull) R(0x12da1b000ull, 0x1000000ull) R(0x12ea1c000ull, 0x1000000ull) R(0x12fa1d000ull, 0x1000000ull) R(0x130a1e000ull, 0x400000ull) R(0x130e1f000ull, 0x500000ull) R(0x131320000ull, 0x10000ull) R(0x131331000ull, 0x40000ull) R(0x131372000ull, 0x100000ull) R(0x131473000ull, 0x10000ull) R(0x131484000ull, 0x4000000ull) R(0x135485000ull, 0x1000000ull) R(0x136486000ull, 0x100000ull) R(0x136587000ull, 0x4000000ull) R(0x13a588000ull, 0x400ull) R(0x13a58a000ull, 0x80000000ull) R(0x1ba58b000ull, 0x8000000ull) R(0x1c258c000ull, 0x10000000ull) R(0x1d258d000ull, 0x2000000ull) R(0x1d458e000ull, 0x4000000ull) R(0x1d858f000ull, 0x800000ull) R(0x1d8d90000ull, 0x8000000ull) R(0x1e0d91000ull, 0x4000000ull) R(0x1e4d92000ull, 0x20000ull) R(0x1e4db3000ull, 0x4000000ull) R(0x1e8db4000ull, 0x4000000ull) R(0x1ecdb5000ull, 0x100000ull) R(0x1eceb6000ull, 0x200000ull) R(0x1ed0b7000ull, 0x4000000ull) R(0x1f10b8000ull, 0x20000000ull) R(0x2110b9000ull, 0x4000000ull) R(0x2150ba000ull, 0x100000ull) R(0x2151bb000ull, 0x8000000ull) R(0x21d1bc000ull, 0x8000000ull) R(0x2251bd000ull, 0x2800000ull) R(0x2279be000ull, 0x2000000ull) R(0x2299bf000ull, 0x18000ull) R(0x2299d8000ull, 0x100000ull) R(0x229ad9000ull, 0x800ull) R(0x229adb000ull, 0x80000ull) R(0x229b5c000ull, 0x80000ull) R(0x229bdd000ull, 0x40000ull) R(0x229c1e000ull, 0x1000000ull) R(0x22ac1f000ull, 0x4000000ull) R(0x22ec20000ull, 0x180000ull) R(0x22eda1000ull, 0x10000000ull) R(0x23eda2000ull, 0x8000ull) R(0x23edab000ull, 0x2000ull) R(0x23edae000ull, 0x10000ull) R(0x23edbf000ull, 0x8000ull) R(0x23edc8000ull, 0x100ull) R(0x23edca000ull, 0x280ull)

#endif
