"""Where names lie in an executable: the symbol table of an ELF file of 64 bits."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLE = 2


def addresses(executable: Path, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The addresses of each name, ascending; none for a name that is not there, or in a file that is no such one."""
    wanted = {name: list[int]() for name in names}
    try:
        content = executable.read_bytes()
        first, size, count = *struct.unpack_from("<Q", content, 0x28), *struct.unpack_from("<HH", content, 0x3A)
        sections = [_SECTION.unpack_from(content, first + k * size) for k in range(count)]
        for _, kind, _, _, offset, length, link, *_ in sections:
            if kind != _SYMBOL_TABLE:
                continue
            strings = sections[link][4]
            for name, _, _, _, value, _ in _SYMBOL.iter_unpack(content[offset : offset + length]):
                start = strings + name
                text = content[start : content.index(b"\0", start)].decode(errors="replace")
                if text in wanted:
                    wanted[text].append(value)
    except (OSError, struct.error, ValueError, IndexError):
        return {}
    return {name: tuple(sorted(found)) for name, found in wanted.items()}
