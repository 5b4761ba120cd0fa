"""What a function takes and returns, as a user writes it in C: `int f(const uint8_t *p, int n)`.

Numbers, and pointers to numbers. Sizes are the machine's. Variables of the program that are inputs, too, stand behind a
semicolon: `int step(void); unsigned char state; short samples[4]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from veer.frontends.llvm.lengths import BUFFER, BYTES, OTHER
from veer.frontends.machine.architectures import I8051, X86_64, Architecture
from veer.frontends.machine.lengths import kind_of_number, lengths
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.types import BoundKind, ExtentKind, Type, TypeKind
from veer.model.values import replace

_WORD = 8
"""Bytes of a pointer as the runtime keeps it, whatever the machine's have."""
_SHAPE = re.compile(r"^\s*(?P<result>[\w\s*]+?)\s*\b(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>[^()]*)\)\s*;?\s*$")
_PARAMETER = re.compile(
    r"^(?P<base>[A-Za-z_][\w\s]*?)(?P<stars>[\s*]*?)(?P<name>\b[A-Za-z_]\w*)?\s*(?P<array>\[\d*\])?$"
)
_IGNORED = frozenset(("const", "volatile", "restrict", "register", "extern", "static"))
_EXACT = re.compile(r"^(u?)int(8|16|32|64)_t$")
_NUMBERS = {
    **dict.fromkeys(("short", "short int", "signed short"), (2, True)),
    **dict.fromkeys(("unsigned short", "unsigned short int"), (2, False)),
    **dict.fromkeys(("int", "signed", "signed int"), (4, True)),
    **dict.fromkeys(("unsigned", "unsigned int"), (4, False)),
    **dict.fromkeys(("long long", "long long int", "signed long long"), (8, True)),
    **dict.fromkeys(("unsigned long long", "unsigned long long int"), (8, False)),
    "signed char": (1, True),
    "unsigned char": (1, False),
}
_INTS = frozenset(("int", "signed", "signed int", "unsigned", "unsigned int"))
_FLOATS = {"float": 4, "double": 8}
_BYTES = frozenset(("char", "signed char", "unsigned char", "uint8_t", "int8_t", "void"))
_WORDS = {
    **dict.fromkeys(("long", "long int", "signed long", "intptr_t", "ssize_t", "ptrdiff_t"), True),
    **dict.fromkeys(("unsigned long", "unsigned long int", "size_t", "uintptr_t"), False),
}


class Given(Struct, frozen=True):
    """A parameter, or an element of a variable: its name, its row in `types` (-1: nothing)."""

    name: str
    type: int
    variable: bool = False


class Prototype(Struct, frozen=True):
    """A function's. `returns`: type id of its result, -1 for none; `unrecorded`: why it is not recorded, or empty;
    `notes`: what else is told of its inputs."""

    name: str
    parameters: tuple[Given, ...]
    returns: int
    types: tuple[Type, ...]
    unrecorded: str = ""
    notes: tuple[str, ...] = ()


def parsed(text: str, machine: Architecture, options: BuildOptions) -> Prototype:
    """Raises UsageError for what is no prototype, UnsupportedInputError for a type that no input can be made for."""
    text, *declared = [part.strip() for part in text.split(";") if part.strip()] or [""]
    matched = _SHAPE.match(text)
    if matched is None:
        raise UsageError(f"--prototype {text!r} is none; write it as in C: 'int f(const uint8_t *p, int n)'")
    table = _Table(machine, options)
    words = [word.strip() for word in matched["parameters"].split(",")]
    if words in ([""], ["void"]):
        words = []
    parameters = (*_parameters(words, table, matched["name"]), *_variables(declared, table))
    result = " ".join(matched["result"].replace("*", " * ").split())
    if result == "void":
        return Prototype(matched["name"], parameters, -1, tuple(table.rows))
    if "*" in result:
        why = f"what {matched['name']} returns is not compared: it is a pointer"
        return Prototype(matched["name"], parameters, -1, tuple(table.rows), why)
    returns = table.add(table.number(result, f"the result of {matched['name']}"))
    return Prototype(matched["name"], parameters, returns, tuple(table.rows))


def _parameters(words: list[str], table: _Table, function: str) -> Iterator[Given]:
    found = [_PARAMETER.match(word) for word in words]
    names = [_name(each, place) for place, each in enumerate(found)]
    of_buffers = lengths(names, "".join(map(_kind, found, names)))
    rows: dict[int, int] = {}
    for place, (word, each) in sorted(
        enumerate(zip(words, found, strict=True)), key=lambda each: each[0] in of_buffers.values()
    ):
        if each is None:
            raise UsageError(f"--prototype: the parameter {word!r} of {function} is no number and no pointer to one")
        stars = each["stars"].count("*") + (each["array"] is not None)
        if stars == 0:
            buffer = next((rows[at] for at, length in of_buffers.items() if length == place), None)
            rows[place] = table.parameter(each["base"], names[place], buffer)
        else:
            length = names[of_buffers[place]] if place in of_buffers else ""
            fixed = int(each["array"][1:-1] or 0) if each["array"] else 0
            rows[place] = table.pointer(each["base"], names[place], stars, length, fixed)
    yield from (Given(name, rows[place]) for place, name in enumerate(names))


