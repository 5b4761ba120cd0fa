"""The one definition of everything that Python and native code share: constants, records, tree arrays.

`header.py` turns it into `runtime/include/veer_wire.h` (a test fails when the committed header differs), `shared.py`
turns it into numpy views of the shared memory. Nothing else may know an offset.

The address space of an executor (Linux x86-64, a position-dependent executable):

    0x0100_0000  image: code and globals of the unit (below 2 GiB, so that all of it has a shadow)
    0x2000_0000  HEAP     the unit's own heap            (HEAP_SIZE)
    0x6000_0000  STACK    the unit's addressable locals  (STACK_SIZE)
    0x7d00_0000  COVERAGE one byte an edge of this process; edge = 2 * site + direction
    0x7f00_0000  HOT      the hot block that instrumented code touches with absolute addresses
    0x1000_0000_0000  SHADOW   one u32 a byte of the 2 GiB above; a fresh page reads as "not addressable"
    0x2000_0000_0000  PRIVATE  the runtime's own state, never in the image beside the program's data
    0x3000_0000_0000  SHARED   the regions below, shared with Python, guard pages in between

A shadow word of a memory byte: 0 = not addressable, 1 = addressable and concrete, else
`fragment << 28 | expression` with fragment = index of this byte within the expression (0 = least significant).
A shadow of an SSA value: 0 or 1 = concrete, else the expression's id (no fragment).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

VERSION = 1
MAGIC = 0x56454552

HEAP_BASE = 0x2000_0000
HEAP_SIZE = 0x4000_0000
STACK_BASE = 0x6000_0000
STACK_SIZE = 0x1000_0000
COVERAGE_BASE = 0x7D00_0000
COVERAGE_SIZE = 0x0100_0000
HOT_BASE = 0x7F00_0000
SHADOW_BASE = 0x1000_0000_0000
LOW_BITS = 31
PRIVATE_BASE = 0x2000_0000_0000
SHARED_BASE = 0x3000_0000_0000
PAGE = 4096

SHADOW_UNADDRESSABLE = 0
SHADOW_CONCRETE = 1
FIRST_EXPRESSION = 2
FRAGMENT_SHIFT = 28
EXPRESSION_MASK = (1 << FRAGMENT_SHIFT) - 1
NONE = 0xFFFF_FFFF
TARGET_MARK = 0x8000_0000  # in the recorded leaves: what follows a pointer is the one whose fresh object it leads to
MAX_STACK_SHOWN = 32
MAX_ARGUMENTS = 32


class Op(IntEnum):
    """Operators of the expression DAG. Semantics are SMT-LIB's on bit-vectors; comparisons have width 1."""

    NONE = 0
    CONST = 1  # value
    LEAF = 2  # a = leaf index; width = the leaf's
    ADD = 3
    SUB = 4
    MUL = 5
    UDIV = 6
    SDIV = 7
    UREM = 8
    SREM = 9
    AND = 10
    OR = 11
    XOR = 12
    SHL = 13
    LSHR = 14
    ASHR = 15
    EQ = 16
    ULT = 17
    ULE = 18
    SLT = 19
    SLE = 20
    NOT = 21  # of width 1
    ZEXT = 22
    SEXT = 23
    EXTRACT = 24  # of a, from bit b, `width` bits
    CONCAT = 25  # a is the more significant part
    ITE = 26  # a ? b : c, a of width 1
    CTPOP = 27
    UMULH = 28  # upper half of the unsigned product
    UDIVL = 29  # lower half of a:b / c, unsigned, a the upper half of the dividend; all ones for c = 0
    UREML = 30  # lower half of a:b % c; b for c = 0
    LOOKUP = 31  # entry number a of table b (see the region `tables`), 0 behind its end; `width` bits
    FADD = 32
    FSUB = 33
    FMUL = 34
    FDIV = 35
    FREM = 36
    FNEG = 37
    FABS = 38
    FSQRT = 39
    FOEQ = 40
    FOLT = 41
    FOLE = 42
    FUNO = 43
    FPTOSI = 44  # out of range: what x86-64 gives (the integer indefinite value)
    FPTOUI = 45
    SITOFP = 46
    UITOFP = 47
    FPEXT = 48
    FPTRUNC = 49
    FRINT = 50  # to an integer: to the nearest, ties to even
    FFLOOR = 51
    FCEIL = 52
    FTRUNC = 53
    FROUND = 54  # to the nearest, ties away from zero


