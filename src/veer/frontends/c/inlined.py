"""Inline functions of C99, for which a compiler makes no code unless it optimises.

inline int twice(int x) { return 2 * x; }       with -O2 it is there, with -O0 the linker does not find it
extern inline int twice(int x);                 now it is there: an external definition

Where one file is all there is, code that is made for each inline function is the whole program. That is what
-fgnu89-inline asks for, but where `extern inline` stands, whose meaning it turns round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from veer.model.ctext import own_texts, spoken

GNU89 = "-fgnu89-inline"
_ALIAS = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:__)?inline(?:__)?[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
_NO_WORDS = re.compile(r"[^\w\s*]")
_WORD = re.compile(r"\w+")
_INLINE = frozenset(("inline", "__inline", "__inline__"))


def inline_flags(source: Path, flags: Sequence[str]) -> tuple[str, ...]:
    """What makes code of the inline functions of a source that is the whole program; nothing where none needs it.

    `flags`: where the source's own headers are looked for.
    """
    if source.suffix != ".c":
        return ()
    texts = [*own_texts([source], flags)]
    if not any("inline" in text for text in texts):
        return ()
    words = _INLINE.union(*(_ALIAS.findall(text) for text in texts))
    needs_it = any(words & head and "static" not in head for text in texts for head in _heads(text))
    turns_round = any(words & said and "extern" in said for text in texts for said in _said(text))
    return (GNU89,) if needs_it and not turns_round else ()


@lru_cache(maxsize=64)
def _parts(text: str) -> tuple[str, ...]:
    """What stands between the ends of statements and blocks, each with its end; directives are left out."""
    return tuple(re.split(r"(?<=[;{}])", _DIRECTIVE.sub("", spoken(text))))


def _heads(text: str) -> Iterator[set[str]]:
    """The words before the parameters of each function that has a body."""
    for part in _parts(text):
        head = part[:-1].rstrip() if part.endswith("{") else ""
        if head.endswith(")"):
            yield set(_WORD.findall(_NO_WORDS.split(head[: _opening(head)])[-1]))


def _opening(text: str) -> int:
    """Where the bracket stands that the last character closes."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if not depth:
            return place
    return 0


def _said(text: str) -> Iterator[set[str]]:
    """The words of each declaration and of each function's head."""
    return (set(_WORD.findall(part)) for part in _parts(text))
