"""Which parameter says how many elements a pointer leads to, by C's customs: names and places. (Of C source more is
known, see frontends/c/contracts/names.py.)

const char *p, size_t n                                  behind it
src, dst, compressedSize, dstCapacity                    `dst` is in the name; what is left in its order
source, dest, compressedSize, maxDecompressedSize        as many sizes behind buffers of bytes
"""

from __future__ import annotations

import re
from collections.abc import Sequence

BYTES, POINTER, NUMBER, OTHER = "bpn-"
"""Kinds of parameters: a pointer to bytes, to other things, a whole number."""
_LENGTHS = re.compile(
    r"^(n|len|length|size|count|num|sz)$|_(n|len|length|size|count)$|^n_?[A-Z_]|(Len|Length|Size|Count)$"
)
_BEHIND_A_NAME = re.compile(r"_?(len|length|size|sz|cnt|count|num|n|bytes|capacity|cap|max)", re.IGNORECASE)
_SIZE_OF_SOMETHING = re.compile(r"\w*(size|len|length|capacity|bytes)", re.IGNORECASE)
_ROWS = re.compile(r"(?<!b)(bb+)(n+)")


def lengths(names: Sequence[str], kinds: str) -> dict[int, int]:
    """The place of each pointer that has a length → that of its length, which stands behind it."""
    found = _by_name(names, kinds) or _in_rows(names, kinds)
    for place in range(1, len(names)):
        is_behind = kinds[place - 1] in (BYTES, POINTER) and kinds[place] == NUMBER and place not in found.values()
        if is_behind and _LENGTHS.search(names[place]):
            found.setdefault(place - 1, place)
    return found


def _by_name(names: Sequence[str], kinds: str) -> dict[int, int]:
    """`dst` and `dstCapacity`; then `src` and `compressedSize`, if as many buffers of bytes are left as sizes."""
    numbers = [place for place, kind in enumerate(kinds) if kind == NUMBER]
    found: dict[int, int] = {}
    for place, kind in enumerate(kinds):
        own = [each for each in numbers if each > place and _is_of(names[each], names[place])]
        if kind in (BYTES, POINTER) and len(own) == 1:
            found[place] = own[0]
    left = [place for place, kind in enumerate(kinds) if kind == BYTES and place not in found]
    sizes = [each for each in numbers if each not in found.values() and _SIZE_OF_SOMETHING.fullmatch(names[each])]
    if found and len(left) == len(sizes) and all(one < other for one, other in zip(left, sizes, strict=True)):
        found |= dict(zip(left, sizes, strict=True))
    return found


def _in_rows(names: Sequence[str], kinds: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for row in _ROWS.finditer(kinds):
        sizes = range(row.start(2), row.end(2))
        if len(row[1]) == len(sizes) and all(_SIZE_OF_SOMETHING.fullmatch(names[each]) for each in sizes):
            found |= dict(zip(range(row.start(1), row.end(1)), sizes, strict=True))
    return found


def _is_of(length: str, buffer: str) -> bool:
    """Whether it is called a length of the buffer."""
    rest = length[len(buffer) :]
    is_telling = len(buffer) > 1 or len(rest) > 2  # `c` and `clen`, but not `n` and `num`
    return is_telling and length.lower().startswith(buffer.lower()) and bool(_BEHIND_A_NAME.fullmatch(rest))
