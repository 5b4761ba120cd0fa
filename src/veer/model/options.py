"""The options of a campaign as one frozen value; the command line and the Python API use these names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STRATEGIES = ("coverage", "rarest", "dfs", "bfs", "generational", "priority", "random", "random-path")
GOALS = ("all", "entry")
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
ALL_PATHS = ("mcdc", "path")
"""The criteria for which every path may be a test."""
OwnBound = tuple[str, str, int]
"""A bound of one parameter: "max-length", "max-array" or "graph-depth", the parameter's name, the number."""
FORMATS = ("plain", "unity", "cmocka", "check", "gtest", "ktest", "testcomp", "corpus", "json")
REPORTS = ("html", "sarif", "junit", "github", "lcov", "cobertura")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides the instrumented executable."""

    sources: tuple[Path, ...]
    entry: str
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str | None = None
    cflags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    cc: str | None = None
    checks: tuple[str, ...] = ()  # overflow, shift, ... (UBSan's) and leak
    uninstrumented: tuple[str, ...] = ()
    max_length: int = 8
    max_array: int = 4
    graph_depth: int = 3
    eager: bool = (
        False  # whole memory graphs are made before the entry is called (CUTE), not when they are looked at (LCT)
    )
    own_bounds: tuple[OwnBound, ...] = ()  # of single parameters, in the place of the three above
    size_of: tuple[str, ...] = ()  # "BUF=LEN"
    void: tuple[str, ...] = ()  # "PARAM=TYPE": what void * parameters lead to
    globals: bool = False
    stdin_size: int = 8
    argv_size: int = 8
    argc: int = 3  # most, with the program's name
    flags_of: tuple[tuple[str, tuple[str, ...]], ...] = ()  # flags of single sources, by absolute path (--compdb)
    files: tuple[str, ...] = ()  # "NAME=SIZE": files whose contents are inputs
    inputs: tuple[str, ...] = ()  # functions of the C library whose answers are inputs, of INPUTS
    sequence: str = ""  # call sequences instead of one entry, as `init,add*,{remove,member}`
    max_calls: int = 5  # of a sequence
    preconditions: tuple[str, ...] = ()  # predicates over the entry's parameters: repOK
    partitioned: bool = False  # with FlowTest's flow map
    two_copies: bool = True  # the unit's functions have a copy of their own for concrete data
    compositional: bool = False  # boundaries of functions are recorded, for the search by summaries
    loops: bool = True  # simple loops have boundaries of their own then, and closed forms
    summarise: tuple[str, ...] = ()  # functions, and loops as FILE:LINE: no others have any; empty = all


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What decides the search. Seconds, counts."""

    strategy: str = "coverage"
    criterion: str = "branch"
    keep_going: bool = True
    budget: float = 60.0
    max_runs: int = 0  # 0 = no limit
    max_branches: int = 4000  # decisions on one path, 0 = no bound (CUTE's depth bound)
    max_steps: int = 2_000_000
    timeout: float = 1.0
    seed: int = 0
    batch: int = 64
    solver: str = "bitwuzla"  # names with commas: asked in this order until one knows
    memory: int = 256 << 20  # bytes of the unit's heap
    restarts: int = 8  # random restarts after an incomplete search is spent
    goal: str = "all"  # whose branches are to be covered: all, entry
    look_ahead: bool = False  # prune what cannot lead to an uncovered branch
    max_call_depth: int | None = None  # negate no decision deeper than this many calls below the entry
    solve_first: bool = False  # dfs: try every branch of a run before going deeper
    random_share: float = 0.1  # of the picks of the strategy `priority`
    plateau: int = 0  # runs without anything new (a branch, an outcome, a bug) that end the search; 0 = no limit
    jobs: int = 1  # processes that solve and run
    campaign_memory: int = 1 << 30  # bytes that the tree and the runs may take, of all jobs together
    without: tuple[str, ...] = ()  # optimisations that are switched off, of WITHOUT
    partitioned: bool = False  # block by block of inputs that do not interfere (FlowTest)
    partition: tuple[tuple[str, ...], ...] = ()  # blocks to begin with: names of inputs
    checks_partition: bool = False  # only say whether these interfere
