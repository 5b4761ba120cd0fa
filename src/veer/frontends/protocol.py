"""What a front end is to the layers above: it turns sources into a `Program`, and says what could be an entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from veer.model.options import BuildOptions
from veer.model.program import Function, Program, Type
from veer.toolchain.compiler import Toolchain


@dataclass(frozen=True, slots=True)
class Replayers:
    """The two builds on which a suite is replayed: as the user would build it, and with edge counters."""

    plain: Path
    counters: Path


class FrontEnd(Protocol):
    """A front end for one language."""

    def build(self, options: BuildOptions, toolchain: Toolchain) -> Program:
        """The instrumented program; from the cache where nothing changed."""
        ...

    def functions(self, options: BuildOptions, toolchain: Toolchain) -> tuple[tuple[Function, tuple[Type, ...]], ...]:
        """The functions that could be an entry, each with the table that its type ids point into."""
        ...

    def build_counters(
        self, program: Program, options: BuildOptions, suite: str, toolchain: Toolchain
    ) -> tuple[Path, Path]:
        """The plain and the counters build of a suite."""
        ...
