"""The disassembly of lifted functions, and debug info in which its lines are the source.

Paths, branches and reports then speak of lines of the listing, as they do of lines of a C file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.machine.descent import Routine
from veer.frontends.machine.dwarf import line_of
from veer.frontends.machine.image import Image

SOURCE = "  // "
"""Before the line of the source, where the debug info tells it."""


class Listing(Struct, frozen=True):
    """The text, and the line of each function's head and of each instruction, by function and address.

    `unconditional`: the address of each line whose instruction runs whenever it is come to. An emulator does not tell
    of Thumb's instructions that are passed over.
    """

    text: str
    heads: dict[int, int]
    lines: dict[tuple[int, int], int]
    unconditional: dict[int, int]


def listing(image: Image, routines: Sequence[Routine]) -> Listing:
    """All instructions of these functions, by address within each function."""
    machine = image.architecture
    rows = [f"; {image.file.name}: {machine.name}, disassembled by SLEIGH"]
    heads: dict[int, int] = {}
    lines: dict[tuple[int, int], int] = {}
    unconditional: dict[int, int] = {}
    for routine in routines:
        rows += ["", f"{routine.code.name}:"]
        heads[routine.code.address] = len(rows)
        for address in routine.addresses:
            source = line_of(image, address)
            more = f"{SOURCE}{source}" if source else ""
            rows.append(f"    {address:08x}: {routine.instructions[address].text};{more}")
            lines[routine.code.address, address] = len(rows)
            if not any(each.name == "CBRANCH" for each in routine.instructions[address].operations):
                unconditional[len(rows)] = address
    return Listing("\n".join(rows) + "\n", heads, lines, unconditional)


class DebugInfo(Struct):
    """The metadata of a module, whose only file is the listing."""

    file: Path
    nodes: list[str] = field(default_factory=list)
    _locations: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes += [
            'distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "veer", isOptimized: false, '
            "runtimeVersion: 0, emissionKind: FullDebug)",
            f'!DIFile(filename: "{self.file.name}", directory: "{self.file.parent}")',
            "!DISubroutineType(types: !3)",
            "!{null}",
            '!{i32 2, !"Debug Info Version", i32 3}',
        ]

    def function(self, name: str, line: int) -> int:
        """The node of a function."""
        return self._node(
            f'distinct !DISubprogram(name: "{name}", scope: !1, file: !1, line: {line}, type: !2, scopeLine: {line}, '
            "spFlags: DISPFlagDefinition, unit: !0)"
        )

    def location(self, function: int, line: int) -> str:
        """What stands behind an instruction that comes from that line."""
        key = (function, line)
        if key not in self._locations:
            self._locations[key] = self._node(f"!DILocation(line: {line}, column: 5, scope: !{function})")
        return f", !dbg !{self._locations[key]}"

    def text(self) -> str:
        """The end of a module."""
        rows = ["!llvm.dbg.cu = !{!0}", "!llvm.module.flags = !{!4}"]
        return "\n".join([*rows, *(f"!{number} = {node}" for number, node in enumerate(self.nodes))]) + "\n"

    def _node(self, text: str) -> int:
        self.nodes.append(text)
        return len(self.nodes) - 1
