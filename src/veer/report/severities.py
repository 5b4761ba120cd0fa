"""Bugs by severity, what happens, and cause: one line of the source, one missing check, one field, is one group."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.model.result import Bug
from veer.model.severity import Severity, briefly, worst_first
from veer.report.words import number, place

HEADINGS = {
    Severity.ERROR: "Errors",
    Severity.UNDEFINED: "Undefined arithmetic",
    Severity.CONTRACT: "What breaks a contract",
}
EXPLAINED = {
    Severity.ERROR: "No argument is to blame.",
    Severity.UNDEFINED: "Arithmetic that C leaves undefined, for values that nothing rules out.",
    Severity.CONTRACT: "The inputs break what the code takes for granted of its callers.",
}


class Group(Struct, frozen=True):
    """Bugs of one severity and cause, the one to look at first."""

    bugs: tuple[Bug, ...]

    @property
    def severity(self) -> Severity:
        """Of all of them."""
        return self.bugs[0].severity

    @property
    def needs(self) -> str:
        """What the input of the first one breaks, as a sentence without a full stop; "" for nothing."""
        return briefly(self.bugs[0].needs)

    @property
    def places(self) -> str:
        """Where it shows: `ring.c:8, ring.h:12`."""
        return ", ".join(dict.fromkeys(place(bug.file, bug.line) for bug in self.bugs))


def grouped(bugs: Sequence[Bug]) -> tuple[Group, ...]:
    """The groups of those that are not accepted, errors first, in the order in which they were found."""
    found: dict[tuple[object, ...], list[Bug]] = {}
    for bug in sorted((each for each in bugs if not each.is_accepted), key=lambda each: worst_first(each.severity)):
        found.setdefault(_cause(bug), []).append(bug)
    return tuple(Group(tuple(each)) for each in found.values())


def _cause(bug: Bug) -> tuple[object, ...]:
    if bug.judgement.broken:
        what, _, _ = bug.message.partition(": ")  # else a hang would be told as the overflow of another place
        return Severity.CONTRACT, what, *(each.cause for each in bug.judgement.broken)
    return bug.severity, bug.outcome, bug.file, bug.line


def counted(bugs: Sequence[Bug]) -> str:
    """`2 bugs`, `no bugs`, `1 bug and 3 that break a contract`."""
    fresh = [bug for bug in bugs if not bug.is_accepted]
    contracts = sum(bug.severity is Severity.CONTRACT for bug in fresh)
    return counted_numbers(len(fresh) - contracts, contracts, len(bugs) - len(fresh))


def counted_numbers(bugs: int, contracts: int, accepted: int = 0) -> str:
    """The same of numbers: of bugs, of those of severity CONTRACT, and of those that a baseline has."""
    own = number(bugs, "bug") if bugs else "no bugs"
    more = [f"{contracts} that {'breaks' if contracts == 1 else 'break'} a contract"] if contracts else []
    more += [f"{accepted} of the baseline"] if accepted else []
    return ", ".join([own, *more]) if len(more) != 1 or not bugs else f"{own} and {more[0]}"
