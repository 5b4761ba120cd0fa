"""The options of a search."""

from __future__ import annotations

from dataclasses import dataclass

from veer.model.option import Kind, Paths, option
from veer.model.sought import Sought

SANDBOXES = ("on", "off", "strict")
"""What the kernel grants, nothing, or all of it."""
GOALS = ("all", "entry", "specification")
CRITERIA = ("branch", "mcdc", "path")
LADDER_RUNGS = ("domain", "interval", "invert", "ranges", "order", "recent", "linear", "pairs", "enumerate", "frontier")
"""The rungs of the native ladder, in the order in which they are asked; but `choice`: nobody else knows pointers."""
WITHOUT = (
    *("ladder", *LADDER_RUNGS, "events"),
    *("syntactic", "common", "slice", "near", "cores", "models", "pins", "products", "sampling", "fresh", "preprop"),
    *("copies", "loops"),
)
"""The optimisations that can be switched off; none changes what is found."""
ALL_PATHS = ("mcdc", "path")
"""The criteria for which every path may be a test."""
_MIB = 1 << 20
_MOST_SECONDS_OF_SHRINKING = 3.0
_USUAL_SECONDS_BEHIND = 17.0  # of a search of 60 s: 5 s and a fifth


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What decides the search. Seconds, counts, bytes."""

    search: str = option(
        Kind.TEXT,
        "Which search: plain, of all inputs together; partitioned; compositional; auto: plain, which tries the other "
        "two; or an installed package's.",
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
        "bitwuzla, z3, cvc5 (`pip install 'veer-test[z3,cvc5]'`), a package's; several in this order.",
        default="bitwuzla",
        metavar="NAME[,NAME]",
    )
    seed: int = option(Kind.NUMBER, "Seed of everything random.", default=0, least=0)
    seeds: tuple[str, ...] = option(
        Kind.TEXTS,
        "Begin with inputs that exist: files of bytes or .ktest files, or folders of them; may be given again.",
        default=(),
        metavar="DIR",
        paths=Paths.ALL,
    )
    hybrid: bool = option(
        Kind.SWITCH,
        "Run changed inputs concretely in between, and concolically what covers something new; not with --strategy.",
        default=True,
        flags=("--hybrid/--no-hybrid",),
    )
    batch: int = option(Kind.NUMBER, "Open branches that are handed out at once.", default=64, least=1)
    jobs: int = option(
        Kind.NUMBER, "Processes that solve and run; 0: as many as there are processors.", default=1, least=0
    )
    cluster: str = option(
        Kind.TEXT,
        "Search by workers of a Ray cluster: local starts one on this machine, ADDRESS joins one (docs/cluster.md).",
        default="",
        metavar="ADDRESS",
    )
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
    stored_summaries: bool = option(
        Kind.SWITCH,
        "With --compositional: begin with summaries of functions that earlier campaigns kept, and keep these. Fewer "
        "runs; which are made, and which tests there are, depends on what was kept.",
        default=False,
    )
    sockets: bool = option(
        Kind.SWITCH, "Let the unit use the network: --sandbox refuses sockets otherwise.", default=False
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
    patience: float = 0.0  # about seconds of work (search/cost.py) without news, then it ends; 0 = never
    most_cost: float = 0.0  # of this search (search/cost.py); 0 = no limit: a trial beside another search has one
    seeds_digest: str = ""  # of what the files of `seeds` hold
    growing: tuple[str, ...] = ()  # the bounds of the inputs ("max-length") that grow where runs come to them
    waiting_memory: int = 0  # bytes of tree beyond which the deepest branch comes first; 0 = by campaign_memory
    memory: int = 256 * _MIB  # of the unit's heap
    restarts: int = option(
        Kind.NUMBER,
        "Where precision was lost, fresh random inputs go on (DART) until so many in a row have shown nothing new.",
        default=10_000,
        least=0,
    )
    restarts_in_all: int = 0  # 0 = no limit
    joins_late: bool = False  # the cluster is known to be there: only a search that takes workers joins it
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
        return self.hybrid and self.is_whole and self.strategy == "coverage"

    @property
    def is_whole(self) -> bool:
        """Whether the search is one of all inputs together, whatever it tries beside."""
        return self.search in ("plain", "auto")

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
