"""Lengths that do not stand beside their buffers, by names and rows of parameters, as C's customs have them.

src, dst, compressedSize, dstCapacity                    `dst` is in the name; what is left in its order
source, dest, compressedSize, maxDecompressedSize        as many sizes behind buffers of bytes
"""

from __future__ import annotations

import re
from collections.abc import Sequence

BYTES, BUFFER, LENGTH, OTHER = "bps-"
"""Kinds of parameters: a pointer to bytes, to other things that come in numbers, a number with the name of a length."""
_BEHIND_A_NAME = re.compile(r"_?(len|length|size|sz|siz|cnt|count|num|n|nelems?|bytes|capacity|cap|max|limit)\d?", re.I)
_SIZE_OF_SOMETHING = re.compile(r"\w*(size|len|length|capacity|bytes)", re.IGNORECASE)
_ROWS = re.compile(r"(?<!b)(bb+)(s+)")


def is_size(name: str) -> bool:
    """Whether a number is called the size of something: `compressedSize`."""
    return bool(_SIZE_OF_SOMETHING.fullmatch(name))


def lengths(names: Sequence[str], kinds: str) -> dict[int, int]:
    """The place of each buffer whose length is known → that of its length."""
    return by_name(names, kinds) or in_rows(kinds)


def by_name(names: Sequence[str], kinds: str) -> dict[int, int]:
    """`dst` and `dstCapacity`; then `src` and `compressedSize`, if as many buffers of bytes are left as sizes."""
    numbers = [place for place, kind in enumerate(kinds) if kind == LENGTH]
    found: dict[int, int] = {}
    for place, kind in enumerate(kinds):
        own = [each for each in numbers if _is_of(names[each], names[place])] if kind in (BYTES, BUFFER) else []
        if len(own) == 1:
            found[place] = own[0]
    left = [place for place, kind in enumerate(kinds) if kind == BYTES and place not in found]
    sizes = [each for each in numbers if each not in found.values() and is_size(names[each])]
    if found and len(left) == len(sizes):
        found |= dict(zip(left, sizes, strict=True))
    return found


def in_rows(kinds: str) -> dict[int, int]:
    """`source, dest, compressedSize, maxDecompressedSize`: as many sizes of bytes stand behind the buffers."""
    found: dict[int, int] = {}
    for row in _ROWS.finditer(kinds):
        if len(row[1]) == len(row[2]):
            found |= dict(zip(range(*row.span(1)), range(*row.span(2)), strict=True))
    return found


def _is_of(length: str, buffer: str) -> bool:
    """Whether `dstCapacity` is a length by the name of `dst`."""
    rest = length[len(buffer) :]
    is_telling = len(buffer) > 1 or len(rest) > 2  # `c` and `clen`, but not `n` and `num`
    return is_telling and length.lower().startswith(buffer.lower()) and bool(_BEHIND_A_NAME.fullmatch(rest))
