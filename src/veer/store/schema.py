"""summary.json, schema 1 (docs/design.md), as msgspec structs. Keys may be added, never changed or removed."""

from __future__ import annotations

import msgspec

SCHEMA = 1


class Tool(msgspec.Struct):
    name: str
    version: str


class EndingRecord(msgspec.Struct):
    """Why the campaign stopped, and what may be claimed."""

    kind: str
    claim: str
    within: list[str]
    lost_by: list[str]


class ConstraintsRecord(msgspec.Struct):
    """What the solvers were spared of the constraints `given`."""

    given: int = 0
    repeated: int = 0
    independent: int = 0


class RungRecord(msgspec.Struct):
    """What a rung of the native ladder was asked and answered."""

    asked: int = 0
    sat: int = 0
    unsat: int = 0


class QueriesRecord(msgspec.Struct):
    total: int
    sat: int
    unsat: int
    unknown: int
    answered_by: dict[str, int]
    constraints: ConstraintsRecord = msgspec.field(default_factory=ConstraintsRecord)
    ladder: dict[str, RungRecord] = {}


class CountRecord(msgspec.Struct):
    covered: int
    total: int


class CoverageRecord(msgspec.Struct):
    """None where it is not measured."""

    lines: CountRecord | None
    branches: CountRecord | None
    conditions: CountRecord | None
    mcdc: CountRecord | None
    functions: CountRecord | None


class BranchRecord(msgspec.Struct):
    """One side of a source branch; state: covered, infeasible, unreached, unknown, pruned."""

    id: int
    file: str
    line: int
    column: int
    text: str
    side: str
    state: str
    reason: str
    function: str = ""


class ConditionRecord(msgspec.Struct):
    """A condition; `values`: those it took; `kind`: unique-cause, masking or empty; `pair`: two vectors, with tests."""

    text: str
    values: str
    kind: str
    pair: list[str]
    tests: list[str]


class DecisionRecord(msgspec.Struct):
    """A decision; `note`: what is to be said of its MC/DC, or why it is not measured."""

    file: str
    line: int
    column: int
    function: str
    text: str
    kind: str
    note: str
    conditions: list[ConditionRecord]


class FrameRecord(msgspec.Struct):
    function: str
    file: str
    line: int


class Discovery(msgspec.Struct):
    """When a bug was found: the run's number, seconds since the start."""

    run: int
    seconds: float


class BugRecord(msgspec.Struct):
    """confirmed: plain, checked, no; `test` names the input that shows it.

    severity: error, undefined, contract; `needs`: what the input breaks, in sentences, and `causes` the contracts.
    fingerprint: entry, kind, function and the text of the line; accepted: it stands in the baseline.
    events: what led to the violation of a specification, the last events of its run.
    reached_by: calls of the unit's functions that bring it about, and then what their arguments lead to.
    evidence: what speaks for an error, so that a reader can check it.
    """

    id: int
    kind: str
    file: str
    line: int
    column: int
    function: str
    message: str
    test: str
    stack: list[FrameRecord]
    confirmed: str
    found: Discovery
    count: int = 1
    inputs: dict[str, str] = {}
    severity: str = "error"
    needs: list[str] = []
    causes: list[str] = []
    fingerprint: str = ""
    accepted: bool = False
    reached_by: list[str] = []
    evidence: str = ""
    events: list[str] = []


class TestRecord(msgspec.Struct):
    """A kept path. `inputs`: name → value in the words of C; `raw`: the engine's own form, hexadecimal.

    `printed`: standard output, hexadecimal, where the suite expects it. `state`: how the static data that the entry
    reads came about: initialised, calls (they are among the inputs), free; empty: nothing changes what it reads.
    """

    name: str
    outcome: str
    inputs: dict[str, str]
    covers: list[int]
    exit_code: int | None = None
    returned: str | None = None
    replayed: str = ""
    raw: str = ""
    printed: str | None = None
    state: str = ""
    __test__ = False


class LedgerRecord(msgspec.Struct):
    """A place where precision was lost."""

    kind: str
    file: str
    line: int
    detail: str
    count: int


