"""Sources that are compiled as one: the runtime is built of some 15 chunks, not of 130 files.

Two thirds of a small compilation are the compiler's start and the headers. Files go together as long as they share no
name of their own, such as that of a static function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

MOST_LINES = 1400
"""Of a chunk: two cores have enough of them, and none takes long."""
_ASIDE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_NAMES = re.compile(
    r"^(?:static|extern|_Thread_local)\b[^;{=]*?\b(\w+)\s*[\(\[=;]|^#\s*define\s+(\w+)|^typedef\b[^;]*?(\w+);"
    r"|^(?:struct|enum|union)\s+(\w+)\s*\{",
    re.MULTILINE,
)
_ENUMERATORS = re.compile(r"\benum\s*\w*\s*\{([^}]*)\}")
_ENUMERATOR = re.compile(r"(\w+)\s*(?:=[^,]*)?(?:,|$)")
Chunk = tuple[Path, ...]
_DECIDES = "_GNU_SOURCE"
"""What headers declare hangs on it, so that it must stand before the first one: such a file stays alone."""


def chunks(sources: Iterable[Path]) -> tuple[Chunk, ...]:
    """The files in groups, each file in the first group that has room and none of its names."""
    groups: list[list[Path]] = []
    taken: list[set[str]] = []
    lines: list[int] = []
    for source in sources:
        text = source.read_text()
        own, length = names(text), text.count("\n")
        fits = (
            k
            for k in range(len(groups))
            if lines[k] + length <= MOST_LINES and not own & taken[k] and _DECIDES not in own
        )
        k = next(fits, len(groups))
        if k == len(groups):
            groups.append([])
            taken.append(set())
            lines.append(MOST_LINES if _DECIDES in own else 0)
        groups[k].append(source)
        taken[k] |= own
        lines[k] += length
    return tuple(map(tuple, groups))


def names(text: str) -> set[str]:
    """What a C file names for itself at file scope: static functions and data, macros, types, enumerators."""
    plain = _ASIDE.sub(" ", text)
    found = {name for groups in _NAMES.findall(plain) for name in groups if name}
    for body in _ENUMERATORS.findall(plain):
        found.update(_ENUMERATOR.findall(body))
    return found


def source_of(chunk: Chunk) -> str:
    """The text of one source that is all of them."""
    return "".join(f'#include "{path}"\n' for path in chunk)
