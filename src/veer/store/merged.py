"""The summaries of several entries of one program as one, in the same schema (`veer test --all`).

Branches and bugs of one place are one; tests are called `ENTRY/test_001`; what two entries both say about a branch is
the better of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from veer.model.errors import StoreError
from veer.model.severity import Severity, worst_first
from veer.model.values import replace
from veer.model.wholefile import replace_file
from veer.store.schema import (
    BranchRecord,
    BugRecord,
    ConstraintsRecord,
    CountRecord,
    CoverageRecord,
    EndingRecord,
    LedgerRecord,
    OperationsRecord,
    QueriesRecord,
    RungRecord,
    SecondsRecord,
    Summary,
    TestRecord,
)
from veer.store.writer import SUMMARY, as_json, store_error

_STATES = ("covered", "unknown", "pruned", "unreached", "infeasible")
"""The better one first. Infeasible from one entry says nothing about another, so it is the last."""
_CLAIMS = ("none", "criterion", "locations", "paths")
_ENDINGS = ("stopped", "failed", "budget", "max_runs", "max_bugs", "plateau", "covered", "exhausted")
_Record = TypeVar("_Record", SecondsRecord, OperationsRecord, ConstraintsRecord, RungRecord)
_Place = tuple[str, int, int, str, str]


def merged(parts: Sequence[Summary]) -> Summary:
    """All entries as one. Raises StoreError when there are none."""
    if not parts:
        raise StoreError("no function was tested: there is nothing to write a summary of")
    branches = _branches(parts)
    numbers = {_place(branch): branch.id for branch in branches}
    first = parts[0]
    covered = CountRecord(sum(each.state == "covered" for each in branches), len(branches))
    return Summary(
        schema=first.schema,
        tool=first.tool,
        platform=first.platform,
        toolchain=first.toolchain,
        entries=[entry for part in parts for entry in part.entries],
        sources=list(dict.fromkeys(source for part in parts for source in part.sources)),
        seed=first.seed,
        strategy=first.strategy,
        options=first.options | {"entry": ""},
        ending=_ending([part.ending for part in parts]),
        runs=sum(part.runs for part in parts),
        paths=sum(part.paths for part in parts),
        diverged=sum(part.diverged for part in parts),
        queries=_queries(parts),
        coverage=CoverageRecord(lines=None, branches=covered, conditions=None, mcdc=None, functions=None),
        branches=branches,
        bugs=_bugs(parts),
        tests=[_test(part, test, numbers) for part in parts for test in part.tests],
        ledger=_ledger(parts),
        seconds=_added(SecondsRecord, [part.seconds for part in parts]),
        bounds=list(dict.fromkeys(bound for part in parts for bound in part.bounds)),
        notes=list(dict.fromkeys(note for part in parts for note in part.notes)),
        operations=_added(OperationsRecord, [part.operations for part in parts]),
    )


def write_merged(summary: Summary, out: Path) -> None:
    """DIR/summary.json. Raises StoreError."""
    try:
        replace_file(out / SUMMARY, as_json(summary))
    except OSError as error:
        raise store_error(out, error) from error


def bug_place(bug: BugRecord) -> tuple[str, str, int, int]:
    """What makes bugs of two entries one."""
    return bug.kind, bug.file, bug.line, bug.column


def _place(branch: BranchRecord) -> _Place:
    return branch.file, branch.line, branch.column, branch.text, branch.side


def _branches(parts: Iterable[Summary]) -> list[BranchRecord]:
    best: dict[_Place, BranchRecord] = {}
    for part in parts:
        for branch in part.branches:
            known = best.setdefault(_place(branch), branch)
            if _STATES.index(branch.state) < _STATES.index(known.state):
                best[_place(branch)] = branch
    ordered = sorted(best.values(), key=lambda branch: (branch.file, branch.line, branch.column))
    return [replace(branch, id=number) for number, branch in enumerate(ordered)]


def _bugs(parts: Iterable[Summary]) -> list[BugRecord]:
    found: dict[tuple[str, str, int, int], BugRecord] = {}
    for part in parts:
        for bug in part.bugs:
            own = replace(bug, test=f"{part.entries[0]}/{bug.test}" if bug.test else "")
            known = found.setdefault(bug_place(bug), own)
            if known is not own:
                worse = min(known, own, key=_severity)
                found[bug_place(bug)] = replace(worse, count=known.count + bug.count)
    ordered = sorted(found.values(), key=_severity)
    return [replace(bug, id=number) for number, bug in enumerate(ordered, 1)]


def _severity(bug: BugRecord) -> tuple[bool, int]:
    """The worst first, those that are accepted last."""
    return bug.accepted, worst_first(Severity(bug.severity))


def _test(part: Summary, test: TestRecord, numbers: dict[_Place, int]) -> TestRecord:
    places = {branch.id: _place(branch) for branch in part.branches}
    covers = sorted(numbers[places[item]] for item in test.covers if item in places)
    return replace(test, name=f"{part.entries[0]}/{test.name}", covers=covers)


def _ending(endings: Sequence[EndingRecord]) -> EndingRecord:
    """The weakest of all: what holds for every entry."""
    return EndingRecord(
        kind=min((each.kind for each in endings), key=_ENDINGS.index),
        claim=min((each.claim for each in endings), key=_CLAIMS.index),
        within=list(dict.fromkeys(bound for each in endings for bound in each.within)),
        lost_by=list(dict.fromkeys(reason for each in endings for reason in each.lost_by)),
    )


def _queries(parts: Iterable[Summary]) -> QueriesRecord:
    answered: dict[str, int] = {}
    total = QueriesRecord(0, 0, 0, 0, answered)
    eliminated = [ConstraintsRecord()]
    for part in parts:
        queries = part.queries
        eliminated.append(queries.constraints)
        total.total += queries.total
        total.sat += queries.sat
        total.unsat += queries.unsat
        total.unknown += queries.unknown
        for name, count in queries.answered_by.items():
            answered[name] = answered.get(name, 0) + count
        for name, rung in queries.ladder.items():
            total.ladder[name] = _added(RungRecord, [total.ladder.get(name, RungRecord()), rung])
    total.constraints = _added(ConstraintsRecord, eliminated)
    return total


def _ledger(parts: Iterable[Summary]) -> list[LedgerRecord]:
    found: dict[tuple[str, str, int, str], LedgerRecord] = {}
    for part in parts:
        for entry in part.ledger:
            place = (entry.kind, entry.file, entry.line, entry.detail)
            known = found.get(place)
            count = entry.count + (known.count if known else 0)
            found[place] = replace(entry, count=count)
    return list(found.values())


def _added(kind: type[_Record], records: Sequence[_Record]) -> _Record:
    """The sums, field by field."""
    rows = [msgspec.structs.asdict(record) for record in records]
    return kind(**{name: _sum([row[name] for row in rows]) for name in rows[0]})


def _sum(values: Sequence[Any]) -> Any:
    """Of numbers, or of numbers by name."""
    if not isinstance(values[0], dict):
        return sum(values)
    names = dict.fromkeys(name for each in values for name in each)
    return {name: sum(each.get(name, 0) for each in values) for name in names}