class OperationsRecord(msgspec.Struct):
    """Executed operations with a symbolic operand: kept as terms, fixed but explored value by value, lost."""

    symbolic: int = 0
    pinned: int = 0
    concretised: int = 0


class BlockRecord(msgspec.Struct):
    """Inputs that interfere with each other; `paths` changed them."""

    inputs: list[str]
    paths: int


class MergeRecord(msgspec.Struct):
    """Why two blocks became one, or where given ones interfere: two flows met."""

    left: list[str]
    right: list[str]
    how: str
    variable: str
    file: str
    line: int
    text: str


class PartitionRecord(msgspec.Struct):
    """Of a search block by block. `product`: the paths that a search of all together may have, as decimal digits."""

    blocks: list[BlockRecord]
    shared: list[str]
    merges: list[MergeRecord]
    other_paths: int
    product: str
    reruns: int
    is_checked: bool


class FunctionSummaryRecord(msgspec.Struct):
    """What a compositional search made of a function or a loop; `refused`: why it is a part of its callers, else empty;
    `closed`: states at a loop's entry for which its paths follow from its text; `from_disk`: of `paths`."""

    name: str
    file: str
    line: int
    runs: int
    paths: int
    shapes: int
    made: int
    used: int
    refused: str
    is_loop: bool = False
    closed: int = 0
    from_disk: int = 0


class CompositionalRecord(msgspec.Struct):
    """The functions, the entry first; `repeated`: runs whose record was void; `largest_query`: distinct terms."""

    functions: list[FunctionSummaryRecord]
    repeated: int
    largest_query: int = 0


class GrowthRecord(msgspec.Struct):
    """How far the bounds of the inputs grew: `finished` and `begun` as "max-length 16", and why no further."""

    finished: list[str]
    begun: list[str]
    searches: int
    end: str


class SpecificationRecord(msgspec.Struct):
    """A specification. `seen`: some run had an event of it; `states` of its automaton (0: too many), `reached` ones."""

    name: str
    text: str
    file: str
    line: int
    seen: bool
    states: int
    reached: int


class SecondsRecord(msgspec.Struct):
    total: float
    compile: float
    execute: float
    solve: float
    explore: float
    ladder: dict[str, float] = {}


class FunctionRecord(msgspec.Struct):
    """A function of `veer test --all`; its folder in DIR is called like it. `why_not`: why it was not tested, or empty.

    `bugs`: those that break no contract and are in no baseline; `errors` of them have that severity; `breaking` break a
    contract. `ending` is None where it was not tested.
    """

    name: str
    place: str
    why_not: str
    paths: int
    branches: CountRecord | None
    bugs: int
    errors: int
    breaking: int
    seconds: float
    ending: EndingRecord | None
    remarks: list[str]


class Summary(msgspec.Struct):
    """All of summary.json. `functions`: of a whole project (`--all`), each function that there is;
    `requirements`: of each function, those that comments at it name."""

    schema: int
    tool: Tool
    platform: str
    toolchain: str
    entries: list[str]
    sources: list[str]
    seed: int
    strategy: str
    options: dict[str, object]
    ending: EndingRecord
    runs: int
    paths: int
    diverged: int
    queries: QueriesRecord
    coverage: CoverageRecord
    branches: list[BranchRecord]
    bugs: list[BugRecord]
    tests: list[TestRecord]
    ledger: list[LedgerRecord]
    seconds: SecondsRecord
    bounds: list[str] = []
    notes: list[str] = []
    suite: str = ""
    commands: list[str] = []
    operations: OperationsRecord = msgspec.field(default_factory=OperationsRecord)
    decisions: list[DecisionRecord] = []
    partition: PartitionRecord | None = None
    compositional: CompositionalRecord | None = None
    language: str = "c"
    growth: GrowthRecord | None = None
    functions: list[FunctionRecord] = []
    mutated_runs: int = 0
    specifications: list[SpecificationRecord] = []
    requirements: dict[str, list[str]] = {}
