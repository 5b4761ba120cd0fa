"""The options of a campaign as frozen values. The command line, the Python API and the docs are made from the fields.

A field without a help is no option of its own: it is derived from others, or veer's alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veer.model.option import Kind, Option, Paths, option, options_of
from veer.model.sequence import OwnStruct
from veer.model.sought import Sought

SANDBOXES = ("on", "off", "strict")
"""What the kernel grants, nothing, or all of it."""
GOALS = ("all", "entry", "specification")
CRITERIA = ("branch", "mcdc", "path")
LADDER_RUNGS = ("domain", "interval", "invert", "ranges", "order", "recent", "linear", "pairs", "enumerate")
"""The rungs of the native ladder, in the order in which they are asked; but `choice`: nobody else knows pointers."""
WITHOUT = (
    *("ladder", *LADDER_RUNGS, "events"),
    *("syntactic", "common", "slice", "near", "cores", "models", "pins", "sampling", "fresh", "preprop"),
    *("copies", "loops", "disk"),
)
"""The optimisations that can be switched off; none changes what is found."""
INPUTS = ("time", "clock", "clock_gettime", "gettimeofday", "getenv", "rand", "random")
"""Functions of the C library whose answers can be inputs."""
FAIL: Mapping[str, tuple[str, ...]] = {
    "malloc": ("malloc", "calloc", "realloc", "strdup", "strndup"),
    "io": ("fopen", "read", "write"),
}
"""What can fail on request, and the functions of the C library that do then."""
ALL_PATHS = ("mcdc", "path")
"""The criteria for which every path may be a test."""
OwnBound = tuple[str, str, int]
"""A bound of one parameter: "max-length", "max-array" or "graph-depth", the parameter's name, the number."""
_OWN = "NAME=N: of the parameter NAME; may be given again."
_MIB = 1 << 20
_MOST_SECONDS_OF_SHRINKING = 3.0
_USUAL_SECONDS_BEHIND = 17.0  # of a search of 60 s: 5 s and a fifth


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What decides the search. Seconds, counts, bytes."""

    search: str = option(
        Kind.TEXT,
        "Which search: of all inputs together, --partitioned, --compositional, or an installed package's.",
        default="plain",
        groups=("veer.searches",),
    )
    strategy: str = option(Kind.TEXT, "Which open branch comes next.", default="coverage", groups=("veer.strategies",))
    goal: str = option(
        Kind.TEXT,
        "Whose branches the search is for: everyone's, the entry's, those before events of specifications.",
        default="all",
        choices=GOALS,
    )
    criterion: str = option(
        Kind.TEXT,
        "Keep as tests what covers branches, what shows MC/DC pairs, too, or every path.",
        default="branch",
        choices=CRITERIA,
    )
    budget: float = option(Kind.TIME, "Time of the search: 500ms, 60s, 2m.", default=60.0)
    max_runs: int = option(Kind.NUMBER, "Most runs; 0 = no limit.", default=0, least=0)
    max_bugs: int = option(
        Kind.NUMBER,
        "End once N different bugs are known, hangs not counted; those of the same round are kept. 0 = no limit.",
        default=0,
        least=0,
    )
    plateau: int = option(
        Kind.NUMBER,
        "End after N runs without anything new (a branch, an outcome, a bug); 0 = never.",
        default=0,
        least=0,
    )
    keep_going: bool = option(
        Kind.SWITCH,
        "Go on once all branches are covered, for bugs on paths that cover nothing new; or stop there.",
        default=True,
        flags=("--keep-going/--no-keep-going",),
    )
    shrink: bool = option(
        Kind.SWITCH,
        "Shrink the inputs of bugs and tests, as far as they show the same; or leave them as the search found them.",
        default=True,
        flags=("--shrink/--no-shrink",),
    )
    reach: bool = option(
        Kind.SWITCH,
        "Bring bugs about by calls where functions of the unit make the objects of their inputs; or leave that out.",
        default=True,
        flags=("--reach/--no-reach",),
    )
    max_branches: int = option(
        Kind.NUMBER, "Negate only the first N decisions of a path; 0 = all.", default=4000, least=0
    )
    max_steps: int = option(
        Kind.NUMBER, "A run of more calls and loop rounds than this is a hang.", default=2_000_000, least=1
    )
    timeout: float = option(Kind.TIME, "Time of one run, a backstop behind --max-steps.", default=1.0)
    look_ahead: bool = option(
        Kind.SWITCH,
        "Skip paths from which no uncovered branch can be reached.",
        default=False,
        flags=("--look-ahead/--no-look-ahead",),
    )
    max_call_depth: int | None = option(
        Kind.NUMBER,
        "Negate nothing more than N calls below the entry; what hangs on it may be missed.",
        default=None,
        least=0,
    )
    solve_first: bool = option(Kind.SWITCH, "With dfs: try every branch of a run before going deeper.", default=False)
    partition: tuple[tuple[str, ...], ...] = option(
        Kind.FILE, "--partitioned from these blocks: a line each, with names of its inputs.", default=()
    )
    checks_partition: bool = option(
        Kind.FILE,
        "Search by these blocks, and say where they interfere; nothing is merged.",
        default=False,
        name="check_partition",
    )
    oracles: tuple[str, ...] = option(
        Kind.NAMES,
        "What says which results are wrong: oracles that installed packages offer; may be given again.",
        default=(),
        name="oracle",
    )
    solver: str = option(
        Kind.TEXT,
        "bitwuzla, z3, cvc5 (`pip install 'veer[z3,cvc5]'`), a package's; several in this order.",
        default="bitwuzla",
        metavar="NAME[,NAME]",
    )
    seed: int = option(Kind.NUMBER, "Seed of everything random.", default=0, least=0)
    hybrid: bool = option(
        Kind.SWITCH,
        "Run changed inputs concretely in between, and concolically what covers something new; not with --strategy.",
        default=True,
        flags=("--hybrid/--no-hybrid",),
    )
    batch: int = option(Kind.NUMBER, "Open branches that are handed out at once.", default=64, least=1)
    jobs: int = option(Kind.NUMBER, "Processes that solve and run.", default=1, least=1)
    workers: str = option(
        Kind.TEXT,
        "What --jobs makes: processes of this machine, or an installed package's workers.",
        default="processes",
        groups=("veer.workers",),
        hidden=True,
    )
    campaign_memory: int = option(
        Kind.NUMBER,
        "Memory of the search: once it is used up, finished subtrees become counts.",
        default=1024 * _MIB,
        metavar="MIB",
        least=64,
        unit=_MIB,
    )
    sandbox: str = option(
        Kind.TEXT,
        "Confine what runs the unit: on, as far as the kernel grants it; off; strict: all of it, or nothing is run.",
        default="on",
        metavar="MODE",
        choices=SANDBOXES,
        unknown="there is no such mode",
    )
    read: tuple[str, ...] = option(
        Kind.TEXTS,
        "A folder or file that the unit may read, beside the system's libraries and those of --link; may be given "
        "again.",
        default=(),
        metavar="DIR",
        paths=Paths.ALL,
    )
    without: tuple[str, ...] = option(
        Kind.NAMES,
        f"Switch off optimisations, to measure them: {', '.join(WITHOUT)}. What is found stays the same.",
        default=(),
        choices=WITHOUT,
        unknown="there is no such optimisation",
        hidden=True,
    )
    sought: tuple[Sought, ...] = ()  # the only bugs that are told of, without any tests but theirs; (): all, and tests
    patience: float = 0.0  # seconds without anything new, after which the search ends; 0 = no such limit
    growing: tuple[str, ...] = ()  # the bounds of the inputs ("max-length") that grow where runs come to them
    memory: int = 256 * _MIB  # of the unit's heap
    restarts: int = option(
        Kind.NUMBER,
        "Where precision was lost, fresh random inputs go on (DART) until so many in a row have shown nothing new.",
        default=10_000,
        least=0,
    )
    restarts_in_all: int = 0  # 0 = no limit
    behind: float = 0.0  # seconds that all which follows the search may take; 0 = 5 and a fifth of the budget
    random_share: int = option(
        Kind.NUMBER,
        "Of 100 picks of the strategies priority and specification, so many are random (LCT).",
        default=10,
        least=0,
    )

    @property
    def is_hybrid(self) -> bool:
        """Whether concrete runs of changed inputs belong to the search."""
        return self.hybrid and self.search == "plain" and self.strategy == "coverage"

    @property
    def seconds_behind(self) -> float:
        """How long all that follows the search may take."""
        return self.behind or 5.0 + 0.2 * self.budget

    @property
    def pace(self) -> float:
        """How much of their usual time the steps behind the search may take: less behind a short one, but for the few
        that there are where bugs are sought."""
        return 1.0 if self.sought else min(1.0, self.seconds_behind / _USUAL_SECONDS_BEHIND)

    @property
    def shrinking_seconds(self) -> float:
        """How long inputs may be shrunk behind the search: a tenth of its budget, and no more than usual."""
        return min(_MOST_SECONDS_OF_SHRINKING * self.pace, 0.1 * self.budget) if self.shrink else 0.0


@dataclass(frozen=True, slots=True)
class GivenTerms:
    """A part of a contract that the user gives: for which function ("" = the entry), its terms, where it stands.

    GivenTerms("scale", "range(percent, 0..100)", "veer.toml:3")
    """

    function: str
    terms: str
    place: str


@dataclass(frozen=True, slots=True)
class SearchSwitches:
    """Switches that decide other fields of SearchOptions: `search`, `growing`."""

    partitioned: bool = option(
        Kind.SWITCH,
        "Search inputs that do not interfere one by one: n blocks of p paths take n times p runs, not p to the n.",
        default=False,
    )
    compositional: bool = option(
        Kind.SWITCH, "Search by summaries of functions: their paths are added, not multiplied.", default=False
    )
    grow: bool = option(
        Kind.SWITCH,
        "Double the bounds of the inputs that runs came to, once all is run within them; a bound that is given stays.",
        default=True,
        flags=("--grow/--no-grow",),
    )


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides the instrumented executable."""

    sources: tuple[Path, ...]
    entry: str
    max_length: int = option(
        Kind.BOUND, f"Most characters of a string, bytes of a buffer (8). {_OWN}", default=8, metavar="[NAME=]N"
    )
    max_array: int = option(
        Kind.BOUND, f"Most elements of an array behind a pointer (4). {_OWN}", default=4, metavar="[NAME=]N"
    )
    graph_depth: int = option(
        Kind.BOUND, f"Deepest chain of pointers in an input (3). {_OWN}", default=3, metavar="[NAME=]N"
    )
    own_bounds: tuple[OwnBound, ...] = ()  # of single parameters, in the place of the three above
    eager: bool = option(
        Kind.SWITCH, "Make whole memory graphs before the call, not as they are looked at.", default=False
    )
    size_of: tuple[str, ...] = option(
        Kind.TEXTS, "The parameter LEN holds the length of the parameter BUF.", default=(), metavar="BUF=LEN"
    )
    void: tuple[str, ...] = option(
        Kind.TEXTS, "The void * parameter PARAM leads to a TYPE, not to bytes.", default=(), metavar="PARAM=TYPE"
    )
    not_null: tuple[str, ...] = option(
        Kind.NAMES, "The pointer PARAM is never null; may be given again.", default=(), name="nonnull", metavar="PARAM"
    )
    ranges: tuple[str, ...] = option(
        Kind.TEXTS,
        "The integer PARAM is one of LO..HI; may be given again.",
        default=(),
        name="range",
        metavar="PARAM=LO..HI",
    )
    contracts: tuple[GivenTerms, ...] = ()  # of these two and veer.toml: frontends/c/contracts/terms.py
    prototype: str = option(
        Kind.TEXT,
        "Of machine code: what the entry takes and returns, as 'int f(const char *s, int n)'.",
        default="",
        metavar="TEXT",
    )
    arch: str = option(
        Kind.TEXT, "Of a raw image, Intel HEX or S-records: the architecture.", default="", metavar="NAME"
    )
    base: str = option(
        Kind.TEXT, "Of a raw image (.bin): the address of its first byte.", default="", metavar="ADDRESS"
    )
    ram: tuple[str, ...] = option(
        Kind.TEXTS, "Of such a file: writable memory; may be given again.", default=(), metavar="BEGIN:SIZE"
    )
    jump_targets: tuple[tuple[int, int], ...] = ()  # of machine code: indirect jumps, and where runs saw them go
    globals: bool = option(Kind.SWITCH, "Make the unit's global variables inputs too.", default=False)
    summarise: tuple[str, ...] = option(
        Kind.NAMES,
        "With --compositional: only this function, or the simple loop at FILE:LINE, is summarised.",
        default=(),
    )
    preconditions: tuple[str, ...] = option(
        Kind.NAMES,
        "A predicate over the entry's parameters, or one of them: inputs for which it is 0 are no tests.",
        default=(),
        name="pre",
    )
    specifications: tuple[str, ...] = option(
        Kind.TEXTS,
        "What must hold of calls and returns: a file of specifications (docs/specifications.md); may be given again.",
        default=(),
        name="spec",
        metavar="FILE",
        paths=Paths.ALL,
    )
    sequence: str = option(
        Kind.TEXT,
        "Instead of --entry: sequences of calls, as 'init,add*,{remove,member}' (* and {}: any number of times). "
        "What one call makes flows on to the others.",
        default="",
        metavar="CALLS",
    )
    against: tuple[Path, ...] = ()  # sources of another version of the entry, on the same inputs (`veer compare`)
    own_structs: tuple[OwnStruct, ...] = ()  # of a sequence that is to bring a bug about (docs/severity.md)
    max_calls: int = option(Kind.NUMBER, "Most calls of a sequence.", default=5, least=1)
    stdin_size: int = option(Kind.NUMBER, "Most bytes of standard input, of what reads it.", default=8, least=0)
    argv_size: int = option(Kind.NUMBER, "Most characters of each argument of a whole program.", default=8, least=0)
    argc: int = option(
        Kind.NUMBER,
        "Most arguments of a whole program, its name counted; the search tries fewer, too.",
        default=3,
        least=1,
    )
    input_files: int = option(
        Kind.NUMBER,
        "Most files that a run asks for, nobody has made, and may be there all the same, with any content; 0: none.",
        default=2,
        least=0,
    )
    file_size: int = option(Kind.NUMBER, "Most bytes of each of these files.", default=8, least=0)
    register_reads: int = option(
        Kind.NUMBER,
        "Most reads of one register of the program's machine that are inputs: behind them it keeps its value. "
        "Registers are at addresses that the code names; 0: there are none.",
        default=4,
        least=0,
    )
    regions: tuple[str, ...] = option(
        Kind.TEXTS,
        "There are registers in the SIZE bytes from ADDRESS on, which the code may not name; may be given again.",
        default=(),
        name="region",
        metavar="ADDRESS:SIZE",
    )
    interrupt: str = option(
        Kind.TEXT,
        "This function may be called before each volatile access of the entry, as an interrupt would come.",
        default="",
        metavar="NAME",
    )
    interrupt_calls: int = option(
        Kind.NUMBER, "Most calls of the function of --interrupt in a run.", default=1, least=1
    )
    mocks: bool = option(
        Kind.SWITCH,
        "Tests expect how often functions are called that nobody defines, and with what; or only how often, where they "
        "return numbers.",
        default=True,
        flags=("--mocks/--no-mocks",),
    )
    mock_order: bool = option(
        Kind.SWITCH, "Tests expect the order of the calls of different such functions, too.", default=False
    )
    files: tuple[str, ...] = option(
        Kind.TEXTS,
        "Make up to SIZE bytes of the file that fopen finds under NAME an input; stdin is standard input.",
        default=(),
        name="symbolic_file",
        metavar="NAME=SIZE",
    )
    inputs: tuple[str, ...] = option(
        Kind.NAMES,
        f"Make what these functions of the C library answer inputs: {', '.join(INPUTS)}; of these getenv always is, "
        "but with none.",
        default=(),
        metavar="NAME,...",
        choices=(*INPUTS, "none"),
        unknown="its answers cannot be inputs",
    )
    fail: tuple[str, ...] = option(
        Kind.NAMES,
        "Let calls fail as they may: malloc (calloc, realloc, strdup), io (fopen, read, write; short ones, too). "
        "Each failure is an input.",
        default=(),
        metavar="WHAT,...",
        choices=tuple(FAIL),
        unknown="that cannot be made to fail",
    )
    checks: tuple[str, ...] = option(
        Kind.NAMES,
        "Aim at this too: shift-base, float-divide, unsigned-overflow, conversion, float-cast, null, alignment, "
        "pointer, bool, enum, unreachable, undefined (what the C standard leaves undefined); may be given again.",
        default=(),
        name="check",
        metavar="CHECK",
    )
    no_checks: tuple[str, ...] = option(
        Kind.NAMES,
        "Do not look for this: overflow, shift, divide, array-bounds, return, vla, builtin, leak, "
        "uninitialised, all; may be given again.",
        default=(),
        name="no_check",
        metavar="CHECK",
    )
    uninstrumented: tuple[str, ...] = option(Kind.NAMES, "Keep this function concrete.", default=())
    include: tuple[str, ...] = option(
        Kind.TEXTS, "Directory of headers.", default=(), metavar="DIR", flags=("-I",), paths=Paths.ALL
    )
    define: tuple[str, ...] = option(Kind.TEXTS, "Macro.", default=(), metavar="NAME[=V]", flags=("-D",))
    preludes: tuple[str, ...] = option(
        Kind.TEXTS,
        "A header that comes before each source: a file, or veer's own for the words of another compiler: c51, armcc, "
        "iar, sdcc, cmsis; may be given again.",
        default=(),
        name="prelude",
        metavar="FILE",
        paths=Paths.FILES,
    )
    targets: tuple[str, ...] = option(
        Kind.NAMES,
        "The machine that the sources are for: arm, arm-linux, aarch64, riscv32, riscv64, xtensa, i386. Its "
        "characters and enumerations hold, and inputs stay within its words. Else this machine, or what --compdb says.",
        default=(),
        name="target",
        metavar="NAME",
    )
    std: str | None = option(Kind.TEXT, "C standard, e.g. c99; else the compiler's.", default=None, metavar="S")
    cflags: tuple[str, ...] = option(
        Kind.TEXTS, "Another compiler flag.", default=(), name="cflag", metavar="FLAG", paths=Paths.FLAGS
    )
    link: tuple[str, ...] = option(
        Kind.TEXTS, "Library to link: m, -lz, a file.", default=(), metavar="LIB", paths=Paths.FILES
    )
    cc: str | None = option(Kind.TEXT, "Your own clang; veer brings a compiler.", default=None, metavar="CC")
    flags_of: tuple[tuple[str, tuple[str, ...]], ...] = ()  # flags of single sources, by absolute path (--compdb)
    partitioned: bool = False  # with FlowTest's flow map: a search by blocks needs it
    compositional: bool = False  # functions record what crosses their boundaries: a search by summaries needs it
    has_fast_path: bool = True  # the unit's functions have a copy of their own for concrete data
    loops: bool = True  # with `compositional`: simple loops have boundaries of their own, and closed forms


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What becomes of a result, beside the files that are always written."""

    out: Path | None = option(Kind.FILE, "Where results go; veer-out/NAME if not given.", default=None, metavar="DIR")
    formats: tuple[str, ...] = option(
        Kind.NAMES,
        "Write this too: a suite ({}) or a report ({}); may be given again. report.html is always written.",
        default=(),
        name="format",
        metavar="FMT",
        groups=("veer.suites", "veer.reports"),
    )
    json: Path | None = option(Kind.FILE, "Write summary.json here too.", default=None)
    quiet: bool = option(Kind.SWITCH, "Print nothing but errors.", default=False)
    baseline: tuple[str, ...] = option(
        Kind.TEXTS,
        "Bugs of this file (--format baseline writes it) are accepted: they fail nothing; may be given again.",
        default=(),
        metavar="FILE",
    )
    fail_on: str = option(
        Kind.TEXT,
        "Least severity of a bug that gives exit code 1: error, undefined, or contract.",
        default="undefined",
        metavar="SEVERITY",
        choices=("error", "undefined", "contract"),
        unknown="there is no such severity",
    )


SEARCH: tuple[Option, ...] = options_of(SearchOptions, SearchSwitches)
BUILD: tuple[Option, ...] = options_of(BuildOptions)
OUTPUT: tuple[Option, ...] = options_of(OutputOptions)
