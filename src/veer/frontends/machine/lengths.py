"""Which parameter says how many elements a pointer leads to, by C's customs. (Of C source more is known.)

const char *p, size_t n                      behind it
src, dst, compressedSize, dstCapacity        by its name, or in rows (frontends/llvm/lengths.py)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.frontends.llvm import lengths as customs
from veer.frontends.llvm.lengths import BUFFER, BYTES, LENGTH, OTHER

_BESIDE = re.compile(
    r"^(n|len|length|size|count|num|sz)$|_(n|len|length|size|count)$|^n_?[A-Z_]|(Len|Length|Size|Count)$"
)


def kind_of_number(name: str) -> str:
    """Of a whole number of this name, for `lengths`."""
    return LENGTH if _BESIDE.search(name) or customs.is_size(name) else OTHER


def lengths(names: Sequence[str], kinds: str) -> dict[int, int]:
    """The place of each pointer that has a length → that of its length, which stands behind it."""
    found = {buffer: length for buffer, length in customs.lengths(names, kinds).items() if buffer < length}
    for place in range(1, len(names)):
        is_behind = kinds[place - 1] in (BYTES, BUFFER) and kinds[place] == LENGTH and place not in found.values()
        if is_behind and _BESIDE.search(names[place]):
            found.setdefault(place - 1, place)
    return found