class Predicate(IntEnum):
    """What the instrumenter passes to veer_compare (LLVM's names); the runtime makes EQ/ULT/ULE/SLT/SLE/F* of it."""

    EQ = 0
    NE = 1
    UGT = 2
    UGE = 3
    ULT = 4
    ULE = 5
    SGT = 6
    SGE = 7
    SLT = 8
    SLE = 9
    OEQ = 10
    OGT = 11
    OGE = 12
    OLT = 13
    OLE = 14
    ONE = 15
    ORD = 16
    UEQ = 17
    FUGT = 18
    FUGE = 19
    FULT = 20
    FULE = 21
    UNE = 22
    UNO = 23


class Kind(IntEnum):
    """Kinds of decision, in the trace and in the tree."""

    BRANCH = 1  # a source branch (also a link of a switch); alternative 1 = the literal holds
    CHECK = 2  # an oracle's condition; alternative 1 = holds, 0 = the bug
    GUARD = 3  # a decision of veer's own (address == value, shift in range, ...); both sides are explored
    CHOICE = 4  # n-way; literal = leaf index of the choice; alternative = its value
    ASSUME = 5  # alternative 0 (violated) is never aimed at


class State(IntEnum):
    """States of a tree node (one side of a decision)."""

    UNUSED = 0
    OPEN = 1  # nobody has been there
    TAKEN = 2  # a run went this way
    INFEASIBLE = 3  # proved
    QUEUED = 4  # the ladder does not know; waits for smt
    UNKNOWN = 5  # smt does not know either, or gave up
    DIVERGED = 6  # a run aimed here went elsewhere
    PRUNED = 7  # a pruning rule forbids it
    ASSUMED = 8  # excluded by a precondition
    CUT = 9  # beyond a bound (max-branches, guard siblings)
    ELSEWHERE = 10  # open, but another worker's: this shared memory does not count it


class Switch(IntEnum):
    """Bits of the control block's `switched_off`: optimisations that native code leaves out."""

    LADDER = 1  # whatever is no choice goes to smt
    EVENTS = 2  # a decision that was made before in the run is logged again


class Outcome(IntEnum):
    """How a run ended, as the runtime sees it."""

    NONE = 0
    RETURNED = 1
    EXITED = 2
    ABORTED = 3
    ASSERTION = 4
    SEGFAULT_NULL = 5
    SEGFAULT_WILD = 6
    STACK_OVERFLOW = 7
    DIVISION = 8
    BOUNDS_READ = 9
    BOUNDS_WRITE = 10
    USE_AFTER_FREE = 11
    DOUBLE_FREE = 12
    BAD_FREE = 13
    UNDEFINED = 14  # a -fsanitize check; report.value = UBSan's trap kind
    LEAK = 15
    HANG = 16
    ASSUMPTION = 17  # a precondition is violated: no test
    MEMORY_LIMIT = 18
    OUTPUT_LIMIT = 19
    CAPACITY = 20  # a table of veer's is full
    KILLED = 21  # the executor died (Python writes this one)
    ILLEGAL = 22
    UNREACHABLE = 23
    UNSUPPORTED = 24


