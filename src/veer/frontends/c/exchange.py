"""What the caller and the cold build's process tell each other, and what is kept of a build: JSON by msgspec."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veer.frontends.llvm.exchange import decode, encode, error_of
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.options import BuildOptions
from veer.model.program import Program

__all__ = ["BuildRecord", "Reply", "Request", "UnitBase", "decode", "encode"]


@dataclass(frozen=True, slots=True)
class UnitBase:
    """Where a unit's sites lie in the program's."""

    name: str
    label: str
    base: int
    count: int
    is_library: bool = False
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """A finished build: the program, its units, and the files that it was made from with their digests."""

    program: Program
    units: tuple[UnitBase, ...]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """Asks the cold process for a build, or, with `suite`, for the two replay builds of a program."""

    options: BuildOptions
    cc: str | None
    cache: Path
    key: str
    suite: str | None = None
    record: BuildRecord | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Its answer: an error by class and sentence, or a record, or the paths of the replay builds."""

    error: str = ""
    sentence: str = ""
    record: BuildRecord | None = None
    plain: Path | None = None
    counters: Path | None = None
    lines: tuple[CountedLine, ...] = ()  # what the counters build's line marks stand for, by index
    conditions: Path | None = None  # the conditions build, None when this compiler cannot make one
    decisions: tuple[Decision, ...] = ()  # what its marks stand for

    def raise_error(self) -> None:
        """Raises the error that the cold process met, if any."""
        if self.error:
            raise error_of(self.error, self.sentence)
