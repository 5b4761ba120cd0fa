"""What a campaign found: frozen values, the source of summary.json (docs/design.md), every report and suite."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec import Struct

from veer.model.boards import BoardLook
from veer.model.buildoptions import BuildOptions
from veer.model.coverage import FunctionCoverage, LineCoverage, Sample, SourceText
from veer.model.decisions import DecisionCoverage
from veer.model.ending import BranchState, Ending
from veer.model.growth import Growth
from veer.model.inputs import InputMap
from veer.model.made import NOTHING_LEFT, Left
from veer.model.outcome import Outcome
from veer.model.partition import Partitioning
from veer.model.program import Program
from veer.model.severity import NOT_TO_BLAME, Judgement, Severity, worst_first
from veer.model.specification import Seen
from veer.model.state import Origin
from veer.model.stubcalls import Called
from veer.model.summaries import Summaries
from veer.model.tree import TreeNode
from veer.model.values import replace


class Frame(Struct, frozen=True):
    """A line of a stack trace, innermost first."""

    function: str
    file: str
    line: int


class Output(Struct, frozen=True):
    """What an input object, or a global variable, held when the entry had returned.

    `number`: the input object's, or 0 for the variable `name`; `before` of an object is what the inputs say.
    `pointers`: (byte offset in `after`, number of the input object whose start is pointed to; 0 for another address
    of the run, which no other build has). `unwritten`: offsets of bytes that the unit copied there and nobody wrote.
    """

    number: int
    name: str
    type: int
    before: bytes
    after: bytes
    pointers: tuple[tuple[int, int], ...] = ()
    unwritten: tuple[int, ...] = ()


class Test(Struct, frozen=True, eq=False):
    """A kept path: its inputs and what they led to."""

    name: str
    inputs: InputMap
    outcome: Outcome
    exit_code: int | None
    returned: bytes | None  # the result's bytes as the entry returned them
    covers: tuple[int, ...]  # coverage items (branch ids) that it covers
    replayed: str  # "same", "differs: ...", or "not replayed: ..."
    printed: bytes | None = None  # to standard output; None where that is not known, or not the same each time
    path: int = 0  # -1: a further input of another test's path
    outputs: tuple[Output, ...] = ()
    returned_object: int = 0  # the input object whose start the returned pointer points to
    shown: tuple[tuple[str, str], ...] = ()  # its inputs in the words of its language: name, value
    callees: tuple[int, ...] = ()  # a number for each target of an indirect call; not kept, nor compared
    state: Origin | None = None  # how the static data that the entry reads came about; None: nothing changes it
    called: Called | None = None  # functions that are defined nowhere; None: not known
    events: tuple[str, ...] = ()  # the last that specifications saw; not compared
    left: Left = NOTHING_LEFT  # the blocks that it made, and the pointers to them
    decides: int = -1  # the coverage item at which it leaves the test that is most like it; -1: none
    __test__ = False  # for pytest: a value, no tests

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Test) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in ("callees", "events"))


class Confirmation(StrEnum):
    """Where a bug showed again, with its recorded input."""

    PLAIN = "plain"  # in the plain build, without any instrumentation
    CHECKED = "checked"  # in a fresh process of the instrumented build
    NO = "no"  # nowhere


class Bug(Struct, frozen=True):
    """One site and kind, however many paths reach it; the smallest input is kept."""

    id: int
    outcome: Outcome
    file: str
    line: int
    column: int
    function: str
    message: str
    test: str
    stack: tuple[Frame, ...]
    confirmed: Confirmation
    run: int
    seconds: float
    count: int = 1
    judgement: Judgement = NOT_TO_BLAME
    fingerprint: str = ""  # what tells it from others when lines have moved (model/fingerprint.py)
    is_accepted: bool = False  # it stands in the baseline
    reached_by: tuple[str, ...] = ()  # calls of the unit's functions that bring it about, and what they are given

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.judgement.severity

    @property
    def needs(self) -> tuple[str, ...]:
        """What its input breaks, in sentences without full stops: none unless it is of severity CONTRACT."""
        return tuple(each.sentence for each in self.judgement.broken)


def in_order(bugs: Iterable[Bug]) -> tuple[Bug, ...]:
    """The bugs numbered anew, the worst first, else in the order that they have."""
    ordered = sorted(bugs, key=lambda bug: worst_first(bug.severity))
    return tuple(replace(bug, id=number) for number, bug in enumerate(ordered, 1))


class Branch(Struct, frozen=True):
    """A coverage item: one side of a source branch."""

    id: int
    file: str
    line: int
    column: int
    text: str
    side: str
    state: BranchState
    reason: str
    function: str = ""


class LedgerEntry(Struct, frozen=True):
    """A place where precision was lost."""

    kind: str
    file: str
    line: int
    detail: str
    count: int


class Count(Struct, frozen=True):
    covered: int
    total: int


class Coverage(Struct, frozen=True):
    """Measured by the counters-only build on replay; None where not measured."""

    branches: Count | None = None
    lines: Count | None = None
    functions: Count | None = None
    conditions: Count | None = None
    mcdc: Count | None = None


class Constraints(Struct, frozen=True):
    """Constraints of the queries that neither the ladder nor the syntactic check answered (CUTE section 3.5).

    `repeated` and `independent` of those `given` were spared the solvers.
    """

    given: int = 0
    repeated: int = 0
    independent: int = 0


class Rung(Struct, frozen=True):
    """How often one rung of the native ladder was asked, and what it answered."""

    asked: int
    sat: int
    unsat: int


class Queries(Struct, frozen=True):
    total: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    answered_by: dict[str, int] = msgspec.field(default_factory=dict)
    constraints: Constraints = Constraints()
    ladder: dict[str, Rung] = msgspec.field(default_factory=dict)  # by name, those that were asked


class Operations(Struct, frozen=True):
    """Executed operations with a symbolic operand, over all runs (branches, and moves of bytes, are not among them).

    `symbolic`: kept as a term. `pinned`: fixed to a value whose alternatives are explored one by one.
    `concretised`: lost, with an entry in the ledger.
    """

    symbolic: int = 0
    pinned: int = 0
    concretised: int = 0

    @property
    def total(self) -> int:
        return self.symbolic + self.pinned + self.concretised

    @property
    def fixed_share(self) -> float:
        """The part of them whose value was fixed in its run, whether or not alternatives are explored; 0 to 1."""
        return (self.pinned + self.concretised) / self.total if self.total else 0.0


class Seconds(Struct, frozen=True):
    total: float = 0.0
    compile: float = 0.0
    execute: float = 0.0
    solve: float = 0.0
    explore: float = 0.0
    ladder: dict[str, float] = msgspec.field(default_factory=dict)  # of `solve`, by rung


class Result(Struct, frozen=True):
    """One campaign over one entry."""

    program: Program
    seed: int
    strategy: str
    options: dict[str, object]
    ending: Ending
    runs: int
    paths: int
    diverged: int
    queries: Queries
    coverage: Coverage
    branches: tuple[Branch, ...]
    bugs: tuple[Bug, ...]
    tests: tuple[Test, ...]
    ledger: tuple[LedgerEntry, ...]
    seconds: Seconds
    platform: str = ""
    toolchain: str = ""
    lines: tuple[LineCoverage, ...] = ()  # with those of functions that the entry never calls
    functions: tuple[FunctionCoverage, ...] = ()
    samples: tuple[Sample, ...] = ()
    tree: tuple[TreeNode, ...] = ()
    texts: tuple[SourceText, ...] = ()
    operations: Operations = Operations()
    decisions: tuple[DecisionCoverage, ...] = ()  # with those that are not measured
    partition: Partitioning | None = None  # of a search block by block
    summaries: Summaries | None = None  # of a compositional search
    growth: Growth | None = None  # of the bounds; None: the search within the first ones was the only one
    watched: tuple[Seen, ...] = ()  # what was seen of each specification of the program
    mutated_runs: int = 0  # concrete runs of changed inputs, which `runs` does not count
    board_looks: tuple[BoardLook, ...] = ()  # which tests depend on the machine; empty: nobody looked
    files: dict[str, str] = msgspec.field(default_factory=dict)  # that the build read, with digests of their content
    builds: tuple[BuildOptions, ...] = ()  # that it rests on: its own, and that of the calls that bring its bugs about

    def bugs_at_least(self, severity: Severity | str = Severity.UNDEFINED) -> tuple[Bug, ...]:
        """The bugs that are so bad or worse, and in no baseline. Raises ValueError for a text that is no severity."""
        least = Severity(severity)
        return tuple(bug for bug in self.bugs if bug.severity.is_at_least(least) and not bug.is_accepted)
