"""The text of C sources, read without a compiler: their own headers, and what is neither a comment nor a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from veer.model.wholefile import text_of

INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
"""A header of the project's own: its name."""
_MAYBE_OWN = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
_MOST_FILES = 1000
_SILENT = re.compile(r'/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?', re.DOTALL)
"""Comments and texts; one without an end goes on to the end, so that nothing is read twice."""


def own_texts(files: Iterable[Path], flags: Sequence[str]) -> Iterator[str]:
    """What these files say, and the headers that they include, however deep; `flags`: where these are looked for.
    A header in `<...>` is the project's own where a -I leads to it."""
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and len(flag) > 2]
    folders += [Path(flag) for before, flag in pairwise(flags) if before == "-I"]
    waiting, seen = [*files], set[Path]()
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        text = text_of(file)
        yield text
        waiting += [folder / found[1] for found in INCLUDED.finditer(text) for folder in (file.parent, *folders)]
        waiting += [folder / found[1] for found in _MAYBE_OWN.finditer(text) for folder in folders]


def spoken(text: str) -> str:
    """The text without comments, strings and characters."""
    return _SILENT.sub(" ", text)
