"""The compiler's own library, without what the C library has.

zig's is one object, compiler_rt: a program that needs its 128-bit quotients gets its `log` and `sin` with them, in the
place of the C library's. They set no errno, and differ in their last digits. In a copy of that archive such symbols are
defined nowhere, so that the linker takes the C library's.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec import Struct

from veer.model.errors import ToolchainError

_ARCHIVE, _ELF = b"!<arch>\n", b"\x7fELF\x02\x01"
_HEADER = 60
"""Bytes before a member of an archive; ten of them at 48 are its size."""
_SECTION, _SYMBOL = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
_SYMBOLS, _DYNAMIC = 2, 11
"""SHT_SYMTAB, SHT_DYNSYM."""
_GLOBAL = 1 << 4
"""STB_GLOBAL, with STT_NOTYPE."""


class _Named(Struct, frozen=True):
    """A symbol of a file: its name, where its record lies, and whether it is defined and seen by others."""

    name: bytes
    place: int
    is_defined: bool


def exported(library: bytes) -> frozenset[bytes]:
    """The names that a shared library defines. Raises ToolchainError."""
    return frozenset(each.name for each in _symbols(library, 0, _DYNAMIC) if each.is_defined)


def without(archive: bytes, names: frozenset[bytes]) -> bytes:
    """The archive, whose objects define none of these names. Raises ToolchainError."""
    found = bytearray(archive)
    for start in _members(archive):
        for each in _symbols(archive, start, _SYMBOLS):
            if each.is_defined and each.name in names:
                name = _SYMBOL.unpack_from(archive, each.place)[0]
                _SYMBOL.pack_into(found, each.place, name, _GLOBAL, 0, 0, 0, 0)
    return bytes(found)


def _members(archive: bytes) -> Iterator[int]:
    """Where the objects of an archive begin."""
    if not archive.startswith(_ARCHIVE):
        raise ToolchainError("the compiler's own library is no archive")
    at = len(_ARCHIVE)
    while at + _HEADER <= len(archive):
        size = int(archive[at + 48 : at + 58])
        at += _HEADER
        if archive.startswith(_ELF, at):
            yield at
        at += size + size % 2


def _symbols(data: bytes, start: int, kind: int) -> Iterator[_Named]:
    """The symbols that others may see, of the ELF file that begins there. Raises ToolchainError."""
    if not data.startswith(_ELF, start):
        raise ToolchainError("a library is no ELF file of 64 bits")
    (sections,) = struct.unpack_from("<Q", data, start + 0x28)
    size, count = struct.unpack_from("<HH", data, start + 0x3A)
    rows = [_SECTION.unpack_from(data, start + sections + size * number) for number in range(count)]
    for row in rows:
        if row[1] == kind:
            texts, first = start + rows[row[6]][4], row[7]
            for number in range(first, row[5] // _SYMBOL.size):
                place = start + row[4] + number * _SYMBOL.size
                name, _, _, section, _, _ = _SYMBOL.unpack_from(data, place)
                end = data.index(b"\0", texts + name)
                yield _Named(data[texts + name : end], place, section != 0)
