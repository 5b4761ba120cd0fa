"""Where an instruction comes from: DILocation numbers → file, line, column, through scopes and trap messages."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from veer.instrument.lexer import unescaped

_NODE = re.compile(
    r"!(\d+) = (?:distinct )?!(DILocation|DILexicalBlock|DILexicalBlockFile|DISubprogram|DIFile|DICompileUnit)\((.*)\)$"
)
_NUMBER_FIELD = re.compile(r"(\w+): !?(\d+)")
_STRING_FIELD = re.compile(r'(\w+): "([^"]*)"')
SYSTEM = re.compile(r"^/usr/(?:local/)?(?:include|lib)/|/ziglang/lib/")
"""Files of the system and of the compiler: what they hold is not the user's, and counts for no coverage."""


class Position(NamedTuple):
    """A place in a source file; line and column count from 1, 0 = not known."""

    file: str
    line: int
    column: int


NOWHERE = Position("", 0, 0)


class DebugLocations:
    """Positions of a module's DILocations and functions. `lines` are the module's metadata lines.

    `is_cxx`: the source is C++.
    """

    def __init__(self, lines: list[str]) -> None:
        self._nodes: dict[int, tuple[str, str]] = {}
        self._positions: dict[int, Position] = {}
        self._files: dict[int, str] = {}
        for line in lines:
            match = _NODE.match(line)
            if match is not None:
                self._nodes[int(match[1])] = (match[2], match[3])
        self.is_cxx = any(
            kind == "DICompileUnit" and "DW_LANG_C_plus_plus" in text for kind, text in self._nodes.values()
        )

    def position(self, location: int) -> Position:
        """Where a DILocation points; line 0 within an inlined scope (a trap message) means the place of inlining."""
        found = self._positions.get(location)
        if found is None:
            found = self._positions[location] = self._locate(location)
        return found

    def function(self, subprogram: int) -> Position:
        """Where a DISubprogram was declared."""
        numbers = self._numbers(subprogram)
        return Position(self._file(subprogram), numbers.get("line", 0), 0) if numbers else NOWHERE

    def trap_message(self, location: int) -> str:
        """What clang calls the check of an `ubsantrap` at that location ("Array index out of bounds"), or ""."""
        scope = self._numbers(location).get("scope", 0)
        name = self._strings(scope).get("name", "")
        return name.rpartition("$")[2] if name.startswith("__clang_trap_msg$") else ""

    def _locate(self, location: int) -> Position:
        numbers = self._numbers(location)
        if not numbers:
            return NOWHERE
        line = numbers.get("line", 0)
        if line == 0 and "inlinedAt" in numbers:
            return self.position(numbers["inlinedAt"])
        return Position(self._file(numbers.get("scope", 0)), line, numbers.get("column", 0))

    def _file(self, scope: int) -> str:
        found = self._files.get(scope)
        if found is None:
            strings = self._strings(self._numbers(scope).get("file", 0))
            name = unescaped(strings.get("filename", ""))
            found = posixpath.normpath(posixpath.join(unescaped(strings.get("directory", "")), name)) if name else ""
            self._files[scope] = found
        return found

    def _numbers(self, node: int) -> dict[str, int]:
        text = self._nodes.get(node, ("", ""))[1]
        return {match[1]: int(match[2]) for match in _NUMBER_FIELD.finditer(text)}

    def _strings(self, node: int) -> dict[str, str]:
        text = self._nodes.get(node, ("", ""))[1]
        return {match[1]: match[2] for match in _STRING_FIELD.finditer(text)}
