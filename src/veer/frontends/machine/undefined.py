"""The names that objects and archives use and do not define: functions, and variables.

An object does not say which of the two a name is. Its relocations do: what is called somewhere is a function, and so is
what the C library has as one; all others are variables.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.frontends.machine import ctype
from veer.frontends.machine.architectures import AARCH64, ARM, POWERPC, RISCV32, RISCV64, X86_64
from veer.frontends.machine.elf import architecture, is_elf, opened
from veer.frontends.machine.library import KNOWN, canonical

ARCHIVE = b"!<arch>\n"
"""How an archive begins."""
_OF_THE_LINKER = frozenset(
    (
        *("_GLOBAL_OFFSET_TABLE_", "_DYNAMIC", "_TLS_MODULE_BASE_", "__global_pointer$", "_SDA_BASE_"),
        *("__ehdr_start", "__executable_start", "__dso_handle", "__bss_start", "_etext", "_edata", "_end"),
        *(f"__{kind}_array_{end}" for kind in ("preinit", "init", "fini") for end in ("start", "end")),
    )
)
"""Names that the linker itself defines, as it does `__start_NAME` and `__stop_NAME` of sections."""
_OF_SECTIONS = ("__start_", "__stop_")
_CALLS: Mapping[str, frozenset[int]] = {
    X86_64.name: frozenset((4,)),
    ARM.name: frozenset((1, 10, 27, 28, 29, 30, 51)),
    AARCH64.name: frozenset((279, 280, 282, 283)),
    POWERPC.name: frozenset((10, 11, 18, 23)),
    RISCV32.name: frozenset((16, 17, 18, 19, 44, 45)),
    RISCV64.name: frozenset((16, 17, 18, 19, 44, 45)),
}
"""The numbers of the relocations of calls and jumps in each machine's ABI."""


class Undefined(Struct, frozen=True):
    """The names, in order. `has_table`: whether newlib's of kinds of characters is used, which veer has (ctype.py)."""

    functions: tuple[str, ...]
    variables: tuple[str, ...]
    has_table: bool


def undefined(path: Path, data: bytes) -> Undefined:
    """What the file uses, and neither it nor the linker defines."""
    used: set[str] = set()
    called: set[str] = set()
    defined: set[str] = set(_OF_THE_LINKER)
    for member in _members(data):
        if not is_elf(member):
            continue
        elf = opened(member, path)
        defined |= {begin + each.name for each in elf.iter_sections() for begin in _OF_SECTIONS}
        table = elf.get_section_by_name(".symtab")
        symbols = list(table.iter_symbols()) if table is not None else []
        for each in symbols:
            if each.name:
                (used if each["st_shndx"] == "SHN_UNDEF" else defined).add(each.name)
        kinds = _CALLS.get(architecture(elf, path).name, frozenset())
        numbers = {number for number, kind in _relocations(elf) if kind in kinds}
        called |= {symbols[number].name for number in numbers if number < len(symbols)}
    missing = used - defined
    functions = {each for each in missing if each in called or _is_known(each)}
    variables = missing - functions - {ctype.NEWLIB}
    return Undefined(tuple(sorted(functions)), tuple(sorted(variables)), ctype.NEWLIB in missing)


def _is_known(name: str) -> bool:
    return canonical(name) in KNOWN or ctype.result(name) is not None


def _relocations(elf: Any) -> Iterator[tuple[int, int]]:
    """Of each its symbol's number and its kind."""
    order = "<" if elf.little_endian else ">"
    word, shift = ("Q", 32) if elf.elfclass == 64 else ("I", 8)
    for section in elf.iter_sections():
        kind = section["sh_type"]
        if kind not in ("SHT_REL", "SHT_RELA") or not section["sh_entsize"]:
            continue
        rows = struct.Struct(order + word * (3 if kind == "SHT_RELA" else 2))
        data = section.data()
        for _, info, *_ in rows.iter_unpack(data[: len(data) // rows.size * rows.size]):
            yield info >> shift, info & ((1 << shift) - 1)


def first_object(data: bytes) -> bytes:
    """The first object of an archive, or the object itself; nothing where there is none."""
    return next(filter(is_elf, _members(data)), b"")


def _members(data: bytes) -> Iterable[bytes]:
    """The files of an archive; the file itself where it is none."""
    if not data.startswith(ARCHIVE):
        yield data
        return
    place = len(ARCHIVE)
    while place + 60 <= len(data):
        field = data[place + 48 : place + 58].strip()
        if not field.isdigit():
            return  # the linker tells what is wrong with the archive
        size = int(field)
        yield data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