def _kind(matched: re.Match[str] | None, name: str) -> str:
    """What lengths.py asks of a parameter. An array with a size has no length beside it."""
    if matched is None or (matched["array"] is not None and matched["array"] != "[]"):
        return OTHER
    base = " ".join(word for word in matched["base"].split() if word not in _IGNORED)
    if "*" in matched["stars"] or matched["array"] is not None:
        return BYTES if base in _BYTES else BUFFER
    return OTHER if base in _FLOATS else kind_of_number(name)


def _variables(declared: list[str], table: _Table) -> Iterator[Given]:
    """An input for each number of the variables."""
    for text in declared:
        matched = _PARAMETER.match(text)
        if matched is None or not matched["name"] or "*" in matched["stars"]:
            raise UsageError(f"--prototype: {text!r} is no variable of numbers; write it as 'unsigned char x[4]'")
        name, count = matched["name"], matched["array"]
        row = table.add(table.number(matched["base"], name))
        if count is None:
            yield Given(name, row, variable=True)
            continue
        for place in range(int(count[1:-1] or 0)):
            yield Given(f"{name}[{place}]", row, variable=True)


def _name(matched: re.Match[str] | None, place: int) -> str:
    return (matched["name"] if matched else None) or f"argument_{place + 1}"


class _Table:
    """The rows of types."""

    def __init__(self, machine: Architecture, options: BuildOptions) -> None:
        self._machine = machine
        self._options = options
        self.rows: list[Type] = []

    def add(self, row: Type) -> int:
        """Its id."""
        self.rows.append(replace(row, id=len(self.rows)))
        return len(self.rows) - 1

    def number(self, text: str, what: str) -> Type:
        """A row for a number. Raises UnsupportedInputError."""
        name = " ".join(word for word in text.split() if word not in _IGNORED)
        if name in ("bool", "_Bool"):
            return Type(0, TypeKind.BOOL, name, 1, 1)
        if name == "char":
            is_signed = self._machine is X86_64
            return Type(0, TypeKind.CHAR if is_signed else TypeKind.UNSIGNED, name, 1, 1)
        if name in _FLOATS:
            return Type(0, TypeKind.FLOAT, name, _FLOATS[name], _FLOATS[name])
        size, is_signed = self._size(name, what)
        return Type(0, TypeKind.SIGNED if is_signed else TypeKind.UNSIGNED, name, size, size)

    def _size(self, name: str, what: str) -> tuple[int, bool]:
        if exact := _EXACT.match(name):
            return int(exact[2]) // 8, not exact[1]
        if self._machine is I8051 and name in _INTS:
            return 2, _NUMBERS[name][1]
        if name in _WORDS:
            return self._word(name), _WORDS[name]
        if name not in _NUMBERS:
            raise UnsupportedInputError(f"{what} is of type {name}: only numbers and pointers to them are supported")
        return _NUMBERS[name]

    def _word(self, name: str) -> int:
        """Bytes of a long, or of an address."""
        return 4 if self._machine is I8051 and "long" in name else self._machine.bytes

    def parameter(self, text: str, name: str, of_buffer: int | None) -> int:
        """A number. A length is as large as the buffer, of which the row is given, may be."""
        row = self.number(text, name)
        if of_buffer is None:
            return self.add(row)
        buffer = self.rows[of_buffer]
        return self.add(replace(row, minimum=0, maximum=buffer.maximum, is_ranged=True, bound=buffer.bound))

    def pointer(self, text: str, name: str, stars: int, length: str, fixed: int) -> int:
        """A pointer to numbers: to a text, to as many as a length says or the prototype, or to one."""
        if stars > 1:
            raise UnsupportedInputError(f"{name} leads to a pointer: not supported yet")
        words = "uint8_t" if text.replace("const", "").strip() == "void" else text
        element = self.number(words, name)
        if self._machine.is_big and element.size > 1:
            raise UnsupportedInputError(
                f"{name} leads to {element.name}: on a big-endian machine only bytes are made yet"
            )
        target = self.add(element)
        nullable = name not in self._options.not_null
        shown = f"{text.strip()} *"
        row = Type(0, TypeKind.POINTER, shown, _WORD, _WORD, target=target, nullable=nullable)
        if fixed:
            return self.add(replace(row, extent=ExtentKind.FIXED, maximum=fixed))
        if not length and element.name == "char":
            most = self._options.max_length
            return self.add(replace(row, extent=ExtentKind.STRING, maximum=most, bound=BoundKind.LENGTH))
        return self.add(several(row, element.size, length, self._options))


def several(row: Type, size: int, length: str, options: BuildOptions) -> Type:
    """A pointer to numbers of this size: to as many as `length` says, or to any number of them but none."""
    kind = ExtentKind.LENGTH if length else ExtentKind.COUNT
    most, bound = (options.max_length, BoundKind.LENGTH) if size == 1 else (options.max_array, BoundKind.ARRAY)
    if not length and most <= 1:
        return replace(row, extent=ExtentKind.ONE, maximum=1)
    return replace(row, extent=kind, maximum=most, length=length, bound=bound)
