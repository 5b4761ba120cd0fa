"""The sentences of a result: ending, claim, bugs, uncovered branches, losses. Every report may use them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from veer.model.describe import told
from veer.model.ending import BranchState, Claim, Ending
from veer.model.growth import Growth, GrowthEnd
from veer.model.program import REACHED, Program
from veer.model.result import Branch, Bug, Confirmation, Count, LedgerEntry, Operations, Result
from veer.model.summaries import FunctionSummary

_CONFIRMED = {
    Confirmation.PLAIN: "seen again on the plain build",
    Confirmation.CHECKED: "seen again in a fresh process of the checked build",
    Confirmation.NO: "not seen again: look at it with care",
}

_SHORT_CLAIMS = {
    Claim.PATHS: "every path",
    Claim.LOCATIONS: "every location",
    Claim.CRITERION: "all that can be covered",
}


_LISTING = ".lst"
NOWHERE = "no line of the unit"
"""Where a run ended in a library, and it is not known who called it."""


class Loss(Struct, frozen=True):
    """Ledger entries of one kind and detail, added up; `places` are file:line."""

    kind: str
    detail: str
    count: int
    places: tuple[str, ...]


def found_sentence(result: Result) -> str:
    """What became of the places of --find; empty where there are none."""
    places = [branch for branch in result.branches if branch.side == REACHED]
    for branch in places:
        shown = next((test.name for test in result.tests if branch.id in test.covers), "")
        if shown:
            return f"{shown} reaches {_place_of(branch)}"
    return "; ".join(f"{_place_of(branch)}: {state_sentence(branch)}" for branch in places)


def found_input(result: Result) -> dict[str, str]:
    """The input that reaches a place of --find, in the words of C; empty where none does."""
    ids = {branch.id for branch in result.branches if branch.side == REACHED}
    test = next((test for test in result.tests if not ids.isdisjoint(test.covers)), None)
    return told(result.program, test) if test is not None else {}


def _place_of(branch: Branch) -> str:
    """The place, and the instruction of machine code."""
    where = place(branch.file, branch.line)
    return where if branch.text == REACHED else f"{where}: `{branch.text}`"


def ending_sentence(ending: Ending) -> str:
    """Why it stopped."""
    return ending.kind.sentence


def claim_of_rows(claim: Claim) -> str:
    """A claim in the few words that a row of a table has room for; "" for none."""
    return _SHORT_CLAIMS.get(claim, "")


def claim_sentence(result: Result) -> str:
    """What may be claimed, in plain words, and how far the bounds grew."""
    return "; ".join(filter(None, (_claim(result), growth_sentence(result.growth))))


def growth_sentence(growth: Growth | None) -> str:
    """How far the bounds of the inputs grew, and why no further; empty if none did."""
    if growth is None:
        return ""
    grew = f"the bounds grew to {', '.join(growth.finished)}" if growth.finished else ""
    begun = f"the search within {', '.join(growth.begun)} was not finished" if growth.begun else ""
    has_sizes = any(words[-1].isdigit() for words in growth.finished)
    why = "" if begun or (growth.end is GrowthEnd.NOT_MET and not has_sizes) else growth.end.value
    return ", ".join(filter(None, (grew, begun or why)))


def _claim(result: Result) -> str:
    ending = result.ending
    within = f" within {', '.join(ending.within)}" if ending.within else ""
    if ending.claim is Claim.PATHS and result.summaries is not None:
        functions = result.summaries.functions
        before = ", now or in an earlier campaign" if any(each.from_disk for each in functions) else ""
        text = ", or follow from the text of a loop" if any(each.closed for each in functions) else ""
        parts = f"paths of functions that were{before}{text}"
        return f"every feasible path was run, or is put together from {parts}{within}"
    if ending.claim is Claim.PATHS:
        return f"every feasible path was run{within}"
    if ending.claim is Claim.LOCATIONS:
        return f"every reachable location was reached{within}"
    if ending.claim is Claim.CRITERION:
        return f"every branch that can be covered is covered{within}"
    why = f": {'; '.join(ending.lost_by)}" if ending.lost_by else ""
    return f"no claim that all paths were run{why}"


def confirmed_sentence(bug: Bug) -> str:
    """How the bug was confirmed."""
    return _CONFIRMED[bug.confirmed]


def reached_sentence(bug: Bug) -> str:
    """The calls that bring the bug about, as text without a full stop; "" where none were looked for."""
    return f"brought about by: {'; '.join(bug.reached_by)}" if bug.reached_by else ""


def state_sentence(branch: Branch) -> str:
    """Why a branch is not covered."""
    state = branch.state.sentence
    if not branch.reason or branch.reason == state:
        return state
    # The reason says for which inputs; "no input can take it: no input within ..." would say more than is known.
    says_all = branch.state is BranchState.INFEASIBLE and branch.reason.startswith("no ")
    return branch.reason if says_all else f"{state}: {branch.reason}"


def place(file: str, line: int) -> str:
    """file:line, relative to the working directory where that is shorter; NOWHERE where there is no file."""
    if not file:
        return NOWHERE
    path = Path(file)
    try:
        shown = path.relative_to(Path.cwd())
    except ValueError:
        shown = path
    return f"{shown}:{line}"


def listings(program: Program) -> dict[str, str]:
    """The disassembly that places of machine code are told in: its path, and the name that stands for it."""
    paths = {each.file for each in program.functions if each.file.endswith(_LISTING)}
    return {path: Path(path).name for path in sorted(paths)}


def witness(result: Result, bug: Bug) -> dict[str, str]:
    """The input that shows a bug, in the words of C."""
    test = next((test for test in result.tests if test.name == bug.test), None)
    return told(result.program, test) if test is not None else {}


def uncovered(branches: Iterable[Branch]) -> tuple[Branch, ...]:
    """Branches that no test covers, in the order of the source."""
    return tuple(
        sorted(
            (b for b in branches if b.state is not BranchState.COVERED), key=lambda b: (b.file, b.line, b.column, b.id)
        )
    )


def percent(count: Count) -> str:
    """`5 of 8 (62 %)`; never rounded up to 100."""
    if count.total == 0:
        return "none to cover"
    return f"{count.covered} of {count.total} ({100 * count.covered // count.total} %)"


def achieved(count: Count, verb: str) -> str:
    """`5 of 8 (62 %) covered`, or that there is none to cover."""
    return f"{percent(count)} {verb}" if count.total else percent(count)


def losses(ledger: Iterable[LedgerEntry]) -> tuple[Loss, ...]:
    """The ledger grouped by kind and detail, most frequent first."""
    groups: dict[tuple[str, str], list[LedgerEntry]] = {}
    for entry in ledger:
        groups.setdefault((entry.kind, entry.detail), []).append(entry)
    found = [
        Loss(
            kind,
            detail,
            sum(entry.count for entry in entries),
            tuple(dict.fromkeys(place(entry.file, entry.line) for entry in entries if entry.file)),
        )
        for (kind, detail), entries in groups.items()
    ]
    return tuple(sorted(found, key=lambda loss: (-loss.count, loss.kind, loss.detail)))


def operations_sentence(operations: Operations) -> str:
    """How much of what was computed on symbolic data kept its meaning."""
    if not operations.total:
        return "no operation on symbolic data"
    head = f"{number(operations.total, 'operation')} on symbolic data"
    if not operations.pinned + operations.concretised:
        return f"{head}, none concretised"
    explored = f", {_share(operations.pinned, operations.total)} explored value by value" if operations.pinned else ""
    return f"{head}, {_share(operations.concretised, operations.total)} concretised{explored}"


def _share(part: int, whole: int) -> str:
    """A percentage that never shows something as nothing."""
    if not part:
        return "none"
    return f"{100 * part / whole:.2f} %" if 10_000 * part >= whole else "under 0.01 %"


def number(count: int, noun: str, plural: str = "") -> str:
    """`1 path`, `2 paths`, `12,345 runs`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def brief(count: int) -> str:
    """`12,345`, `1.2 M`: for a line that must stay short."""
    return f"{count:,}" if count < 1_000_000 else f"{count / 1e6:.1f} M"


def duration(seconds: float) -> str:
    """`0.12 s`, `3.4 s`, `2 min 5 s`."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def summary_name(summary: FunctionSummary) -> str:
    """What it is called."""
    return f"loop of {summary.name}, line {summary.line}" if summary.is_loop else summary.name


def summary_sentence(summary: FunctionSummary) -> str:
    """What the compositional search made of a function."""
    if summary.refused:
        return f"not summarised: {summary.refused}"
    told = f"{number(summary.paths, 'path')} in {number(summary.runs, 'run')}"
    if not summary.made and not summary.used:
        return told
    states = f" for {number(summary.shapes, 'state')} at its entry" if summary.shapes > 1 else ""
    if summary.from_disk:
        told += f" ({summary.from_disk} from disk)"
    if summary.closed:
        told += " by its closed form"
    return f"{told}{states}; {number(summary.made, 'summary', 'summaries')} for {number(summary.used, 'call')}"
