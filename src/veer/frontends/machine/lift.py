"""From an entry of an image to a module of LLVM IR: each function that it calls, lifted, and the registers.

image ─► routines (descent.py) ─► cells (cells.py) ─► functions (function.py) ─► text ─► cleaned (cleanup.py)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm.harness import TARGET
from veer.frontends.machine import floats, returns
from veer.frontends.machine.architectures import I8051
from veer.frontends.machine.body import Body
from veer.frontends.machine.bridges import bridges
from veer.frontends.machine.cells import Cell, Cells, cells_of
from veer.frontends.machine.corrections import corrected
from veer.frontends.machine.decoder import Decoder, Varnode
from veer.frontends.machine.descent import JumpTargets, Routine, routines
from veer.frontends.machine.function import FunctionWriter, Texts
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.library import KNOWN, canonical
from veer.frontends.machine.listing import DebugInfo, Listing, listing
from veer.frontends.machine.liveness import live

_HOSTS = frozenset(("main", "_start", "_init", "_fini", *KNOWN))
"""Names that mean something to a linker here, or to the instrumenter."""
_NULL_IS_MEMORY = "null_pointer_is_valid"
"""Else LLVM takes an access at address 0 for one that never comes, and what leads there for nothing."""
_WIDTHS = (8, 16, 32, 64, 128)
_DECLARED = (
    "declare void @veer_refuse(ptr)",
    "declare void @veer_unknown_target(i64, i64, i64)",
    "declare void @llvm.trap()",
    *(f"declare i{width} @llvm.{name}.i{width}(i{width})" for width in _WIDTHS for name in ("ctpop",)),
    *(f"declare i{width} @llvm.{name}.i{width}(i{width}, i1 immarg)" for width in _WIDTHS for name in ("ctlz", "cttz")),
    *(
        f"declare i{width} @llvm.{name}.i{width}(i{width}, i{width})"
        for width in _WIDTHS
        for name in ("umin", "umax", "smin", "smax")
    ),
    *floats.DECLARED,
    *returns.DECLARED,
    *(f"declare i{width} @llvm.bswap.i{width}(i{width})" for width in (16, 32, 64)),
)


class Lifted(Struct, frozen=True):
    """The module's text, as it is written; the routines; where registers are, for who calls the entry."""

    text: str
    routines: tuple[Routine, ...]
    cells: Cells
    registers: dict[str, Varnode]

    def register(self, name: str) -> Cell:
        """The cell of a register by its name."""
        return self.cells.cell(-1, self.registers[name])


class Found(Struct, frozen=True):
    """What descent found from an entry."""

    image: Image
    routines: tuple[Routine, ...]
    registers: dict[str, Varnode]
    listing: Listing


def found(image: Image, entry: Code, met: JumpTargets = ()) -> Found:
    """The functions that the entry needs, and their listing. `met`: where indirect jumps went in runs."""
    decoder = Decoder(image, corrected)
    reached = routines(decoder, entry, met)
    return Found(image, reached, dict(decoder.registers()), listing(image, reached))


def lifted(what: Found, entry: Code, listing_file: Path, more: Iterable[str] = ()) -> Lifted:
    """The module of these functions. `listing_file`: where their listing lies, for debug info; `more`: registers of
    arguments and results beside the usual ones."""
    machine = what.image.architecture
    names = (
        *machine.arguments,
        machine.result,
        machine.stack,
        *([machine.link] if machine.link else []),
        *_thread(what.image),
        *more,
    )
    used = [what.registers[name] for name in (*names, *(("PSW",) if machine is I8051 else ()))]
    cells = cells_of(what.routines, used, is_big=machine.is_big)
    debug, texts = DebugInfo(listing_file), Texts()
    symbols = ir_names(what.routines)
    used_names = {name for each in what.routines for name in each.imports.values()}
    beside, library = bridges(what.image, used_names, cells, what.registers)
    writers = [_writer(what, each, cells, symbols, debug, texts) for each in what.routines]
    steps = {each.name: each.write() for each in writers}
    results = {cells.cell(-1, each).name for each in used}
    found_live = live(steps, library, symbols[entry.address], results)
    functions = [each.text(found_live) for each in writers]
    rows = module_head(what.routines, cells, used)
    rows += [_constant(f"@veer.text.{number}", text) for text, number in texts.of.items()]
    text = "\n".join([*rows, *functions, beside, debug.text()])
    return Lifted(text, what.routines, cells, what.registers)


def _thread(image: Image) -> list[str]:
    return [image.thread[0]] if image.thread[0] else []


def ir_names(reached: Sequence[Routine]) -> dict[int, str]:
    """What each function is called in IR, by address: as in the file, where nothing else has that name."""
    taken: set[str] = set()
    names: dict[int, str] = {}
    for each in reached:
        name = each.code.name
        if name in taken or canonical(name) in _HOSTS:
            name = f"{name}.{each.code.address:x}"
        taken.add(name)
        names[each.code.address] = f'@"{name}"'
    return names


def module_head(reached: Iterable[Routine], cells: Cells, more: Iterable[Varnode]) -> list[str]:
    """The lines before the functions: the machine that they run on, registers, what is declared."""
    return [TARGET.rstrip(), *_registers(reached, cells, more), *_DECLARED]


def _writer(
    what: Found, routine: Routine, cells: Cells, names: dict[int, str], debug: DebugInfo, texts: Texts
) -> FunctionWriter:
    begin = routine.code.address
    node = debug.function(names[begin][2:-1], what.listing.heads[begin])
    places = {at: debug.location(node, what.listing.lines[begin, at]) for at in routine.instructions}
    head = debug.location(node, what.listing.heads[begin])
    attributes = f" {_NULL_IS_MEMORY} !dbg !{node}"
    body = Body(what.image.architecture, cells, volatile="volatile " if what.image.regions else "")
    return FunctionWriter(what.image, routine, body, names, places, texts, head, attributes)


def _registers(reached: Iterable[Routine], cells: Cells, more: Iterable[Varnode]) -> list[str]:
    """The module's variable of each register."""
    found_cells = {cells.cell(-1, each) for each in more}
    for routine in reached:
        for instruction in routine.instructions.values():
            for operation in instruction.operations:
                for each in (*operation.inputs, operation.output):
                    if each is not None and each.space == "register":
                        found_cells.add(cells.cell(-1, each))
    rows = sorted((each.name, "i8" if each.is_flag else each.type) for each in found_cells)
    return [f"@veer.register.{name} = internal global {type_} 0" for name, type_ in rows]


def _constant(name: str, text: str) -> str:
    data = text.encode() + b"\0"
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    return f'{name} = private constant [{len(data)} x i8] c"{shown}"'
