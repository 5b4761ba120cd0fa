"""What the compiler says of functions and types: the text that veer.zig makes, as values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from veer.model.errors import ToolchainError

NONE = -1
"""Stands for a type that there is none of, or that is not told."""
_TEXT = re.compile(r'^@\S*veer_described = .*?constant \[\d+ x i8\] c"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")


class ZigFunction(Struct, frozen=True):
    """A function: type numbers of its result and parameters; NONE where a type depends on an argument."""

    name: str
    is_generic: bool
    convention: str
    returns: int
    parameters: tuple[int, ...]


class ZigType(Struct, frozen=True):
    """A type: its kind as veer.zig says it, bytes, name, and what else its kind has, as text."""

    number: int
    kind: str
    size: int
    alignment: int
    name: str
    more: tuple[str, ...] = ()

    def child(self, place: int = 0) -> int:
        """The number of the type that stands at this place of `more`."""
        return _number(self.more[place])


class Description(Struct, frozen=True):
    """Functions by name, all types that they lead to, by number, and the types of variables."""

    functions: dict[str, ZigFunction]
    types: tuple[ZigType, ...]
    variables: dict[str, int] = field(default_factory=dict)


def described(ir: str) -> Description:
    """The description that stands in a module. Raises ToolchainError when there is none."""
    matched = _TEXT.search(ir)
    if matched is None:
        raise ToolchainError("the module has no description of its functions: this is a bug of veer's")
    text = _ESCAPE.sub(lambda each: chr(int(each[1], 16)), matched[1])
    functions: dict[str, ZigFunction] = {}
    types: list[ZigType] = []
    variables: dict[str, int] = {}
    for row in text.encode("latin-1").decode(errors="replace").splitlines():
        what, *columns = row.split("\t")
        if what == "fn":
            functions[columns[0]] = _function(columns)
        elif what == "var":
            variables[columns[0]] = _number(columns[1])
        else:
            types.append(_type(len(types), columns))
    return Description(functions, tuple(types), variables)


def _function(columns: Sequence[str]) -> ZigFunction:
    name, is_generic, convention, returns, parameters = columns
    numbers = tuple(_number(each) for each in parameters.split(",")[:-1])
    return ZigFunction(name, is_generic == "1", convention, _number(returns), numbers)


def _type(number: int, columns: Sequence[str]) -> ZigType:
    kind, size, alignment, name, *more = columns
    return ZigType(number, kind, int(size), int(alignment), name, tuple(more))


def _number(text: str) -> int:
    return NONE if text == "-" else int(text)
