"""What is kept of the builds in which tests are replayed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veer.model.coverage import CountedLine
from veer.model.decisions import Decision


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
class ReplayBuilds:
    """What tests are replayed in; `lines`: what the marks of lines stand for, by index."""

    plain: Path
    counters: Path
    lines: tuple[CountedLine, ...]


@dataclass(frozen=True, slots=True)
class ConditionsBuild:
    """What decisions are measured in, and what its marks stand for."""

    executable: Path
    decisions: tuple[Decision, ...]
