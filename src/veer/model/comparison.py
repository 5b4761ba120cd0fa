"""What `veer compare` found of two versions of a function (docs/compare.md): frozen values."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from veer.model.ending import Ending
from veer.model.program import Program
from veer.model.result import Confirmation, Test


class Look(Struct, frozen=True):
    """A place in what a version leaves: `size` bytes of a part (wire's Part) of that number.

    `steps` leads there: bytes to go on, and between two of them a pointer is followed. size 0: the part as a whole.
    """

    kind: int = 0
    number: int = 0
    size: int = 0
    steps: tuple[int, ...] = ()


class Told(Struct, frozen=True):
    """What differs, in words, and what each version has there."""

    what: str
    old: str
    new: str


class Kind(StrEnum):
    """What is between the versions for an input."""

    CHANGED = "changed"  # both end as functions do, with other results
    BROKEN = "broken"  # the new one fails, the old one does not
    REPAIRED = "repaired"  # the old one fails, the new one does not
    FAILS_OTHERWISE = "fails otherwise"  # both fail, each in its own way


class Difference(Struct, frozen=True):
    """An input on which the versions differ; `test` has it, with what the old version leaves."""

    id: int
    kind: Kind
    told: Told
    test: Test
    confirmed: Confirmation


class Comparison(Struct, frozen=True):
    """The differences, the smallest input first; or, where `ending` claims all paths, that there are none.

    `old`, `new`: what people call the versions; `unconfirmed`: what the search says and no replay shows;
    `failing`: in how many ways both versions fail alike; `replayed`: inputs that were run in both plain builds.
    """

    entry: str
    old: str
    new: str
    program: Program
    ending: Ending
    differences: tuple[Difference, ...]
    unconfirmed: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    tests: tuple[Test, ...] = ()  # inputs on which they are the same
    runs: int = 0
    paths: int = 0
    replayed: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
