"""Macros of the unit that are named like something in its suite: `#define end 6` ahead of `char *end;`.

What a test names (types, members, functions) it has from debug info, behind all macros: so behind the #include of the
unit a suite takes back those macros whose names it uses itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from veer.model.ctext import own_texts, spoken
from veer.model.program import Program

_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_WORD = re.compile(r"(?<!#define )\b[A-Za-z_]\w*")
_KEPT = frozenset(
    (
        *("NULL", "main", "include", "pragma", "define", "defined", "undef"),
        *("if", "ifdef", "ifndef", "elif", "else", "endif"),
    )
)


def taken_back(program: Program, text: str) -> str:
    """The lines that take back macros of the unit; "" where none is in the way. `text`: what follows its #include."""
    if program.declarations:
        return ""
    used = {word[0] for word in _WORD.finditer(spoken(text))} - _KEPT
    names = sorted(used & set(_macros(program)))
    if not names:
        return ""
    return "\n/* Macros of the unit whose names are used below. */\n" + "\n".join(f"#undef {name}" for name in names)


def _macros(program: Program) -> Iterator[str]:
    """Macros that the files of the unit define, those of system headers left out."""
    flags = program.compile_flags
    yield from (flag[2:].partition("=")[0] for flag in flags if flag.startswith("-D"))
    yield from (found[1] for each in program.carried for found in _DEFINED.finditer(each.text))
    included = program.include or (program.sources[0] if program.sources else None)
    files = [included] if included is not None else []
    files += [Path(flag) for before, flag in pairwise(flags) if before == "-include"]
    for text in own_texts(files, flags):
        yield from (found[1] for found in _DEFINED.finditer(text))
