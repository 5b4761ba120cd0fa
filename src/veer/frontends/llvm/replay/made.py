"""What is kept of the builds in which tests are replayed."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from veer.model.coverage import CountedLine
from veer.model.decisions import Decision


class UnitBase(Struct, frozen=True):
    """Where a unit's sites lie in the program's."""

    name: str
    label: str
    base: int
    count: int
    is_library: bool = False
    is_entry: bool = False


class ReplayBuilds(Struct, frozen=True):
    """What tests are replayed in; `lines`: what the marks of lines stand for, by index."""

    plain: Path
    counters: Path
    lines: tuple[CountedLine, ...]


class ConditionsBuild(Struct, frozen=True):
    """What decisions are measured in, and what its marks stand for."""

    executable: Path
    decisions: tuple[Decision, ...]