class Loss(IntEnum):
    """Kinds of ledger entries: where precision was lost."""

    EXTERNAL = 1  # symbolic data went into uninstrumented code
    UNSUPPORTED = 2  # an operation without a symbolic meaning was concretised
    ADDRESS = 3  # a symbolic address was concretised beyond the number of siblings explored
    SOLVER = 4  # smt said unknown
    CAPACITY = 5  # a fixed table filled; `site` is a Table
    DIVERGENCE = 6
    WIDE = 7  # an integer over 64 bits
    FLOAT = 8  # a floating-point operation without a symbolic meaning
    CLOCK = 9  # a wall-clock limit struck
    STUB = 10  # an undefined function was given a stub (information, loses nothing)
    GIVEN_UP = 11  # a branch whose runs broke their process again and again


class Table(IntEnum):
    """Fixed capacities; the detail of a CAPACITY loss."""

    ARENA = 1
    LEAVES = 2
    OBJECTS = 3
    NAMES = 4
    CONTEXTS = 5
    NODES = 6
    PATHS = 7
    INPUTS = 8
    TRACE = 9
    QUEUE = 10
    REPORTS = 11
    HOLES = 12
    TRAIL = 13
    SUPPORTS = 14
    INTERESTING = 15
    TABLES = 16


class LeafKind(IntEnum):
    """What an input leaf is, so that its value can be shown."""

    UNSIGNED = 1
    SIGNED = 2
    BOOL = 3
    CHAR = 4
    FLOAT = 5
    CHOICE = 6  # alternative of a pointer: 0 NULL, 1 fresh, 2 + k alias of the k-th earlier object of its type
    BYTE = 7


class Command(IntEnum):
    """What Python asks of an executor: one byte on the command pipe; arguments lie in the control block."""

    HELLO = 1
    RUN = 2  # inbox input, from the root
    EXPAND = 3  # ids[0:id_count]
    FOLLOW = 4  # ids[0], inbox input
    DFS = 5  # ids[0] subtree; bound = max_depth, budget = max_runs
    QUIT = 6
    RESCAN = 7  # after a crash: note in the tree what `current_node` did (control.crash_outcome), then go on
    EVALUATE = 8  # ids[0] = expression; inbox input; result in control.answer


class Reply(IntEnum):
    """One byte on the reply pipe."""

    DONE = 1
    RESTART = 2  # the work up to `ids_done` is done; renew this process before more
    FULL = 3  # a capacity is exhausted; nothing more can be recorded


class OutputKind(IntEnum):
    """What a record of `outputs` shows; its number is the variable's in the harness, or an input object's from 1 on."""

    BEFORE = 1  # a global variable before the call
    AFTER = 2
    OBJECT = 3  # an input object after the call


class PathFlag(IntEnum):
    NEW_EDGE = 1  # covers an edge that no earlier run covered
    NEW_PATH = 2  # its hash of source branch directions and choices is new
    DIVERGED = 4
    NEW_BUG = 8  # first or smaller witness of (outcome, site)
    NEW_OUTCOME = 16


