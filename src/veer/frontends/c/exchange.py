"""What the caller and the builder's process tell each other, and what is kept of a build: JSON by msgspec."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm.exchange import decode, encode, error_of
from veer.frontends.llvm.replay.made import ConditionsBuild, ReplayBuilds, UnitBase
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKeys
from veer.model.program import Program

__all__ = [
    "BuildRecord",
    "ConditionsBuild",
    "KeysReply",
    "KeysRequest",
    "ReplayBuilds",
    "Reply",
    "Request",
    "UnitBase",
    "Wish",
    "WrittenText",
    "decode",
    "encode",
]


class WrittenText(Struct, frozen=True):
    """A C file that veer wrote for a program, and the flags that it is compiled with."""

    label: str
    path: Path
    flags: tuple[str, ...] = ()


class BuildRecord(Struct, frozen=True):
    """A finished build: the program, its units, and the files that it was made from with their digests.

    `texts`: what veer wrote, the harness first (whose flags are the entry's); `redirect`, `aside`: what the user's
    units call by other names where tests are replayed, and which of their functions have others.
    """

    program: Program
    units: tuple[UnitBase, ...]
    files: dict[str, str]
    texts: tuple[WrittenText, ...] = ()
    redirect: tuple[tuple[str, str], ...] = ()
    aside: tuple[str, ...] = ()


class Wish(StrEnum):
    """What the builder is asked for."""

    PROGRAM = "program"
    """The instrumented program; on request, what its tests are replayed in is made when that is answered."""
    REPLAY = "replay"
    CONDITIONS = "conditions"


class Request(Struct, frozen=True):
    """Asks the builder for a build; of a program that there is by its `record`."""

    options: BuildOptions
    cc: str | None
    cache: Path
    key: str
    record: BuildRecord | None = None
    wish: Wish = Wish.PROGRAM
    prepares_replay: bool = False


class KeysRequest(Struct, frozen=True):
    """Asks for the keys of these builds (keybuilder.py)."""

    builds: tuple[BuildOptions, ...]
    cc: str | None
    cache: Path


class KeysReply(Struct, frozen=True):
    """Its answer: an error by class and sentence, or the keys."""

    error: str = ""
    sentence: str = ""
    keys: CodeKeys | None = None


class Reply(Struct, frozen=True):
    """Its answer: an error by class and sentence, or a record, or the replay builds."""

    error: str = ""
    sentence: str = ""
    record: BuildRecord | None = None
    replay: ReplayBuilds | None = None
    marked: ConditionsBuild | None = None  # None, too, when this compiler cannot make one

    def raise_error(self) -> None:
        """Raises the error that the builder met, if any."""
        if self.error:
            raise error_of(self.error, self.sentence)
