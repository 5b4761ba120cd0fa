"""What a test did when it was run again in its own language, without veer's instrumentation: the value of a replay."""

from __future__ import annotations

from enum import Enum, Flag, StrEnum, auto

from msgspec import Struct

from veer.model.made import Left
from veer.model.outcome import Outcome
from veer.model.stubcalls import Called


class Agreement(StrEnum):
    """Whether a replay ended as it was recorded. The value is how the sentence in summary.json begins."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_REPLAYED = "not replayed"


class Verdict(Struct, frozen=True):
    """An agreement, and the reason where there is one: what was seen instead, or why nothing was run.

    `str(verdict)` is the text of summary.json: "same", "differs: returned 3", "not replayed: stopped".
    """

    agreement: Agreement
    why: str = ""

    def __str__(self) -> str:
        return f"{self.agreement}: {self.why}" if self.why else str(self.agreement)


SAME = Verdict(Agreement.SAME)


def differs(why: str) -> Verdict:
    """It ended otherwise: how."""
    return Verdict(Agreement.DIFFERS, why)


def not_replayed(why: str) -> Verdict:
    """It was not run: why."""
    return Verdict(Agreement.NOT_REPLAYED, why)


STOPPED = not_replayed("stopped")
AT_LIMIT = not_replayed("it ends at a limit of veer's; its branches are counted")
NOT_ASKED = not_replayed("its outcome was not asked for")
VARIES = "it is not the same each time: it depends on identity hash codes"
"""Why a test is not replayed whose language leaves open what it does."""
UNCALLABLE = "its arguments cannot be made"
"""Why a test is not replayed of which a constructor refuses what it gets."""
NOT_HELD = not_replayed("the suite could not hold it")


class Proof(Enum):
    """What a replay says of a test that was recorded as a bug."""

    NONE = auto()
    """Nothing: the test is no bug's, or it shows in veer's checked build alone."""
    CONFIRMED = auto()
    """The bug's outcome was seen."""
    REFUTED = auto()
    """There is no bug: a run that was recorded as a hang ended."""


class Want(Flag):
    """What a caller needs of a replay. A replayer may give more; what was not asked for may be left empty."""

    OUTCOME = auto()
    COVERAGE = auto()
    MARKS = auto()
    ALL = OUTCOME | COVERAGE | MARKS


class Replay(Struct, frozen=True):
    """One test replayed.

    `outcome`: how it ended, None where it was not run or the language's truth cannot tell it from another one;
    `ended`: the same in words, for people;
    `edges`: the branches that it took (2 * site id + side, sites of the program), ascending;
    `lines`: indices into `Measurable.lines`, ascending; `marks`: of decision vectors (`Decision.first` + k), ascending;
    `printed`: what the unit wrote to standard output; None where that is not known, or not the same each time;
    `called`: the calls of stubs that the test was recorded with, as far as they were seen again; `left`: the same of
    the blocks that it made; `returned`: what it gives, where the test is to expect that in the place of what was
    recorded.
    """

    name: str
    verdict: Verdict
    outcome: Outcome | None = None
    ended: str = ""
    proof: Proof = Proof.NONE
    edges: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    printed: bytes | None = None
    called: Called | None = None
    left: Left | None = None
    returned: bytes | None = None