NODE = np.dtype(
    [
        ("op", "u1"),
        ("width", "u1"),
        ("flags", "u2"),
        ("a", "u4"),
        ("b", "u4"),
        ("c", "u4"),
        ("value", "u8"),
        # 0 none; bit 31 clear: leaf index + 1; set: index into `supports` (count, then sorted leaf indices)
        ("support", "u4"),
        ("spare", "u4"),
    ]
)
LEAF = np.dtype(
    [
        ("object", "u4"),  # index into objects
        ("offset", "u4"),  # byte offset within the object
        ("input_offset", "u4"),  # where its value lies in an input (little endian, width / 8 bytes)
        ("width", "u1"),
        ("kind", "u1"),
        ("flags", "u2"),
        # inclusive bounds of its value as an unsigned integer, if minimum <= maximum; signed if kind is SIGNED
        ("minimum", "u8"),
        ("maximum", "u8"),
    ]
)
OBJECT = np.dtype(
    [
        ("via", "u4"),  # the pointer leaf (kind CHOICE) through which it was reached, or NONE for a root
        ("name", "u4"),  # offset of its NUL-terminated name in `names` (roots)
        ("occurrence", "u4"),  # how many roots of that name came before it in the run
        ("type", "u4"),  # the id of its veer_type, NONE if made from raw bytes
    ]
)
CONTEXT = np.dtype([("parent", "u4"), ("site", "u4")])
EVENT = np.dtype(
    [
        ("kind", "u1"),
        ("flags", "u1"),
        ("alternatives", "u2"),  # CHOICE: how many there are
        ("alternative", "u4"),  # the one taken
        ("literal", "u4"),  # expression of width 1, or the leaf of a choice
        ("site", "u4"),
        ("context", "u4"),
        ("spare", "u4"),
    ]
)
PATH = np.dtype(
    [
        ("hash", "u8"),
        ("input_offset", "u8"),
        ("input_length", "u4"),
        ("node", "u4"),  # last node, or NONE
        ("report", "u4"),  # index into reports, or NONE
        ("outcome", "u1"),
        ("flags", "u1"),
        ("spare", "u2"),
    ]
)
REPORT = np.dtype(
    [
        ("path", "u4"),
        ("outcome", "u4"),
        ("site", "u4"),  # where: the innermost site of user code that is known
        ("depth", "u4"),  # how many of `stack` are used
        ("stack", "u4", (MAX_STACK_SHOWN,)),  # call sites, innermost first
        ("address", "u8"),
        ("object_base", "u8"),
        ("object_size", "u8"),
        ("value", "u8"),
        ("run", "u8"),
        ("nanoseconds", "u8"),  # since the campaign's start
        ("message", "S128"),
    ]
)
LEDGER = np.dtype([("kind", "u4"), ("site", "u4"), ("count", "u8")])
TABLE = np.dtype([("count", "u4"), ("entry_bytes", "u4")])  # entry_bytes: 1, 2, 4 or 8
OUTPUT = np.dtype([("kind", "u4"), ("number", "u4"), ("address", "u8"), ("size", "u4"), ("spare", "u4")])
# A link of the chain that starts at `pin_first[expression]`; pins[0].next = count.
PIN = np.dtype([("value", "u8"), ("next", "u4"), ("spare", "u4")])
RUNG = np.dtype([("asked", "u8"), ("sat", "u8"), ("unsat", "u8"), ("nanoseconds", "u8")])

RUNGS = ("domain", "interval", "recent", "invert", "order", "enumerate", "choice")
"""Names of the ladder's rungs, in the order of `control.rungs`."""

