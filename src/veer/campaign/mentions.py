"""Functions that a project's file names, and that no file of the project has: `[function.prase]`.

A file mentions a function where its name stands in it as a word, or where a macro may paste it together
(`vec_##T##_push`). What is in binary files is not looked at: then nothing is said.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct

from veer.campaign.languages import language_of
from veer.campaign.projects import FUNCTION, ProjectFile
from veer.model.errors import UsageError

_WORD = re.compile(r"[A-Za-z_$]\w*")
_PASTED = re.compile(r"(\w+)\s*##|##\s*(\w+)")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_MOST_FILES = 5000
_MOST_BYTES = 4_000_000
"""Of one file."""


class Words(Struct, frozen=True):
    """The words of files: all, those that are followed by a parenthesis, and those that macros paste."""

    all: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    pasted: frozenset[str] = frozenset()
    is_text: bool = True

    def may_name(self, function: str) -> bool:
        """Whether there may be a function of this name."""
        is_pasted = any(function.startswith(each) or function.endswith(each) for each in self.pasted)
        return function in self.all or is_pasted


_UNKNOWN = Words(is_text=False)


def require_functions(file: ProjectFile, sources: Sequence[Path], include: Sequence[str | Path] = ()) -> None:
    """Raises UsageError for a table [function.NAME] of whose name no source or header knows anything.

    Those of the project are looked at, and those that stand beside the sources or in folders of headers.
    """
    names = [name for name in file.tables.get(FUNCTION, {}) if _WORD.search(name)]
    if not names:
        return
    folders = {each.absolute().parent for each in sources} | {Path(each).absolute() for each in include}
    suffixes = frozenset((*language_of(sources).mistaken, *(each.suffix for each in sources)))
    root = file.path.parent.absolute()
    beside = (each for folder in sorted(folders - {root}) for each in _files(folder, suffixes, is_deep=False))
    files = list(islice(chain(map(Path.absolute, sources), _files(root, suffixes, is_deep=True), beside), _MOST_FILES))
    if len(files) == _MOST_FILES or not all(map(_is_text, sources)):
        return
    for name in names:
        last = _WORD.findall(name)[-1]  # of a method, whose class stands before it
        if not any(_words_of(each).may_name(last) for each in files):
            called = {word for each in files for word in _words_of(each).called}
            near = difflib.get_close_matches(last, sorted(called), n=1)
            hint = f"do you mean {near[0]}?" if near else "write the name as `veer list` does, or leave the table out"
            where = file.place(f"{FUNCTION}.{name}")
            raise UsageError(f"{where}: no source or header of the project has a function {name!r}; {hint}")


def _files(folder: Path, suffixes: frozenset[str], *, is_deep: bool) -> Iterator[Path]:
    """Sources and headers of a folder, and of those in it; hidden folders and those with results are left out."""
    waiting = [folder]
    while waiting:
        try:
            entries = sorted(waiting.pop().iterdir())
        except OSError:
            continue
        for each in entries:
            if each.suffix in suffixes and each.is_file():
                yield each
            elif is_deep and each.is_dir() and not each.is_symlink() and not each.name.startswith((".", "veer-out")):
                waiting.append(each)


def _is_text(file: Path) -> bool:
    return _words_of(file.absolute()).is_text


def _words_of(file: Path) -> Words:
    try:
        known = file.stat()
    except OSError:
        return _UNKNOWN
    return _words(file, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=2 * _MOST_FILES)
def _words(file: Path, changed: int, size: int) -> Words:
    """The words of a file as it was when it was changed last."""
    try:
        data = file.read_bytes()[:_MOST_BYTES]
    except OSError:
        return _UNKNOWN
    if b"\0" in data[:4096]:
        return _UNKNOWN
    text = data.decode(errors="replace")
    pasted = {word for pair in _PASTED.findall(text) for word in pair if word}
    return Words(frozenset(_WORD.findall(text)), frozenset(_CALLED.findall(text)), frozenset(pasted))
