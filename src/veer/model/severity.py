"""How bad a bug is: whether an argument that no caller would pass is to blame for it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """Of a bug, the worst first. The value is what summary.json says and what `--fail-on` takes.

    ERROR      no argument is to blame: calls of the unit bring it about, the code tests the value itself on another
               path, or every caller can give what it looks at
    UNDEFINED  arithmetic that C leaves undefined, for values that nothing rules out
    CONTRACT   every known input that shows it breaks a contract that the code implies: NULL where nothing tests for it,
               a buffer shorter than what the code takes for granted, a field's value that no function stores
    """

    ERROR = "error"
    UNDEFINED = "undefined"
    CONTRACT = "contract"

    def is_at_least(self, other: Severity) -> bool:
        """Whether it is as bad as the other one, or worse."""
        return _WORST_FIRST.index(self) <= _WORST_FIRST.index(other)


_WORST_FIRST = tuple(Severity)


def worst_first(severity: Severity) -> int:
    """The key to sort by: errors come first."""
    return _WORST_FIRST.index(severity)


class Broken(Struct, frozen=True):
    """A contract that an input breaks.

    `cause`: the contract, the same for all inputs that break it ("r of ring_init is not NULL"); `sentence`: what this
    input does, without a full stop ("passes NULL for `r`, which `ring_init` never tests").
    """

    cause: str
    sentence: str


class Judgement(Struct, frozen=True):
    """The severity of a bug, and the contracts that its witness breaks: none unless it is CONTRACT.

    `evidence`: what speaks for an ERROR, so that a reader can check it, without a full stop; "" where nobody looked.
    `indifferent`: the structs of the witness that may hold any numbers, as far as was tried; `is_of_null`: a check of
    `CheckedFor.null_arguments` found it; `failing_on`: where in its input the numbers stand on which the check depends
    that failed, None where that is not known.
    """

    severity: Severity = Severity.ERROR
    broken: tuple[Broken, ...] = ()
    evidence: str = ""
    indifferent: tuple[str, ...] = ()
    is_of_null: bool = False
    failing_on: frozenset[int] | None = None


class CheckedFor(Struct, frozen=True):
    """What checks of a compiler are about, by the number that it gives them: numbers alone; NULL as an argument, or
    what null brings about in a language that looks; the class of an object."""

    arithmetic: frozenset[int] = frozenset()
    null_arguments: frozenset[int] = frozenset()
    casts: frozenset[int] = frozenset()


NO_CHECKS = CheckedFor()
"""A compiler without checks, or one that says nothing of them."""
NOT_TO_BLAME = Judgement()
"""No argument is to blame, or nobody has judged."""
_MOST_TOLD = 3


def briefly(needs: Sequence[str]) -> str:
    """The first sentences of what an input breaks, in one, and how many more there are; "" for none."""
    more = len(needs) - _MOST_TOLD
    shown = "; ".join(needs[:_MOST_TOLD])
    return f"{shown}; and it breaks {more} more contract{'' if more == 1 else 's'}" if more > 0 else shown
