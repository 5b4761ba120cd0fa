"""The requirements that comments at a function name, so that its tests and reports name them, too.

    /* Limits the speed.  @req SRS-104, SRS-105 */          a marker, and what follows it
    // Requirement: 4.2.1                                   the same
    /* SWR_017: no step is larger than 5. */                a word that is an identifier of requirements
    int limit(int speed) { ... }

A comment is at a function where it stands directly above it, in its source or above its declaration in a header, or
between its name and its body. A comment behind a marker ends the list at the first word without a digit. "Requirement:"
begins a line or a sentence: "ADC supply requirements: 2.4 V" names none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from veer.campaign.projects import project_root
from veer.model.program import Program
from veer.model.result import Result
from veer.model.values import replace

_HEADERS = (".h", ".hh", ".hpp")
_OTHERS = f"{sys.prefix}/"
"""Where Python's packages are, which may be within the project: those of the compiler that comes with veer, say."""
_MOST_BYTES = 4 << 20
_MOST_DECLARED = 6
"""Lines between a comment and the name: of a type, of attributes."""
_WORD = r"[A-Za-z0-9][A-Za-z0-9_.:/-]*"
_MARKED = re.compile(
    r"(?:[@\\](?:req|requirement|satisfies|implements|covers|verifies|trace|traces)s?\b"
    r"|(?:^[\s/*!]*|[.;][ \t]+)[Rr]eq(?:uirement)?s?(?=:))"
    rf":?[ \t]*(?P<list>{_WORD}(?:(?:[ \t]*,[ \t]*|[ \t]+)(?:and[ \t]+)?{_WORD})*)",
    re.MULTILINE,
)
_IDENTIFIER = re.compile(
    r"(?<![\w/-])(?:REQ|RQ|SRS|SWR|SWRS|SSR|SYS|HLR|LLR|TSR|FSR|UR|FR|NFR)(?:[-_.][A-Z0-9]+)*[-_.]?\d[\dA-Z._-]*[a-z]?(?!\w|\.\w)(?<![._-])"
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def with_requirements(result: Result) -> Result:
    """The result with the requirements of what it tests, by function."""
    found = {name: ids for name in result.program.starts if (ids := requirements(result.program, name, result.files))}
    return replace(result, program=replace(result.program, requirements=found))


def requirements(program: Program, name: str, files: Iterable[str] = ()) -> tuple[str, ...]:
    """Those of one function, in the order of the text. `files`: all that the build read."""
    function = program.function(name)
    if function is None or function.line <= 0:
        return ()
    found = list(_at(_lines(Path(function.file)), function.line, name))
    declared = re.compile(rf"^[^\n;{{}}#=]*\b{re.escape(name)}[ \t]*\([^;{{}}]*\)[^;{{}}()]*;", re.MULTILINE)
    folders = tuple(f"{folder}/" for folder in _folders(program))
    for file in sorted(files):
        if file.endswith(_HEADERS) and file.startswith(folders) and not file.startswith(_OTHERS):
            text = "\n".join(_lines(Path(file)))
            if at := declared.search(text):
                found += _at(text.split("\n"), text.count("\n", 0, at.start(0)) + 1, name)
    return tuple(dict.fromkeys(found))


def named_in(comment: str) -> tuple[str, ...]:
    """The requirements that the text of a comment names."""
    found: list[tuple[int, str]] = [(each.start(), each[0]) for each in _IDENTIFIER.finditer(comment)]
    for marked in _MARKED.finditer(comment):
        for word in re.finditer(_WORD, marked["list"]):
            if word[0] == "and":
                continue
            if not any(letter.isdigit() for letter in word[0]):
                break
            found.append((marked.start("list") + word.start(), word[0].rstrip(".:/-")))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def _at(lines: Sequence[str], line: int, name: str) -> Iterator[str]:
    """Those of the comments at the function whose name stands in this line, counted from 1; none where the source is
    not there (class files)."""
    if line > len(lines):
        return
    first = line - 1
    while first > 0 and line - first <= _MOST_DECLARED and _is_declaration(lines[first - 1]):
        first -= 1
    yield from named_in("\n".join(_above(lines, first)))
    last = line
    while (
        last < len(lines) and last - line < _MOST_DECLARED and not re.search(r"[{;]", _COMMENT.sub("", lines[last - 1]))
    ):
        last += 1
    for comment in _COMMENT.finditer("\n".join(lines[first:last])):
        yield from named_in(comment[0])


def _is_declaration(line: str) -> bool:
    """Whether a line belongs to what follows it: no comment, no end of something else."""
    text = _COMMENT.sub("", line).strip()
    return bool(text) and not text.startswith(("/*", "*", "#", "//")) and not re.search(r"[;{}]|\*/", text)


def _above(lines: Sequence[str], first: int) -> list[str]:
    """The comments directly above a line, counted from 0."""
    at = first
    while at > 0:
        text = lines[at - 1].strip()
        if text.startswith("//"):
            at -= 1
        elif text.endswith("*/"):
            while at > 0 and "/*" not in lines[at - 1]:
                at -= 1
            at -= 1
            if not lines[max(at, 0)].strip().startswith("/*"):  # it stands behind something else
                at += 1
                break
        else:
            break
    return list(lines[max(at, 0) : first])


def _lines(file: Path) -> list[str]:
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return []
        return file.read_text(errors="replace").split("\n")
    except OSError:
        return []


def _folders(program: Program) -> tuple[Path, ...]:
    """Of the project, and of the source: headers elsewhere are others'."""
    source = program.include or (program.sources[0] if program.sources else Path())
    return project_root((source,)), source.absolute().parent
