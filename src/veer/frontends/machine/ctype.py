"""The tables by which programs of glibc tell kinds of characters: `isdigit(c)` is a look into one of them.

__ctype_b_loc() ─► pointer ─► the word of character 0; words of -128 to -1 lie before it
localeconv()    ─► ten pointers to texts, the first to ".", the others to ""; bytes of 127 (the C locale)
"""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.image import Segment

PLACE = 0x0E900000
"""Where they lie."""
_NAMES = ("__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc")
_WORD, _FIRST, _BEHIND = 8, -128, 256
_LOCALE, _TEXTS, _NUMBERS = "localeconv", 10, 14
_LOCALE_SIZE = _WORD * _TEXTS + 16
_TABLES_AT = _WORD * len(_NAMES) + _LOCALE_SIZE
_CLASSES: tuple[Callable[[int], bool], ...] = (
    lambda c: 65 <= c <= 90,
    lambda c: 97 <= c <= 122,
    lambda c: chr(c).isalpha(),
    lambda c: 48 <= c <= 57,
    lambda c: chr(c) in "0123456789abcdefABCDEF",
    lambda c: c == 32 or 9 <= c <= 13,
    lambda c: 32 <= c <= 126,
    lambda c: 33 <= c <= 126,
    lambda c: c in (9, 32),
    lambda c: c < 32 or c == 127,
    lambda c: 33 <= c <= 126 and not chr(c).isalnum(),
    lambda c: chr(c).isalnum(),
)
"""upper, lower, alpha, digit, xdigit, space, print, graph, blank, cntrl, punct, alnum: the order of glibc's bits."""


def result(name: str) -> int | None:
    """What the function returns; None for another one."""
    if name == _LOCALE:
        return PLACE + _WORD * len(_NAMES)
    return PLACE + _WORD * _NAMES.index(name) if name in _NAMES else None


def segment(machine: Architecture) -> Segment:
    """The pointers and the tables of the C locale."""
    order = "big" if machine.is_big else "little"
    tables, pointers, at = b"", b"", PLACE + _TABLES_AT
    for size, word in ((2, _bits(machine)), (4, _lower), (4, _upper)):
        pointers += (at - _FIRST * size).to_bytes(machine.bytes, order).ljust(_WORD, b"\0")  # type: ignore[arg-type]
        table = b"".join((word(c) % (1 << 8 * size)).to_bytes(size, order) for c in range(_FIRST, _BEHIND))  # type: ignore[arg-type]
        tables, at = tables + table, at + len(table)
    texts = (at, *[at + 1] * (_TEXTS - 1))  # of b".\0", which lies behind the tables
    locale = b"".join(each.to_bytes(machine.bytes, order) for each in texts) + bytes([127] * _NUMBERS)  # type: ignore[arg-type]
    data = pointers + locale.ljust(_LOCALE_SIZE, b"\0") + tables + b".\0"
    return Segment("tables of the C library", PLACE, len(data), data, is_writable=False, is_code=False)


def _bits(machine: Architecture) -> Callable[[int], int]:
    def word(c: int) -> int:
        found = sum(1 << bit for bit, is_in in enumerate(_CLASSES) if 0 <= c < 128 and is_in(c))
        return found if machine.is_big else (found << 8 | found >> 8) & 0xFFFF

    return word


def _lower(c: int) -> int:
    return c + 32 if 65 <= c <= 90 else c


def _upper(c: int) -> int:
    return c - 32 if 97 <= c <= 122 else c
