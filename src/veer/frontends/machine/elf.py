"""ELF files, as memory: executables as they are, objects and archives linked first (linked.py).

Positions below are addresses of the machine; they are veer's own addresses too (docs/decisions), so that objects lie
where the runtime looks for them. What cannot lie there is refused.
"""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from veer.frontends.machine.architectures import ARM, Architecture, of_elf
from veer.frontends.machine.image import Code, Image, Segment
from veer.model.errors import UsageError

LOWEST, HIGHEST = 0x10000, 0x20000000
"""Where segments may lie: the kernel gives no page below, and the runtime's heap begins there."""
OWN_BEGIN, OWN_END = 0x1000000, 0x8000000
"""Where the instrumented program itself lies."""
_WRITE, _EXECUTE = 2, 1
_MODE_MARKS = {"$a": False, "$t": True}
_NEWEST = (3, 12)


def extra(name: str) -> ModuleType:
    """A module of the extra `machine`. Raises UsageError where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if sys.version_info < _NEWEST:
            needed = f"Python 3.12 or newer; this one is {sys.version_info.major}.{sys.version_info.minor}"
            raise UsageError(f"machine code needs {needed}") from error
        raise UsageError("machine code needs the extra of that name: pip install 'veer-test[machine]'") from error


def is_elf(data: bytes) -> bool:
    """Whether the file says that it is one."""
    return data[:4] == b"\x7fELF"


def opened(data: bytes, file: Path) -> Any:
    """The file, for pyelftools. Raises UsageError when it is damaged."""
    reader = extra("elftools.elf.elffile")
    try:
        elf = reader.ELFFile(io.BytesIO(data))
        for table in (elf.iter_sections, elf.iter_segments):
            list(table())  # what is damaged is told here
        return elf
    except Exception as error:  # pyelftools raises errors of many kinds for damaged files
        raise UsageError(f"{file} cannot be read as an ELF file: {error}") from error


def architecture(elf: Any, file: Path) -> Architecture:
    """Of the file's header. Raises UsageError."""
    return of_elf(elf["e_machine"], elf.elfclass, elf.little_endian, str(file))


def loaded(data: bytes, file: Path, undefined: dict[int, str] | None = None) -> Image:
    """The memory that an executable describes. Raises UsageError.

    `undefined`: what the linker was told of names that nothing defines.
    """
    elf = opened(data, file)
    machine = architecture(elf, file)
    if elf["e_type"] == "ET_DYN":
        raise UsageError(
            f"{file} is position-independent (a PIE or a shared library), which veer does not load yet: "
            "give the objects that it was linked from, or link it with -no-pie"
        )
    segments = tuple(_segments(elf, file))
    functions = {each.address: each for each in _functions(elf, machine, segments)}
    entry = elf["e_entry"]
    return Image(file, machine, segments, functions, undefined or {}, entry, _data(elf))


def _segments(elf: Any, file: Path) -> Iterator[Segment]:
    loadable = [each for each in elf.iter_segments() if each["p_type"] == "PT_LOAD" and each["p_memsz"]]
    for number, each in enumerate(loadable):
        begin, size, flags = each["p_vaddr"], each["p_memsz"], each["p_flags"]
        require_place(begin, begin + size, file)
        yield Segment(
            f"segment {number}", begin, size, each.data(), bool(flags & _WRITE), is_code=bool(flags & _EXECUTE)
        )


def require_place(begin: int, end: int, file: Path) -> None:
    """Raises UsageError for memory that cannot lie in veer's own process."""
    is_own = begin < OWN_END and end > OWN_BEGIN
    if begin < LOWEST or end > HIGHEST or is_own:
        where = f"{LOWEST:#x} to {OWN_BEGIN:#x} or {OWN_END:#x} to {HIGHEST:#x}"
        raise UsageError(f"{file} has memory at {begin:#x}, and veer can place it only at {where}: link it there")


def _functions(elf: Any, machine: Architecture, segments: tuple[Segment, ...]) -> Iterator[Code]:
    """Those of the symbol table, and the entry where it has none."""
    table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
    symbols = list(table.iter_symbols()) if table is not None else []
    for each in symbols:
        if each["st_info"]["type"] == "STT_FUNC" and each["st_shndx"] != "SHN_UNDEF":
            yield _code(each.name, each["st_value"], each["st_size"], machine)
    if not symbols and elf["e_entry"]:
        yield _code("entry", elf["e_entry"], 0, machine)


def _data(elf: Any) -> dict[str, int]:
    """The variables of the symbol table."""
    table = elf.get_section_by_name(".symtab")
    symbols = table.iter_symbols() if table is not None else ()
    return {each.name: each["st_value"] for each in symbols if each["st_info"]["type"] == "STT_OBJECT"}


def _code(name: str, address: int, size: int, machine: Architecture) -> Code:
    """ARM marks an address of Thumb code by its lowest bit."""
    is_thumb = machine is ARM and bool(address & 1)
    return Code(name, address & ~1 if machine is ARM else address, size, is_thumb)