TREE = (
    # (name, dtype): the execution tree as parallel arrays. A node is one side of a decision.
    #
    #      node 0 (the root: state TAKEN, no literal)
    #        └ child ─► side ─ sibling ─► side            one decision: all its sides share `site`, `literal`, `kind`
    #                    └ child ─► ...                  `alternative` tells them apart
    #
    # An open node has no path of its own: `path` is the path whose run created it (its inputs are the parent inputs).
    ("parent", "u4"),
    ("child", "u4"),  # first side of the next decision, 0 = none yet, NONE = finished and forgotten
    ("sibling", "u4"),  # next side of the same decision, 0 = last
    ("literal", "u4"),
    ("site", "u4"),
    ("context", "u4"),
    ("path", "u4"),
    ("depth", "u4"),
    ("alternative", "u2"),
    ("kind", "u1"),
    ("state", "u1"),
)


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the shared memory: `capacity` records of `dtype`, page aligned, a guard page behind it."""

    name: str
    dtype: np.dtype[np.void] | str
    capacity: int


REGIONS: tuple[Region, ...] = (
    Region("nodes", NODE, 1 << 24),
    Region("node_table", "u4", 1 << 25),
    Region("supports", "u4", 1 << 22),
    Region("leaves", LEAF, 1 << 18),
    Region("objects", OBJECT, 1 << 16),
    Region("names", "u1", 1 << 20),
    Region("contexts", CONTEXT, 1 << 20),
    Region("context_table", "u4", 1 << 21),
    Region("trace", EVENT, 1 << 21),
    *(Region(f"tree_{name}", dtype, 1 << 25) for name, dtype in TREE),
    Region("paths", PATH, 1 << 24),
    Region("inputs", "u1", 1 << 31),
    Region("path_table", "u8", 1 << 25),
    Region("edge_taken", "u4", 1 << 24),  # how many tree sides with this edge were taken
    Region("edge_seen", "u1", 1 << 24),  # 1 = some run covered this edge, concretely or not
    Region("run_edges", "u1", 1 << 24),  # the edges of the last run that had control.record set
    Region("queue", "u4", 1 << 22),  # node ids that the ladder left, appended; Python keeps its own read position
    Region("interesting", "u4", 1 << 20),  # path ids with a NEW_EDGE, NEW_BUG, NEW_OUTCOME or DIVERGED flag, appended
    Region("reports", REPORT, 1 << 14),
    Region("ledger", LEDGER, 1 << 12),
    Region("ids", "u4", 1 << 16),  # arguments of a command
    Region("inbox", "u1", 1 << 20),  # an input from Python
    Region("result", "u1", 1 << 16),  # bytes recorded by veer_result in the last RUN
    # The values that a symbolic address was pinned to, per expression, in the order of discovery: a run emits "not the
    # first, not the second, ..., the k-th", so that the GUARD chain below a tree node has the same shape in every run.
    Region("pin_first", "u4", 1 << 24),  # by expression: index into `pins`, 0 = none
    Region("pins", PIN, 1 << 20),
    Region("outputs", "u1", 1 << 20),  # veer_output records of the last recorded run, each followed by its bytes
    # Contents of memory that LOOKUP reads, each once: TABLE, then its entries, filled up to 8 bytes; a table's number
    # is its offset in units of 8 bytes, from 1 on.
    Region("tables", "u8", 1 << 23),
    # What was forgotten of the tree and of the paths, so that a campaign stays within its memory (docs/decisions/0113):
    # counts by State, then by Outcome, then cut branches; nodes by edge and State; nodes below each node of the tree;
    # identities of paths.
    Region("forgotten", "u8", 128),
    Region("forgotten_edges", "u8", 1 << 28),
    Region("forgotten_below", "u4", 1 << 25),
    Region("forgotten_paths", "u8", 1 << 25),
)

CONTROL = np.dtype(
    [
        ("magic", "u4"),
        ("version", "u4"),
        # counts, published last by native code
        ("node_count", "u4"),  # arena
        ("node_table_size", "u4"),
        ("support_count", "u4"),
        ("leaf_count", "u4"),
        ("object_count", "u4"),
        ("name_bytes", "u4"),
        ("context_count", "u4"),
        ("trace_count", "u4"),  # of the last run
        ("tree_count", "u4"),
        ("path_count", "u4"),
        ("distinct_paths", "u4"),
        ("queue_count", "u4"),
        ("interesting_count", "u4"),
        ("report_count", "u4"),
        ("ledger_count", "u4"),
        ("edge_count", "u4"),
        ("input_bytes", "u8"),
        ("leaf_bytes", "u4"),  # length of an input that holds every leaf
        # command arguments
        ("id_count", "u4"),
        ("ids_done", "u4"),
        ("inbox_length", "u4"),
        ("max_depth", "u4"),  # nodes deeper than this are CUT (0 = no bound)
        ("guard_siblings", "u4"),  # explored values of one symbolic address
        # 1 = the trace keeps every decision and the leaves that were made; 2 = so, too, but nothing goes into the tree
        ("record", "u4"),
        ("current_length", "u4"),  # bytes of the input of the run under way; they lie at inputs[input_bytes:]
        ("max_runs", "u8"),
        ("max_steps", "u8"),
        ("heap_limit", "u8"),
        ("stack_limit", "u8"),
        ("seed", "u8"),
        ("filler", "u4"),  # 0: a new leaf is 0; n > 0: a pseudo-random value of (seed, n, leaf)
        ("check_leaks", "u4"),
        # state
        ("stop", "u4"),  # Python sets it: stop after the current run
        ("current_node", "u4"),  # target of the run under way, NONE between runs
        ("running", "u4"),  # 1 while user code runs
        ("crash_outcome", "u4"),
        ("result_length", "u4"),
        ("result_count", "u4"),
        ("exit_code", "i4"),
        ("last_path", "u4"),  # path id of the last run
        ("last_outcome", "u4"),
        ("last_report", "u4"),  # report of the last run or NONE
        ("run_leaf_count", "u4"),  # recorded leaves of the last RUN with record = 1, in `ids`, in order of creation
        ("pad1", "u4"),
        ("answer", "u8"),
        ("runs", "u8"),
        ("diverged", "u8"),
        ("infeasible", "u8"),
        ("left_to_smt", "u8"),
        ("start_nanoseconds", "u8"),
        ("execute_nanoseconds", "u8"),
        ("solve_nanoseconds", "u8"),
        ("explore_nanoseconds", "u8"),
        ("symbolic_operations", "u8"),
        ("concretised_operations", "u8"),
        ("current_hash", "u8"),
        ("rungs", RUNG, (16,)),
        ("output_length", "u4"),  # bytes of `outputs`
        ("pad2", "u4"),
        # operations with a symbolic operand whose value was fixed, one value after the other explored; beside
        # `symbolic_operations` (kept exactly) and `concretised_operations` (lost)
        ("pinned_operations", "u8"),
        ("table_words", "u8"),  # of `tables`, in units of 8 bytes
        ("executor", "u4"),  # process id of the executor that was started last; Python writes it
        ("forgotten_paths", "u4"),  # how many identities of paths `forgotten_paths` holds
        # a worker's part: the paths, and the forgotten ones, that it was begun with, are not its own
        ("first_own_path", "u4"),
        ("first_own_forgotten", "u4"),
        ("switched_off", "u4"),  # bits of Switch
        ("pad3", "u4"),
    ]
)

FRAME = np.dtype([("site", "u4"), ("context", "u4")])

HOT = np.dtype(
    [
        ("steps", "i8"),  # left; negative = hang
        ("path_hash", "u8"),  # h = (h ^ (edge + 1)) * HASH_MULTIPLIER at each source branch
        ("stack_pointer", "u8"),  # of the unit's addressable locals
        ("callee", "u8"),  # address of the function that `arguments` are meant for; 0 = all concrete
        ("returner", "u8"),  # address of the function that wrote `returned`
        ("depth", "u4"),  # call depth = number of frames in use
        ("returned", "u4"),  # shadow of the return value
        ("arguments", "u4", (MAX_ARGUMENTS,)),
        ("values", "u8", (MAX_ARGUMENTS,)),  # concrete arguments of an external call
        ("frames", FRAME, (65536,)),
        ("variadic", "u8"),  # table of the places of the arguments behind `...` (ir/variadic.py), 0 = none
    ]
)
MAX_DEPTH = 65000
HASH_MULTIPLIER = 0x9E37_79B9_7F4A_7C15


def region_offsets() -> tuple[dict[str, int], int]:
    """Byte offset of each region in the shared memory, and its total size; the control block is at 0."""
    offsets: dict[str, int] = {}
    position = _pages(CONTROL.itemsize) + PAGE
    for region in REGIONS:
        offsets[region.name] = position
        position += _pages(np.dtype(region.dtype).itemsize * region.capacity) + PAGE
    return offsets, position


def fingerprint() -> str:
    """Sixteen hexadecimal digits that differ when anything here that shared memory depends on does."""
    enumerations = [
        list(each.__members__.items()) for each in (Op, Kind, State, Outcome, Loss, Table, LeafKind, PathFlag)
    ]
    regions = [(region.name, np.dtype(region.dtype).descr, region.capacity) for region in REGIONS]
    text = repr((VERSION, CONTROL.descr, regions, enumerations))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _pages(size: int) -> int:
    return (size + PAGE - 1) // PAGE * PAGE
