"""The tables by which programs of glibc and newlib tell kinds of characters: `isdigit(c)` is a look into one of them.

__ctype_b_loc() ─► pointer ─► the word of character 0; words of -128 to -1 lie before it
localeconv()    ─► ten pointers to texts, the first to ".", the others to ""; bytes of 127 (the C locale)
_ctype_[]          newlib's: the byte of -1, and behind it those of 0 to 255; __locale_ctype_ptr() leads to it
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

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
NEWLIB, NEWLIB_PLACE = "_ctype_", PLACE + 0x10000
"""The variable of newlib, and where it lies."""
_TO_NEWLIB = "__locale_ctype_ptr"
_NEWLIB_CLASSES: tuple[Callable[[int], bool], ...] = (
    *_CLASSES[:2],
    _CLASSES[3],
    _CLASSES[5],
    _CLASSES[10],
    _CLASSES[9],
    lambda c: chr(c) in "ABCDEFabcdef",
    lambda c: c == 32,
)
"""upper, lower, digit, space, punct, cntrl, the letters among the hexadecimal digits, the space itself."""


def result(name: str) -> int | None:
    """What the function returns; None for another one."""
    if name == _LOCALE:
        return PLACE + _WORD * len(_NAMES)
    if name == _TO_NEWLIB:
        return NEWLIB_PLACE
    return PLACE + _WORD * _NAMES.index(name) if name in _NAMES else None


def segments(machine: Architecture, names: Collection[str]) -> Iterator[Segment]:
    """Those that code may look at which uses these names."""
    if NEWLIB in names or _TO_NEWLIB in names:
        data = bytes(1) + bytes(_newlib(c) for c in range(_BEHIND))
        yield Segment("tables of the C library", NEWLIB_PLACE, len(data), data, is_writable=False, is_code=False)
    if any(result(name) is not None for name in names if name != _TO_NEWLIB):
        yield segment(machine)


def _newlib(c: int) -> int:
    return sum(1 << bit for bit, is_in in enumerate(_NEWLIB_CLASSES) if c < 128 and is_in(c))


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
