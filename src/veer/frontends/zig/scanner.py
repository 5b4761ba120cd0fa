"""What a Zig source declares, from its text: functions with the names of their parameters and their lines; variables.

The compiler's own description (described.py) has types, but no names of parameters, and it must be told what to
describe, for it looks at nothing that is not asked for. Containers are told from other braces:

    pub const Stack = struct {          functions in it are Stack.push
        pub fn push(self: *Stack, ...)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

_TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|\\\\[^\n]*|\s+)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<quoted>@"(?:\\.|[^"\\\n])*")
    |(?P<word>@?[A-Za-z_]\w*)
    |(?P<mark>[^\w\s])
    |(?P<number>\d\w*)""",
    re.VERBOSE,
)
_CONTAINERS = frozenset(("struct", "enum", "union", "opaque"))
_BEFORE_FN = frozenset(("export", "inline", "noinline", "extern"))
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_OTHER = "{"
"""Stands for braces that are no container's."""


class Declared(Struct, frozen=True):
    """A function of a source: its name within the file ("Stack.push"), its line, and its parameters' names.

    `words`: what stands before `fn`; `is_public`: whether another file can name it.
    """

    name: str
    line: int
    parameters: tuple[str, ...]
    words: frozenset[str] = frozenset()
    is_public: bool = False


class _Token(Struct, frozen=True):
    text: str
    line: int


class _Scope(Struct):
    """A brace that is open: the container's name, or _OTHER."""

    name: str
    is_public: bool = True


class _Scanner(Struct):
    tokens: Sequence[_Token]
    scopes: list[_Scope] = field(default_factory=list)
    at: int = 0
    variables: list[str] = field(default_factory=list)  # that other files can name

    def functions(self) -> Iterator[Declared]:
        """The functions of containers that have names, in their order."""
        statement: list[str] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.text == "fn" and self._is_in_containers():
                found = self._function(statement, token.line)
                if found is not None:
                    yield found
                statement = []
            elif token.text == "var" and statement[-1:] == ["pub"] and self._is_in_containers():
                name = self._next()
                if all(scope.is_public for scope in self.scopes):
                    self.variables.append(".".join([*(scope.name for scope in self.scopes), name]))
            elif token.text == "{":
                self.scopes.append(_scope(statement))
                statement = []
            elif token.text == "}":
                if self.scopes:
                    self.scopes.pop()
                statement = []
            elif token.text in (";", ","):
                statement = []
            else:
                statement.append(token.text)

    def _is_in_containers(self) -> bool:
        return all(scope.name != _OTHER for scope in self.scopes)

    def _function(self, statement: Sequence[str], line: int) -> Declared | None:
        """The function whose name comes next; the scanner stands at its body then, or behind its prototype."""
        name = self._next()
        if not re.match(r"[A-Za-z_]|@\"", name) or self._next() != "(":
            return None  # a type: fn (u8) void
        parameters = tuple(self._parameters())
        while self.at < len(self.tokens) and self.tokens[self.at].text not in ("{", ";"):
            self.at += 1
            if self.tokens[self.at - 1].text in _CONTAINERS or self.tokens[self.at - 1].text == "error":
                self._skip_braces()  # a type that the result is written as: error{Bad}!u8
        is_defined = self.at < len(self.tokens) and self.tokens[self.at].text == "{"
        if not is_defined:
            return None
        path = ".".join([*(scope.name for scope in self.scopes), name])
        words = frozenset(statement) & _BEFORE_FN
        is_public = "pub" in statement and all(scope.is_public for scope in self.scopes)
        return Declared(path, line, parameters, words, is_public)

    def _skip_braces(self) -> None:
        """Behind `{ ... }` if that comes next."""
        if self.at >= len(self.tokens) or self.tokens[self.at].text != "{":
            return
        depth = 0
        while self.at < len(self.tokens):
            depth += {"{": 1, "}": -1}.get(self.tokens[self.at].text, 0)
            self.at += 1
            if not depth:
                return

    def _parameters(self) -> Iterator[str]:
        """The names up to the closing parenthesis; `_` and what has none are numbered."""
        depth, words, count = 1, list[str](), 0
        while depth and self.at < len(self.tokens):
            text = self._next()
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth == 0 or (depth == 1 and text == ","):
                if words:
                    yield _parameter_name(words, count)
                    count += 1
                words = []
            else:
                words.append(text)

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1].text if self.at <= len(self.tokens) else ""


def _parameter_name(words: Sequence[str], place: int) -> str:
    named = [word for word in words[: words.index(":")] if word not in ("comptime", "noalias")] if ":" in words else []
    return named[-1] if named and named[-1] != "_" else f"argument_{place + 1}"


def _scope(statement: Sequence[str]) -> _Scope:
    """What a brace opens: `pub const NAME = extern struct {`, or something else."""
    if "=" in statement and "const" in statement:
        name = statement[statement.index("const") + 1]
        value = [word for word in statement[statement.index("=") + 1 :] if word not in ("extern", "packed")]
        if value and value[0] in _CONTAINERS:
            return _Scope(name, "pub" in statement)
    return _Scope(_OTHER)


def scan(source: str) -> tuple[tuple[Declared, ...], tuple[str, ...]]:
    """The functions that a source defines in containers with names, private ones too, in their order; the names of its
    public variables."""
    scanner = _Scanner(tuple(_tokens(source)))
    functions = tuple(scanner.functions())
    return functions, tuple(scanner.variables)


def _tokens(source: str) -> Iterator[_Token]:
    line, place = 1, 0
    while place < len(source):
        matched = _TOKEN.match(source, place)
        if matched is None:
            place += 1
            continue
        if matched.lastgroup != "skip":
            yield _Token(matched[0], line)
        line += matched[0].count("\n")
        place = matched.end()
