"""Which parameter says how many elements a pointer leads to, by C's customs. (Of C source more is known.)

const char *p, size_t n                      behind it
src, dst, compressedSize, dstCapacity        by its name, or in rows (frontends/llvm/lengths.py)
dst, src, dsize                              by its first letter, which no other pointer has
struct ring *r, size_t len                   no: a number of bytes is not one of structs
struct point *p, int n                       a count is
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veer.frontends.llvm import lengths as customs
from veer.frontends.llvm.lengths import BUFFER, BYTES, LENGTH, OTHER

_BESIDE = re.compile(
    r"^(n|len|length|size|count|num|sz)$|_(n|len|length|size|count)$|^n_?[A-Z_]|(Len|Length|Size|Count)$"
)
_COUNTS = re.compile(r"^(n|count|num|nmemb|nelems?)$")
STRUCT = "t"
"""The kind of a parameter that leads to a struct, beside those of frontends/llvm/lengths.py."""
_OF_LETTER = re.compile(r"([a-z])(len|length|size|siz|sz)")


def kind_of_number(name: str) -> str:
    """Of a whole number of this name, for `lengths`."""
    return LENGTH if _BESIDE.search(name) or customs.is_size(name) else OTHER


def lengths(names: Sequence[str], kinds: str) -> dict[int, int]:
    """The place of each pointer that has a length → that of its length."""
    found = customs.by_name(names, kinds.replace(STRUCT, BUFFER))
    found |= _by_letter(names, kinds, found)
    found = found or customs.in_rows(kinds)
    for place in range(1, len(names)):
        custom = {BYTES: _BESIDE, BUFFER: _BESIDE, STRUCT: _COUNTS}.get(kinds[place - 1])
        is_free = kinds[place] == LENGTH and place not in found.values()
        if custom is not None and is_free and custom.search(names[place]):
            found.setdefault(place - 1, place)
    return found


def _by_letter(names: Sequence[str], kinds: str, known: Mapping[int, int]) -> dict[int, int]:
    """`dst` and `dsize`, where no other pointer begins with a `d`."""
    pointers = [place for place, kind in enumerate(kinds) if kind in (BYTES, BUFFER)]
    found: dict[int, int] = {}
    for place, name in enumerate(names):
        matched = _OF_LETTER.fullmatch(name) if kinds[place] == LENGTH and place not in known.values() else None
        own = [each for each in pointers if matched is not None and names[each].startswith(matched[1])]
        if len(own) == 1 and own[0] not in known:
            found[own[0]] = place
    return found
