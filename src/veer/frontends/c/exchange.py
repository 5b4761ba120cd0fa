"""What the caller and the cold build's process tell each other, and what is kept of a build: JSON by msgspec."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.errors import ExecutorError, StoreError, ToolchainError, UnsupportedInputError, UsageError, VeerError
from veer.model.options import BuildOptions
from veer.model.program import Program

Value = TypeVar("Value")
_ERRORS: dict[str, type[VeerError]] = {
    kind.__name__: kind
    for kind in (VeerError, UsageError, UnsupportedInputError, ToolchainError, ExecutorError, StoreError)
}


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
            raise _ERRORS.get(self.error, ToolchainError)(self.sentence)


def encode(value: object) -> bytes:
    """JSON of these values; paths as strings."""
    return msgspec.json.encode(value, enc_hook=_to_json)


def decode(data: bytes, kind: type[Value]) -> Value:
    """The value back. Raises msgspec.DecodeError."""
    return msgspec.json.decode(data, type=kind, dec_hook=_from_json)


def _to_json(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(type(value).__name__)


def _from_json(kind: type[Any], value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind.__name__)
