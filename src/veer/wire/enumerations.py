"""The enumerations that Python and native code share; their order here is the order in the header."""

from __future__ import annotations

from enum import IntEnum


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
    SLOT = 55  # a = index into `slots`: a value that crossed a function's boundary, in compositional runs
    # memory that nobody has written: value = which (tracer/uninitialised.h). It is 0 in the machine, and never a part
    # of a decision (engine/unwritten.c)
    UNWRITTEN = 56
    # a number that is read where a byte of it is used: value = which of the run's (tracer/deferred.c). It stands in
    # memory, and never in an expression
    DEFERRED = 57
    FFMA = 58  # a * b + c, rounded once


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
    HELD = 11  # open, but of a block of inputs that this path holds fixed (--partitioned)


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
    QUOTIENT = 25
    UNINITIALISED = 26  # what was never written decides something
    VIOLATED = 27  # a specification; report.value = its number
    DIFFERS = 28  # of two versions that ran on the same input: what, the region `difference` says


class Part(IntEnum):
    """What of a run is compared with that of another version; `number` tells parts of one kind apart."""

    ENDING = 0  # how the run ends
    RESULT = 1  # what the entry returns
    VARIABLE = 2  # number: place in Program.outputs
    OBJECT = 3  # of the inputs; number: place in the order of making
    CALL = 4  # of an undefined function; number: of its stub
    ARGUMENT = 5  # number: of the argument, of the call before it
    BEHIND = 6  # what lies behind that argument


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
    REFUSED = 12  # a run ended at a call that veer does not follow
    SANDBOX = 13  # a run ended at a system call that the sandbox refuses
    ARBITRARY = 14  # an answer was made up that the language leaves open, and the program may depend on it


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
    FLOWS = 17
    CROSSINGS = 18  # or slots


class FlowKind(IntEnum):
    """What brought two flows together first: the witness of a set of inputs (FlowTest, algorithm 3)."""

    INPUT = 0  # one input, nothing was brought together
    VALUE = 1  # an expression (line 11)
    STORE = 2  # an assignment to memory, under the controlling branches (line 11)
    TEST = 3  # a condition tested under controlling branches (lines 17 and 21)
    LOAD = 4  # what is read, and where
    JOIN = 5  # what is written on one side of a branch, or chosen by it, where its sides meet
    CALL = 6  # what a call of uninstrumented code was given
    END = 7  # what decided the end of a run, and what changed in it
    LITERAL = 8  # the inputs of one condition


class Crossing(IntEnum):
    """Kinds of CROSSING records: what crossed a function's boundary in a compositional run, in order."""

    ENTER = 1  # number = how many calls the caller's activation made before
    ARGUMENT = 2  # number = which one; address = the constant base of a symbolic pointer, else 0
    OBJECT = 3  # memory that the function may use: address, value = size, number = argument that leads there or NONE
    CELL = 4  # a part of the last object, on the way in; number = the constant base of a symbolic pointer, else 0
    RESULT = 5  # number = which leaf of the return value; address as for ARGUMENT
    OUTPUT = 6  # a cell on the way out; number as for CELL
    LEAVE = 7


class Refusal(IntEnum):
    """Why a function is not summarised: it is then a part of its callers."""

    NONE = 0
    INPUT = 1  # it makes or decides an input
    EXTERNAL = 2
    HEAP = 3
    LOSS = 4
    MEMORY = 5  # it uses memory that neither its arguments nor globals lead to at once
    LARGE = 6
    SIGNATURE = 7
    EXTENT = 8  # an object of symbolic size
    LIMIT = 9  # a run ended in it at a limit that its callers share: steps, stack, memory
    FORM = 10  # a run left the closed form of a loop
    OFTEN = 11  # what crosses its boundary in one run is too much to record


class LeafKind(IntEnum):
    """What an input leaf is, so that its value can be shown."""

    UNSIGNED = 1
    SIGNED = 2
    BOOL = 3
    CHAR = 4
    FLOAT = 5
    CHOICE = 6  # alternative of a pointer: 0 NULL, 1 fresh, 2 + k alias of the k-th earlier object of its type
    BYTE = 7


class Bound(IntEnum):
    """Which bound of the inputs decides a number: model.program.BoundKind by the same names."""

    NONE = 0
    LENGTH = 1
    ARRAY = 2
    DEPTH = 3
    ARGUMENT = 4
    INPUT = 5
    FILE = 6
    FILES = 7
    READS = 8
    CALLS = 9
    STATE = 10
    INTERRUPTS = 11
    CLOCKS = 12
    LONGER = 13
    ARGUMENTS = 14


class Command(IntEnum):
    """What Python asks of an executor: one byte on the command pipe; arguments lie in the control block."""

    HELLO = 1
    RUN = 2  # inbox input, from the root
    EXPAND = 3  # ids[0:id_count]
    FOLLOW = 4  # ids[0], inbox input
    DFS = 5  # ids[0] subtree; bound = max_depth, budget = max_runs
    QUIT = 6
    RESCAN = 7  # after a crash: note in the tree what `current_node` did (`crash_outcome`), then go on
    EVALUATE = 8  # ids[0] = expression; inbox input; result in `answer`
    AGAIN = 9  # paths ids[0:id_count], for their flows alone
    RELEASE = 10  # HELD nodes that wait for leaves ids[0:id_count], of all leaves if there are none: `freed`
    MUTATE = 11  # max_runs concrete runs of changed inputs; those that show something are run concolically


class Reply(IntEnum):
    """One byte on the reply pipe."""

    DONE = 1
    RESTART = 2  # the work up to `ids_done` is done; renew this process before more
    FULL = 3  # a capacity is exhausted; nothing more can be recorded


class EventFlag(IntEnum):
    """What is special about a decision with two sides; bits. A choice's bits are its cut alternatives."""

    SETTLED = 1  # what was decided before implies it: the other side is infeasible, and nobody need ask


class PathFlag(IntEnum):
    """What is special about a path; bits."""

    NEW_EDGE = 1  # covers an edge that no earlier run covered
    NEW_PATH = 2  # its hash of source branch sides and choices is new
    DIVERGED = 4
    NEW_BUG = 8  # first or smaller witness of (outcome, site)
    NEW_OUTCOME = 16


class OutputKind(IntEnum):
    """What a record of `outputs` shows; its number is the variable's in the harness, or an input object's from 1 on."""

    BEFORE = 1  # a global variable before the call
    AFTER = 2
    OBJECT = 3  # an input object after the call
    UNWRITTEN = 4  # which bytes of that address's record, or (number NONE) of what was returned, nobody wrote
    CALL = 5  # a call of a stub: its number in the program; no bytes
    ARGUMENT = 6  # an argument of that call, numbered from 0: its bytes, then a flag for each that nobody wrote
    EVENT = 8  # an event that specifications see: its number in the program; what is told of it, 8 bytes each
    BEHIND = 7  # what lies behind that argument, a pointer, at `address`: the same
    WITNESS = 9  # of one of two versions: what lies where they differ
    MADE = 10  # a block, or static data, that was left; number: its size; its first bytes, then their unwritten bits
    FREED = 11  # an input object that the run freed; no bytes; its address is the site that freed it
    POOL = 12  # an object of a call sequence: its pool, shifted by 16, and its number there; no bytes
    ALLOCATED = 13  # so many blocks, at the site that is its address; no bytes; 0 of them: not all sites are told
    RELEASED = 14  # the same of blocks that were freed
