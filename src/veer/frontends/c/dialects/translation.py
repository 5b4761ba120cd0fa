"""A source in the words of a dialect, and those of its headers that need it, as one file of C.

    #include "regs.h"        #line 1 "/home/u/regs.h"
    int f(void) {...}        #define P0 VEER_SFR(0x80)
                             #line 2 "/home/u/unit.c"
                             int f(void) {...}

Other headers are included as before, by their whole paths. Lines are those of the user's files; a suite brings the
file along.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from veer.frontends.c.dialects.makers import Maker, expanded, makers
from veer.frontends.c.dialects.rewriting import rewritten
from veer.frontends.c.dialects.words import Words

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)[^\n]*$', re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Translation:
    """A source as C. `read`: headers that stand in it; `notes`: what was left out."""

    text: str
    read: tuple[Path, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class Translator:
    """Translates one source. `folders`: where its headers are looked for, as the compiler does."""

    words: Words
    folders: Sequence[Path]
    _known: dict[str, Maker] = field(default_factory=dict)
    _asked: set[Path] = field(default_factory=set)
    _read: dict[Path, None] = field(default_factory=dict)
    _notes: dict[str, None] = field(default_factory=dict)
    _within: list[Path] = field(default_factory=list)

    def translated(self, source: Path) -> Translation | None:
        """The source as C; None where it is C as it stands. Raises UsageError."""
        self._learn(source)
        text = self._file(source)
        if text is None:
            return None
        return Translation(f'#line 1 "{_quoted(source)}"\n{text}', tuple(self._read), tuple(self._notes))

    def _learn(self, path: Path) -> None:
        """Reads the macros of a file and of its headers that declare registers."""
        self._asked.add(path)
        text = path.read_text(errors="surrogateescape")
        self._known |= makers(text)
        for found in _INCLUDE.finditer(text):
            header = self._header(found[1] or found[2], path if found[1] else None)
            if header is not None and header not in self._asked:
                self._learn(header)

    def _file(self, path: Path) -> str | None:
        """A file as C, its headers in it; None where nothing is changed."""
        self._within.append(path)
        original = path.read_text(errors="surrogateescape")
        made = rewritten(expanded(original, self._known), str(path), self.words)
        changed = made.text != original
        parts, done = [], 0
        for found in _INCLUDE.finditer(made.text):
            header = self._header(found[1] or found[2], path if found[1] else None)
            if header is None:
                continue
            inner = self._file(header) if header not in self._within else None
            changed = changed or inner is not None
            parts += [made.text[done : found.start()], self._included(header, inner, made.text, found.end(), path)]
            done = found.end()
        self._within.pop()
        self._notes |= dict.fromkeys(made.notes)
        return "".join([*parts, made.text[done:]]) if changed else None

    def _included(self, header: Path, inner: str | None, text: str, end: int, file: Path) -> str:
        """What stands for the #include of a header: its text, if that had to change."""
        if inner is None:
            return f'#include "{_quoted(header)}"'
        self._read[header] = None
        head, tail = f'#line 1 "{_quoted(header)}"\n{inner}', ""
        if _ONCE.search(inner):
            guard = f"VEER_ONCE_{re.sub(r'[^A-Za-z0-9]', '_', str(header))}"
            head = f'#ifndef {guard}\n#define {guard}\n#line 1 "{_quoted(header)}"\n{_ONCE.sub("//", inner)}'
            tail = "\n#endif"
        return f'{head}{tail}\n#line {_line_in(text, end, file)} "{_quoted(file)}"'

    def _header(self, name: str, beside: Path | None) -> Path | None:
        places = [*([beside.parent] if beside is not None else []), *self.folders]
        found = next((folder / name for folder in places if (folder / name).is_file()), None)
        return Path(os.path.normpath(found)) if found is not None else None


def _line_in(text: str, end: int, file: Path) -> int:
    """The line of the file behind a place in its text, which may hold #line itself."""
    marks = list(re.finditer(rf'^#line (\d+) "{re.escape(_quoted(file))}"$', text[:end], re.MULTILINE))
    begin, first = (marks[-1].end() + 1, int(marks[-1][1])) if marks else (0, 1)
    return first + text.count("\n", begin, end) + 1


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def folders_of(flags: Sequence[str]) -> tuple[Path, ...]:
    """The folders of headers that flags name, but those that come last."""
    words, found = iter(flags), []
    for word in words:
        if word in ("-I", "-iquote", "-isystem"):
            found.append(Path(next(words, "")))
        elif word.startswith("-I"):
            found.append(Path(word[2:]))
    return tuple(found)


def carried_names(sources: Sequence[Path]) -> Mapping[Path, str]:
    """How the translations of sources are called beside a suite: unit.host.c, unit.host2.c."""
    names: dict[Path, str] = {}
    for source in sources:
        number = sum(each.stem == source.stem for each in names) + 1
        names[source] = f"{source.stem}.host{number if number > 1 else ''}{source.suffix}"
    return names
