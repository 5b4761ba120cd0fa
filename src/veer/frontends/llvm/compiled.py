"""A file that the compiler reads, as a module of LLVM IR with its debug info."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from veer.frontends.llvm import debuginfo
from veer.frontends.llvm.debuginfo import DebugFunction, DebugInfo
from veer.frontends.llvm.irtext import defined_functions
from veer.instrument.checks import without_other_means
from veer.instrument.debuglocation import DebugLocations
from veer.model.errors import ToolchainError, UsageError
from veer.toolchain.compiler import Toolchain, shorten
from veer.toolchain.compiling import compile_ir


@dataclass(frozen=True)
class Module:
    """A source, its IR, its debug info, and the files that the preprocessor read for it."""

    source: Path
    ir: str
    debug: DebugInfo
    headers: tuple[Path, ...]
    printed: str = ""  # its declarations, as the compiler prints them
    hosts: dict[Path, Path] = field(default_factory=dict)  # what the compiler reads for files in words of another one
    notes: tuple[str, ...] = ()  # what was left out of these

    @property
    def read(self) -> Path:
        """The file that the compiler reads."""
        return self.hosts.get(self.source, self.source)

    @cached_property
    def locations(self) -> DebugLocations:
        """Where its instructions come from."""
        return DebugLocations([line for line in self.ir.splitlines() if line.startswith("!")])

    def function(self, name: str) -> DebugFunction | None:
        """The function of that name that this module defines."""
        if name not in defined_functions(self.ir):
            return None
        return next((each for each in self.debug.functions() if each.name == name), None)


def compile_module(
    toolchain: Toolchain, source: Path, flags: Sequence[str], blame: str = "", host: Path | None = None
) -> Module:
    """One file as a module. `blame` names a file of veer's own: its failure is a ToolchainError, not the user's.

    `host`: the file that is read in the source's place.
    """
    with toolchain.cache.scratch() as scratch:
        output = scratch / "module.ll"
        said = compile_ir(toolchain, host or source, output, flags)
        if said.code or not output.exists():
            if blame:
                raise ToolchainError(f"{blame} does not compile:\n{shorten(said.messages)}")
            raise UsageError(f"{source} does not compile:\n{shorten(said.messages)}")
        ir = without_other_means(output.read_text(errors="surrogateescape"))
    return Module(source, ir, debuginfo.read(ir), said.headers)
