"""One function of many: what is to be done, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.campaign.bycalls import advice, is_stuck
from veer.campaign.standing import Asked
from veer.cli.exit_codes import BUGS, NOTHING_FOUND
from veer.cli.shares import Share
from veer.cli.verdict import exit_code
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.joined import abridged
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.model.survey import Row
from veer.model.values import replace
from veer.search.reachable import NEVER_CALLED
from veer.wire.layout import Loss

_MOST_REFUSED = 2


class Tested(Struct, frozen=True):
    """What became of one function. `result`: abridged; `used`: what it took of its share; `also`: of the function on
    objects that calls make; `files`: that were read."""

    row: Row
    code: int = NOTHING_FOUND
    result: Result | None = None
    used: Share = Share()
    also: Tested | None = None
    files: dict[str, str] = msgspec.field(default_factory=dict)


class Task(Struct, frozen=True):
    """One function to test: how, where to, and what the table says of its place."""

    build: BuildOptions
    search: SearchOptions
    out: Path
    place: str
    fail_on: Severity = Severity.UNDEFINED

    @property
    def asked(self) -> Asked:
        """What its results stand by in the next run."""
        return Asked(self.build, self.search, self.out)


def tested_of(task: Task, result: Result, used: Share = Share()) -> Tested:  # noqa: B008 - it is frozen
    """What became of a function that has a result."""
    return Tested(
        row_of(task.place, result), exit_code(result, task.fail_on), abridged(result), used, files=result.files
    )


def is_whole(tested: Tested) -> bool:
    """Whether a function came to its end, so that its results may stand in the next run."""
    return tested.code in (NOTHING_FOUND, BUGS) and tested.result is not None


def with_also(tested: Tested, also: Tested) -> Tested:
    """What became of a function, and of it on objects that calls make."""
    known = {*stuck(tested.result), *advice(tested.result)} if tested.result is not None else set()
    row = replace(tested.row, remarks=tuple(each for each in tested.row.remarks if each not in known))
    return replace(tested, row=row, also=also)


def row_of(place: str, result: Result) -> Row:
    fresh = [bug.severity for bug in result.bugs if not bug.is_accepted]
    notes = [note for note in result.program.notes if not note.endswith(NEVER_CALLED)]
    return Row(
        function=result.program.entry,
        place=place,
        paths=result.paths,
        branches=result.coverage.branches,
        bugs=len(fresh) - fresh.count(Severity.CONTRACT),
        errors=fresh.count(Severity.ERROR),
        breaking=fresh.count(Severity.CONTRACT),
        seconds=result.seconds.total,
        ending=result.ending,
        remarks=(*stuck(result), *_differences(result), *_refused(result), *notes),
    )


def stuck(result: Result) -> Iterator[str]:
    """That no run got through the function: what it is given is not what it takes for granted."""
    if is_stuck(result):
        facts = result.program.facts
        how = ": let calls make its objects (--sequence), or say in veer.toml what it is given"
        if facts is not None and facts.made_by_calls:  # Java takes neither
            how = "; a longer search may (--budget)" if result.ending.kind is EndingKind.BUDGET else ""
        yield f"no run got through it{how}"


def _refused(result: Result) -> Iterator[str]:
    """What ended runs that no test shows: calls that veer does not follow."""
    found = dict.fromkeys(each.detail for each in result.ledger if each.kind == Loss.REFUSED.name.lower())
    yield from list(found)[:_MOST_REFUSED]


def _differences(result: Result) -> Iterator[str]:
    """That tests of the suite end otherwise on the plain build, or were not seen there."""
    for verdict in ("differs", "not replayed"):
        found = [test for test in result.tests if test.replayed.startswith(verdict)]
        if found:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            yield f"{found[0].name} on the plain build {found[0].replayed}{more}"
