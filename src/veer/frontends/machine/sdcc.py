"""Programs of sdcc for the 8051: three address spaces, symbols of the linker's map beside the file.

    CODE     0 .. 0xffff    at CODE_BASE        INTMEM   0 .. 0xff     at INTERNAL_BASE
    EXTMEM   0 .. 0xffff    at EXTERNAL_BASE    R0 to R7 are registers here: bank 0, which alone is supported

u.ihx, u.map  ──►  Image: functions by the names of C, `_f_PARM_2` and variables by theirs
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from veer.frontends.machine.architectures import CODE_BASE, EXTERNAL_BASE, I8051, INTERNAL_BASE
from veer.frontends.machine.image import Code, Image, Segment

_ROW = re.compile(r"^\s*(?:([CDX]):)?\s+([0-9A-F]{8})\s+(_\w+)", re.MULTILINE)
_STACK = "__start__stack"
_USUAL_STACK = 0x7F
_SPACES = {"C": CODE_BASE, "D": EXTERNAL_BASE, "X": EXTERNAL_BASE}


def image(path: Path, memory: Mapping[int, int]) -> Image:
    """The memory of a program, with the symbols that the map beside it tells."""
    code = bytearray(0x10000)
    for address, byte in memory.items():
        code[address % 0x10000] = byte
    segments = (
        Segment("code", CODE_BASE, 0x10000, bytes(code), is_writable=False, is_code=True),
        Segment("xdata", EXTERNAL_BASE, 0x10000, b"", is_writable=True, is_code=False),
        Segment("idata", INTERNAL_BASE, 0x100, b"", is_writable=True, is_code=False),
    )
    symbols = _symbols(path.with_suffix(".map"))
    functions = {
        address: Code(name, address)
        for name, address in symbols.items()
        if CODE_BASE <= address < CODE_BASE + 0x10000 and address - CODE_BASE in memory
    }
    data = {name: address for name, address in symbols.items() if address not in functions}
    stack = symbols.get(_STACK.removeprefix("_"), INTERNAL_BASE + _USUAL_STACK + 1) - INTERNAL_BASE - 1
    return Image(path, I8051, segments, functions, entry=CODE_BASE, data=data, stack=stack)


def _symbols(path: Path) -> dict[str, int]:
    """Addresses by the names of C, which the linker has with an underscore. A row without a letter is of an area of
    internal memory."""
    found: dict[str, int] = {}
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return found
    for kind, address, name in _ROW.findall(text):
        base = _SPACES.get(kind, INTERNAL_BASE)
        found.setdefault(name.removeprefix("_"), base + int(address, 16))
    return found
