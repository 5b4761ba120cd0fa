"""Zig as a language (frontends/protocol.py): what `veer.languages` registers under `zig`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from veer.execution.replay import ReplayLimits
from veer.frontends.llvm.replay.made import ReplayBuilds
from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.frontends.protocol import Built, Entry, Replayer, WrittenSuite
from veer.frontends.zig.as_c import as_c
from veer.frontends.zig.build import build, planned
from veer.frontends.zig.entries import entries
from veer.frontends.zig.results import settled
from veer.frontends.zig.suite_replay import SuiteReplayer, compiled_suite
from veer.frontends.zig.traps import TRAPS
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import Toolchain, find
from veer.toolchain.runtime import launcher

_TAKES = ("max_length", "max_array", "graph_depth", "has_fast_path", "loops", "uninstrumented")
_OBJECT = "is an object of Zig's data; give the Zig source that defines the function"


class Zig(Struct, frozen=True):
    """Public functions of Zig sources."""

    name: str = "zig"
    title: str = "Zig"
    suffixes: tuple[str, ...] = (".zig",)
    mistaken: Mapping[str, str] = field(default_factory=lambda: {".zon": _OBJECT})
    begins: tuple[bytes, ...] = ()
    walks: bool = False
    takes: frozenset[str] = frozenset(_TAKES)

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        return entries(options, find())

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        toolchain = find()
        program, files = build(options, toolchain)
        return Built(program, options, files, "zig", TRAPS)

    def as_c(self, source: Path) -> tuple[Path, Path]:
        """See BecomesC."""
        return as_c(source, find())

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """See Language."""
        toolchain = find()
        return NativeReplayer(built, toolchain, seconds, partial(_replays, built, toolchain), settle=settled)

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """See Language."""
        toolchain = find()
        tests = compiled_suite(suite, toolchain, scratch)
        limits = ReplayLimits(launcher(toolchain), seconds=seconds, confinement=suite.confinement)
        return SuiteReplayer(tests, limits)


def _replays(built: Built, toolchain: Toolchain) -> ReplayBuilds:
    return planned(built.options, toolchain).replay_builds(built, toolchain)


ZIG = Zig()
