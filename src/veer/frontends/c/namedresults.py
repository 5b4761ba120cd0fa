"""What the code calls the numbers that it returns: `return -EINVAL;`, `return PARSE_ERROR;`.

Macros are gone where the compiler has been, so the text is read: the names in return statements of the functions of the
entry's source that it reaches, and what its sources and headers say of them (`#define`, enumerators); of errno's names
the machine's numbers. A number with two names has none.
"""

from __future__ import annotations

import errno
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from veer.model.program import Function

_RETURNED = re.compile(r"\breturn\s*\(?\s*(?P<sign>-?)\s*(?P<name>[A-Z][A-Z0-9_]+)\s*\)?\s*;")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Z][A-Z0-9_]+)[ \t]+(?P<value>[^\n]*)", re.MULTILINE)
_ENUMERATION = re.compile(r"\benum\b[^{};()]*\{(?P<body>[^{}]*)\}")
_NUMBER = re.compile(r"\(*\s*(?P<sign>-?)\s*\(*\s*(?P<digits>0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)*")
_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_LARGEST = 1 << 20
"""Bytes of a file that is read for names."""
_MOST_FILES = 64


def named_results(
    source: Path, files: Iterable[str], functions: Sequence[Function] = (), entry: str = ""
) -> tuple[tuple[str, int], ...]:
    """The names that the source returns, with their numbers: `("-EINVAL", -22)`. `files`: all that the build read;
    `functions`: of the program, of which those that `entry` reaches count; without them all do."""
    text = _text(source)
    counts = _reached(source, functions, entry)
    wanted = {
        (found["sign"], found["name"])
        for found in _RETURNED.finditer(text)
        if counts(text.count("\n", 0, found.start()) + 1)
    }
    if not wanted:
        return ()
    values = dict(_errors())
    for file in [source, *_own(source, files)]:
        values |= _defined(_text(file))
    found = {
        (f"{sign}{name}", -values[name] if sign else values[name]) for sign, name in sorted(wanted) if name in values
    }
    numbers = [number for _, number in found]
    return tuple(sorted(each for each in found if numbers.count(each[1]) == 1))


def _reached(source: Path, functions: Sequence[Function], entry: str) -> Callable[[int], bool]:
    """Whether a line of the source belongs to a function that the entry reaches; all do where it is not known."""
    named = {each.name: each for each in functions}
    reached, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name in named and name not in reached:
            reached.add(name)
            waiting += [*named[name].calls, *named[name].takes]
    here = sorted((each.line, each.name) for each in functions if Path(each.file) == source)
    starts = [line for line, _ in here]

    def counts(line: int) -> bool:
        number = bisect_right(starts, line) - 1
        return entry not in reached or (number >= 0 and here[number][1] in reached)

    return counts


def _own(source: Path, files: Iterable[str]) -> list[Path]:
    """The headers of the project: those below the folder of the source, or beside it."""
    folder = source.parent.parent
    return [path for path in map(Path, files) if path != source and path.is_relative_to(folder)][:_MOST_FILES]


def _text(file: Path) -> str:
    """Its text without comments and strings, line by line; nothing where it cannot be read."""
    try:
        if file.stat().st_size > _LARGEST:
            return ""
        return _COMMENT.sub(lambda found: " " + "\n" * found[0].count("\n"), file.read_text(errors="replace"))
    except OSError:
        return ""


def _errors() -> Iterator[tuple[str, int]]:
    yield from ((name, number) for number, name in errno.errorcode.items())


def _defined(text: str) -> Mapping[str, int]:
    """The macros and enumerators of a text that are numbers."""
    found: dict[str, int] = {}
    for macro in _MACRO.finditer(text):
        if (number := _number(macro["value"].strip())) is not None:
            found[macro["name"]] = number
    for enumeration in _ENUMERATION.finditer(text):
        found |= _enumerators(enumeration["body"])
    return found


def _enumerators(body: str) -> Mapping[str, int]:
    """Up to the first one whose value is no plain number."""
    found: dict[str, int] = {}
    value = -1
    for item in body.split(","):
        name, is_set, text = (part.strip() for part in item.partition("="))
        number = _number(text) if is_set else value + 1
        if not name.isidentifier() or number is None:
            break
        found[name] = value = number
    return found


def _number(text: str) -> int | None:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    digits = found["digits"]
    is_octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
    try:
        number = int(digits, 8 if is_octal else 0)
    except ValueError:
        return None
    return -number if found["sign"] else number
