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
from itertools import pairwise
from pathlib import Path

from veer.model.wholefile import text_of

GNU89 = "-fgnu89-inline"
_MOST_FILES = 200
_SILENT = re.compile(r'/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?', re.DOTALL)
"""Comments and texts; one without an end goes on to the end, so that nothing is read twice."""
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_ALIAS = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:__)?inline(?:__)?[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
_HEAD = re.compile(r"([\w\s*]*)\([^;{}]*\)\s*\{")
"""What stands before a body: words and a list of parameters."""
_WORD = re.compile(r"\w+")
_INLINE = frozenset(("inline", "__inline", "__inline__"))


def inline_flags(source: Path, flags: Sequence[str]) -> tuple[str, ...]:
    """What makes code of the inline functions of a source that is the whole program; nothing where none needs it.

    `flags`: where the source's own headers are looked for.
    """
    if source.suffix != ".c":
        return ()
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and len(flag) > 2]
    folders += [Path(flag) for before, flag in pairwise(flags) if before == "-I"]
    texts = [*_own_texts(source, folders)]
    if not any("inline" in text for text in texts):
        return ()
    words = _INLINE.union(*(_ALIAS.findall(text) for text in texts))
    found = [each & (words | {"static", "extern"}) for text in texts for each in _heads(text)]
    inlined = [each for each in found if each & words]
    needs_it = any(not each & {"static", "extern"} for each in inlined)
    turns_round = any("extern" in each for each in inlined) or any(_declares_extern(text, words) for text in texts)
    return (GNU89,) if needs_it and not turns_round else ()


def _own_texts(source: Path, folders: Sequence[Path]) -> Iterator[str]:
    """What the source says, and what its own headers say."""
    waiting, seen = [source], set[Path]()
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        text = text_of(file)
        yield text
        waiting += [folder / found[1] for found in _INCLUDED.finditer(text) for folder in (file.parent, *folders)]


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    """The text without comments, texts and directives."""
    return _DIRECTIVE.sub("", _SILENT.sub(" ", text))


def _heads(text: str) -> Iterator[frozenset[str]]:
    """The words before the parameters of each function that has a body."""
    for found in re.split(r"(?<=[;{}])", _plain(text)):
        if head := _HEAD.match(found):
            yield frozenset(_WORD.findall(head[1]))


def _declares_extern(text: str, words: frozenset[str]) -> bool:
    """Whether an inline function is declared `extern`: the file has its code."""
    said = (set(_WORD.findall(each)) for each in re.split(r"[;{}]", _plain(text)))
    return any("extern" in each and each & words for each in said)
