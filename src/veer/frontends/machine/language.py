"""Machine code as a language (frontends/protocol.py): what `veer.languages` registers under `machine`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.frontends.machine.build import build, planned
from veer.frontends.machine.emulator import Machine
from veer.frontends.machine.entries import entries
from veer.frontends.machine.places import places
from veer.frontends.machine.raw import SUFFIXES
from veer.frontends.machine.replayer import MachineReplayer
from veer.frontends.machine.suite_replay import SuiteReplayer
from veer.frontends.protocol import Built, Entry, Replayer, WrittenSuite
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import find

_TAKES = (
    "prototype",
    "jump_targets",
    "arch",
    "base",
    "ram",
    "regions",
    "register_reads",
    "max_length",
    "max_array",
    "graph_depth",
    "not_null",
    "contracts",
    "has_fast_path",
    "loops",
    "find",
    "avoid",
)


class MachineCode(Struct, frozen=True):
    """Functions of executables, objects and archives."""

    name: str = "machine"
    title: str = "machine code"
    suffixes: tuple[str, ...] = (".elf", ".o", ".a", ".axf", ".out", *SUFFIXES)
    mistaken: Mapping[str, str] = field(default_factory=dict)
    begins: tuple[bytes, ...] = (b"\x7fELF", b"!<arch>\n")
    walks: bool = False
    takes: frozenset[str] = frozenset(_TAKES)

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        return entries(options, find())

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        program, files = build(options, find())
        return Built(program, options, files, "SLEIGH")

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """See Language."""
        toolchain = find()
        plan = planned(built.options, toolchain)
        native = NativeReplayer(built, toolchain, seconds, partial(plan.entry.replay_builds, built, toolchain))
        given = plan.prototype
        sizes = tuple(given.types[each.type].size for each in given.parameters)
        put = places(plan.image, plan.code, given)
        machine = Machine(plan.image, plan.code, sizes, built.program.confinement, put)
        names = tuple(each.name for each in given.parameters)
        return MachineReplayer(
            built.program, native, machine, names, given.returns >= 0, plan.listing.unconditional, seconds
        )

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """See Language."""
        return SuiteReplayer(suite.path, seconds, find(), suite.confinement)


LANGUAGE = MachineCode()
