"""Where a source depends on long, size_t and pointers having 8 bytes, which its machine does not have (machine.py).

    size_t total;                    a variable, parameter or member of such a type
    (uint32_t)(uintptr_t)p           a pointer as a number

Inputs of these types stay within what the machine can hold (typetable.py); results of sums and products may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veer.frontends.c.contracts.reading import own_files
from veer.frontends.c.longs import is_long
from veer.frontends.c.machine import Machine
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import DebugInfo

_SHOWN = 4
_VARIABLES = ("DILocalVariable(", "DIGlobalVariable(", "DIDerivedType(tag: DW_TAG_member,")
_CAST = re.compile(r"^  %\S+ = ptrtoint ptr .*!dbg !(\d+)", re.MULTILINE)
_LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), .*?scope: !(\d+)", re.MULTILINE)


def depends(machine: Machine, modules: Sequence[Module]) -> tuple[str, ...]:
    """The note that names the places; none where there are none."""
    places = sorted({place for module in modules for place in _places(module)}) if machine.is_narrow else []
    if not places:
        return ()
    shown = ", ".join(f"{file}:{line} {what}" for file, line, what in places[:_SHOWN])
    more = f", and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return (
        f"{machine.name}: long, size_t and pointers have {machine.word} bytes there and 8 here; inputs stay within "
        f"{8 * machine.word} bits, but results may not ({shown}{more})",
    )


def within(machine: Machine, notes: Sequence[str]) -> tuple[str, ...]:
    """What a claim adds where the source depends on it."""
    return (f"long and pointers of 8 bytes ({machine.word} on {machine.name})",) if notes else ()


def _places(module: Module) -> Iterator[tuple[str, int, str]]:
    """File, line, name of each variable; "a pointer as a number" of each cast."""
    own = {str(path) for path in own_files(module)}
    debug = module.debug
    for number, text in debug.lines.items():
        if not text.startswith(_VARIABLES):
            continue
        node = debug.node(number)
        path = debug.path(node.reference("file"))
        reference = node.reference("type") if "type" in node.fields else node.reference("baseType")
        if path in own and is_long(debug, _element(debug, reference)):
            yield path.rpartition("/")[2], node.number("line"), node.text("name")
    casts = {int(number) for number in _CAST.findall(module.ir)}
    if casts:
        lines = {int(each[1]): int(each[2]) for each in _LOCATION.finditer(module.ir)}
        for number in casts & lines.keys():
            yield module.source.name, lines[number], "a pointer as a number"


def _element(debug: DebugInfo, reference: int) -> int:
    """The type of an array's elements; any other type itself."""
    node = debug.node(debug.strip(reference))
    return node.reference("baseType") if node.tag == "DW_TAG_array_type" else reference
