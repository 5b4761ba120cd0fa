"""A result of an earlier run whose functions stand at other lines now: the same, with the lines and texts of today.

    int f(int n)            int f(int n)                 what the result says of g at line 9
    {                       {                            is said of line 10
        return n;               n++;
    }                           return n;
    int g(int n) ...        }
                            int g(int n) ...

A line within a function moves with it. Where something is said of a line that belongs to no function, or of a text that
names a line of an unknown file, the result does not stand, and the function is tested again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.model.codekeys import FunctionPlace
from veer.model.result import Result
from veer.model.values import replace
from veer.store.sources import source_texts

_PLACE = re.compile(r"([\w./+-]+):(\d+)\b")
_LINE = re.compile(r"\b(line )(\d+)\b")
_SHOWN = ("branches", "bugs", "ledger", "lines", "functions", "decisions", "ending", "tests", "tree")
"""The fields of a result that reports and suites show; lines in the others are veer's own."""


class UnknownLineError(Exception):
    """Nothing says where a line is now."""


class Lines:
    """Where the lines of changed files are now."""

    def __init__(
        self,
        old: Iterable[FunctionPlace],
        new: Iterable[FunctionPlace],
        changed: Collection[str],
        others: Collection[str] = (),
    ) -> None:
        """`changed`, `others`: the files that the build reads, by absolute path."""
        now = {(each.file, each.name): each for each in new}
        self._changed = frozenset(changed)
        self._names: dict[str, str] = {}
        for file in dict.fromkeys([*changed, *others]):
            name = Path(file).name
            self._names[name] = file if name not in self._names else ""
        self._moves: dict[str, list[tuple[FunctionPlace, int]]] = {}
        for each in old:
            there = now.get((each.file, each.name))
            if there is not None and each.file in self._changed:
                self._moves.setdefault(each.file, []).append((each, there.line - each.line))

    def now(self, file: str, line: int) -> int:
        """The line today. Raises UnknownLineError."""
        if file not in self._changed or not line:
            return line
        for place, move in self._moves.get(file, ()):
            if place.first <= line <= place.last:
                return line + move
        raise UnknownLineError(f"{file}:{line}")

    def text(self, text: str, own: Sequence[str]) -> str:
        """A sentence with the lines of today; `own`: the files that it may speak of without a name."""

        def of_file(found: re.Match[str]) -> str:
            file = found[1] if found[1] in self._changed else self._names.get(found[1])
            if file is None:
                return found[0]
            if not file:
                raise UnknownLineError(f"{text}: there are several files of this name")
            return f"{found[1]}:{self.now(file, int(found[2]))}"

        def of_line(found: re.Match[str]) -> str:
            if self._changed.isdisjoint(own):
                return found[0]
            if len(own) != 1:
                raise UnknownLineError(text)
            return f"{found[1]}{self.now(own[0], int(found[2]))}"

        return _LINE.sub(of_line, _PLACE.sub(of_file, text))


def moved(result: Result, lines: Lines, files: Mapping[str, str]) -> Result:
    """The result as of today. `files`: digests of what the build reads now. Raises UnknownLineError."""
    own = tuple(dict.fromkeys([*(each.file for each in result.branches), *(each.file for each in result.lines)]))
    shown = {name: _moved(getattr(result, name), lines, own) for name in _SHOWN}
    program = result.program
    program = replace(
        program,
        notes=_moved(program.notes, lines, own),
        bounds=_moved(program.bounds, lines, own),
        contracts=_moved(program.contracts, lines, own),
        functions=_where_known(program.functions, lines),
        sites=_where_known(program.sites, lines),
    )
    return quoting(replace(result, program=program, **shown), files)


def quoting(result: Result, files: Mapping[str, str]) -> Result:
    """The result with the texts of today's lines. `files`: digests of what the build reads now."""
    texts = source_texts(result.program, result.branches, result.bugs, result.lines)
    return replace(
        result, texts=texts, files={path: files.get(path, content) for path, content in result.files.items()}
    )


def _where_known(values: Sequence[Any], lines: Lines) -> tuple[Any, ...]:
    found = []
    for each in values:
        try:
            found.append(replace(each, line=lines.now(each.file, each.line)))
        except UnknownLineError:  # of a function that is no part of what was tested
            found.append(each)
    return tuple(found)


def _moved(value: Any, lines: Lines, own: Sequence[str]) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return lines.text(value, own) if ":" in value or "line " in value else value
    if isinstance(value, tuple):
        return tuple(_moved(each, lines, own) for each in value)
    names = _fields(value)
    if not names:
        return value
    changes = {}
    for name in names:
        before = getattr(value, name)
        after = _moved(before, lines, own)
        if after is not before and after != before:
            changes[name] = after
    if "line" in names and "file" in names and isinstance(line := value.line, int):
        changes["line"] = lines.now(value.file, line)
    return replace(value, **changes) if changes else value


def _fields(value: Any) -> Sequence[str]:
    if isinstance(value, Struct):
        return value.__struct_fields__
    if isinstance(value, Enum):
        return ()
    return tuple(getattr(value, "__dataclass_fields__", ()))
