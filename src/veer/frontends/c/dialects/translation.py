"""A source in the words of a dialect, and those of its headers that need it, as files of C.

    #include "regs.h"        #line 1 "/home/u/unit.c"
    int f(void) {...}        #include "/cache/41/f0....h"      which begins with #line 1 "/home/u/regs.h"
                             int f(void) {...}

Other headers are included as before, by their whole paths. Lines are those of the user's files; a suite brings the
files along.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.c.dialects.makers import Maker, expanded, makers
from veer.frontends.c.dialects.rewriting import rewritten
from veer.frontends.c.dialects.words import Words

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)[^\n]*$', re.MULTILINE)
_NO_UTF_8 = re.compile("[\udc80-\udcff]")
"""Bytes of other encodings: in texts an escape says the same, and results are JSON."""


class Translator(Struct):
    """Translates one source. `folders`: where its headers are looked for, as the compiler does; `write`: keeps a text
    of C under a suffix, and says where.

    Behind `translated`: `files`, what is read in the place of each file that had to change; `notes`, what was left out.
    """

    words: Words
    folders: Sequence[Path]
    write: Callable[[str, str], Path]
    files: dict[Path, Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _known: dict[str, Maker] = field(default_factory=dict)
    _asked: set[Path] = field(default_factory=set)
    _begun: set[Path] = field(default_factory=set)

    def translated(self, source: Path) -> Path | None:
        """The source as C; None where it is C as it stands. Raises UsageError."""
        self._learn(source)
        self._file(source)
        return self.files.get(source)

    def _learn(self, path: Path) -> None:
        """Reads the macros of a file and of its headers that declare registers."""
        self._asked.add(path)
        text = _read(path)
        self._known |= makers(text)
        for found in _INCLUDE.finditer(text):
            header = self._header(found[1] or found[2], path if found[1] else None)
            if header is not None and header not in self._asked:
                self._learn(header)

    def _file(self, path: Path) -> None:
        """Translates a file behind its headers. One that is begun already includes itself: a guard ends that."""
        self._begun.add(path)
        original = _read(path)
        made = rewritten(expanded(original, self._known), str(path), self.words)
        headers = {
            found[0]: self._header(found[1] or found[2], path if found[1] else None)
            for found in _INCLUDE.finditer(made.text)
        }
        for header in headers.values():
            if header is not None and header not in self._begun:
                self._file(header)
        if made.text != original or any(header in self.files for header in headers.values()):
            text = _INCLUDE.sub(lambda found: self._included(found[0], headers[found[0]]), made.text)
            text = _NO_UTF_8.sub(lambda byte: f"\\{ord(byte[0]) - 0xDC00:03o}", text)
            self.files[path] = self.write(f'#line 1 "{_quoted(path)}"\n{text}', path.suffix)
            self.notes += made.notes

    def _included(self, line: str, header: Path | None) -> str:
        """The #include of a header, which the file does not stand beside any more."""
        return line if header is None else f'#include "{_quoted(self.files.get(header, header))}"'

    def _header(self, name: str, beside: Path | None) -> Path | None:
        places = [*([beside.parent] if beside is not None else []), *self.folders]
        found = next((folder / name for folder in places if (folder / name).is_file()), None)
        return Path(os.path.normpath(found)) if found is not None else None


def _read(path: Path) -> str:
    return path.read_text(errors="surrogateescape")


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def folders_of(flags: Sequence[str]) -> tuple[Path, ...]:
    """The folders of headers that flags name, in the order in which the compiler looks into them."""
    words, found, last = iter(flags), list[Path](), list[Path]()
    for word in words:
        if word in ("-I", "-iquote", "-isystem"):
            found.append(Path(next(words, "")))
        elif word == "-idirafter":
            last.append(Path(next(words, "")))
        elif word.startswith("-I"):
            found.append(Path(word[2:]))
    return (*found, *last)


def carried(files: Mapping[Path, Path]) -> Iterable[tuple[Path, str, str]]:
    """Each file with its name beside a suite (unit.host.c, unit.host2.c) and its text, which includes the others so."""
    names: dict[Path, str] = {}
    for path, host in files.items():
        if host not in names:
            same = sum(name.startswith(f"{path.stem}.host") for name in names.values())
            names[host] = f"{path.stem}.host{same + 1 if same else ''}{path.suffix}"
    for path, host in files.items():
        text = host.read_text()
        for other, name in names.items():
            text = text.replace(f'#include "{_quoted(other)}"', f'#include "{name}"')
        yield path, names[host], text
