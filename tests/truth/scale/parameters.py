"""What the entry of a generated program takes, as slots: integers, which brute force goes through one by one.

Each parameter knows its C declaration, the values of its slots, how brute force makes the argument from them, and how
to read them from the inputs of a test. The values are all that the program can tell apart: what is not among them is
first brought into their range by the entry's first statements (`narrowing`).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol, Self

from scale.marked import Node, block, line
from veer.model.inputs import Cell, InputMap, Pointer, Scalar
from veer.model.values import replace

Vector = tuple[int, ...]
NULL, FRESH, ALIAS = 0, 1, 2


class Parameter(Protocol):
    """One parameter of the entry; some are two."""

    @property
    def declaration(self) -> str:
        """As it stands in the entry's head."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the C parameters."""

    @property
    def slots(self) -> int:
        """How many integers stand for it."""

    def vectors(self) -> list[Vector]:
        """All values of its slots."""

    def narrowing(self) -> list[Node]:
        """Statements at the head of the entry that bring every value into the range of `vectors`."""

    def making(self, first: int) -> list[str]:
        """C that declares the arguments by their names, from slot[first] on."""

    def writing(self) -> list[str]:
        """C that says what the entry may have written into, by calls of bf_writes."""

    def written(self) -> list[tuple[str, int]]:
        """What `writing` says: (name of the parameter that leads there, bytes)."""

    def read(self, inputs: InputMap) -> Vector:
        """The slots of a test."""

    def renamed(self, suffix: str) -> Parameter:
        """The same with this behind its names."""


@dataclass(frozen=True, slots=True)
class _Named:
    """What a parameter with one name has in common with the others."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def renamed(self, suffix: str) -> Self:
        return replace(self, name=self.name + suffix)

    def narrowing(self) -> list[Node]:
        return []

    def writing(self) -> list[str]:
        return []

    def written(self) -> list[tuple[str, int]]:
        return []


def _root_cells(inputs: InputMap, name: str) -> dict[int, Cell]:
    for root in inputs.roots:
        if root.name == name:
            return {cell.offset: cell for cell in root.cells}
    return {}


def _number(cells: dict[int, Cell], offset: int) -> int:
    """The scalar there; 0 where the run never made it."""
    cell = cells.get(offset)
    return cell.value.number if cell is not None and isinstance(cell.value, Scalar) else 0


def _target(inputs: InputMap, name: str) -> int | None:
    """The number of the object that a parameter points to; None: NULL, or never looked at."""
    cell = _root_cells(inputs, name).get(0)
    return cell.value.target if cell is not None and isinstance(cell.value, Pointer) else None


def _object_cells(inputs: InputMap, number: int) -> dict[int, Cell]:
    for thing in inputs.objects:
        if thing.number == number:
            return {cell.offset: cell for cell in thing.cells}
    return {}


@dataclass(frozen=True, slots=True)
class Whole(_Named):
    """An integer, brought into 0 .. count-1 by a remainder or a mask, or with all of a byte's values."""

    ctype: str
    count: int

    @property
    def declaration(self) -> str:
        return f"{self.ctype} {self.name}"

    @property
    def slots(self) -> int:
        return 1

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and greatest value."""
        if self.count == 256:
            return (0, 255) if self.ctype.startswith("unsigned") else (-128, 127)
        return 0, self.count - 1

    def vectors(self) -> list[Vector]:
        low, high = self.bounds
        return [(value,) for value in range(low, high + 1)]

    def narrowing(self) -> list[Node]:
        if self.count in (2, 256) and self.ctype in ("_Bool", "unsigned char", "signed char"):
            return []
        if self.count & (self.count - 1) == 0:
            return [line(f"{self.name} &= {self.count - 1};", fixed=True)]
        unsigned = "" if self.ctype.startswith("unsigned") else "(unsigned)"
        return [line(f"{self.name} = {unsigned}{self.name} % {self.count}u;", fixed=True)]

    def making(self, first: int) -> list[str]:
        return [f"{self.ctype} {self.name} = ({self.ctype})slot[{first}];"]

    def read(self, inputs: InputMap) -> Vector:
        return (_number(_root_cells(inputs, self.name), 0),)


@dataclass(frozen=True, slots=True)
class Real(_Named):
    """A float or a double, of which the program sees the quarter that it lies in, or on which side of -2 .. 2.

    The slot is the value's bits.
    """

    ctype: str

    @property
    def declaration(self) -> str:
        return f"{self.ctype} {self.name}"

    @property
    def slots(self) -> int:
        return 1

    @property
    def quarters(self) -> str:
        """The variable that holds what the program sees: -9 or -8 .. 7."""
        return f"{self.name}q"

    def _bits(self, value: float) -> int:
        form, bits = ("<f", "<i") if self.ctype == "float" else ("<d", "<q")
        return int(struct.unpack(bits, struct.pack(form, value))[0])

    def vectors(self) -> list[Vector]:
        values = (*(quarter / 4 for quarter in range(-8, 8)), -3.0, 3.0, float("nan"))
        return [(self._bits(value),) for value in values]

    def narrowing(self) -> list[Node]:
        suffix = "f" if self.ctype == "float" else ""
        inside = line(f"{self.quarters} = (int)({self.name} * 4.0{suffix});", fixed=True)
        above = Node(
            (f"if (‹{self.name} >= -2.0{suffix}›)", (Node((f"if (‹{self.name} < 2.0{suffix}›)", (inside,))),)), True
        )
        return [line(f"int {self.quarters} = -9;", fixed=True), above]

    def making(self, first: int) -> list[str]:
        return [
            f"{self.ctype} {self.name};",
            f"memcpy(&{self.name}, (const char *)&slot[{first}], sizeof {self.name});",
        ]

    def read(self, inputs: InputMap) -> Vector:
        cell = _root_cells(inputs, self.name).get(0)
        bits = cell.value.bits if cell is not None and isinstance(cell.value, Scalar) else 0
        width = 32 if self.ctype == "float" else 64
        return (bits - (1 << width) if bits >> (width - 1) else bits,)


CLASSES = "!0Aabz"
"""A character for each that programs tell apart by comparing with '0', 'a', 'b' and by order among these."""
DIGITS = "0123456789- z"


@dataclass(frozen=True, slots=True)
class Text(_Named):
    """A string of up to two characters: slots are the length, -1 for NULL, and the characters."""

    alphabet: str
    longest: int = 2

    @property
    def declaration(self) -> str:
        return f"const char *{self.name}"

    @property
    def slots(self) -> int:
        return 1 + self.longest

    def vectors(self) -> list[Vector]:
        rest = (0,) * self.longest
        found: list[Vector] = [(-1, *rest)]
        for length in range(self.longest + 1):
            for letters in product(map(ord, self.alphabet), repeat=length):
                found.append((length, *letters, *rest[length:]))
        return found

    def narrowing(self) -> list[Node]:
        return [block(f"if (!‹{self.name}›) {{", [line("return 0;")])]

    def making(self, first: int) -> list[str]:
        own = f"{self.name}_text"
        lines = [f"char *{own} = slot[{first}] < 0 ? 0 : malloc(slot[{first}] + 1);"]
        lines += [f"for (int k = 0; k < slot[{first}]; k++) {own}[k] = (char)slot[{first + 1} + k];"]
        lines += [f"if ({own}) {own}[slot[{first}]] = 0;", f"const char *{self.name} = {own};"]
        return lines

    def read(self, inputs: InputMap) -> Vector:
        number = _target(inputs, self.name)
        if number is None:
            return (-1, *[0] * self.longest)
        cells = _object_cells(inputs, number)
        letters = [_number(cells, offset) for offset in range(self.longest)]
        length = letters.index(0) if 0 in letters else self.longest
        return (length, *letters[:length], *[0] * (self.longest - length))


@dataclass(frozen=True, slots=True)
class Record(_Named):
    """A pointer to a `struct in`, or NULL: slots are whether it is there, and its members; the program sets
    the last one, but where a bundle runs another program."""

    counts: tuple[int, int, int] = (4, 4, 2)

    @property
    def declaration(self) -> str:
        return f"struct in *{self.name}"

    @property
    def slots(self) -> int:
        return 5

    def vectors(self) -> list[Vector]:
        values = product(*map(range, self.counts))
        return [(NULL, 0, 0, 0, 0), *((FRESH, *members, 0) for members in values)]

    def narrowing(self) -> list[Node]:
        p = self.name
        members = zip(("wide", "one", "two"), self.counts, strict=True)
        inside = [line(f"{p}->{member} &= {count - 1};", fixed=True) for member, count in members]
        return [
            block(f"if (!‹{p}›) {{", [line("return -1;")]),
            *inside,
            line(f"{p}->rest = 0;", fixed=True),
        ]

    def making(self, first: int) -> list[str]:
        return [
            f"struct in {self.name}_it = {{(int)slot[{first + 1}], (unsigned char)slot[{first + 2}],"
            f" (signed char)slot[{first + 3}], (short)slot[{first + 4}]}};",
            f"struct in *{self.name} = slot[{first}] ? &{self.name}_it : 0;",
        ]

    def writing(self) -> list[str]:
        return [f"bf_writes(&{self.name}_it, sizeof {self.name}_it);"]

    def written(self) -> list[tuple[str, int]]:
        return [(self.name, 8)]

    def read(self, inputs: InputMap) -> Vector:
        number = _target(inputs, self.name)
        if number is None:
            return NULL, 0, 0, 0, 0
        cells = _object_cells(inputs, number)
        return FRESH, _number(cells, 0), _number(cells, 4), _number(cells, 5), _number(cells, 6)


@dataclass(frozen=True, slots=True)
class Twins:
    """Two pointers to int: each is NULL or a variable of its own, the second may lead to the first's."""

    one: str
    two: str
    count: int = 4

    @property
    def declaration(self) -> str:
        return f"int *{self.one}, int *{self.two}"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.one, self.two)

    @property
    def slots(self) -> int:
        return 4

    def vectors(self) -> list[Vector]:
        values = range(self.count)
        found: list[Vector] = [(NULL, 0, NULL, 0)]
        found += [(NULL, 0, FRESH, value) for value in values]
        found += [(FRESH, value, kind, 0) for value in values for kind in (NULL, ALIAS)]
        found += [(FRESH, *pair) for value in values for pair in ((value, FRESH, other) for other in values)]
        return found

    def narrowing(self) -> list[Node]:
        mask = self.count - 1
        return [
            block(f"if (!‹{self.one}›) {{", [line("return -2;")]),
            line(f"*{self.one} &= {mask};", fixed=True),
            Node((f"if (‹{self.two}›)", (line(f"*{self.two} &= {mask};", fixed=True),)), True),
        ]

    def making(self, first: int) -> list[str]:
        one, two = self.one, self.two
        return [
            f"int {one}_it = (int)slot[{first + 1}], {two}_it = (int)slot[{first + 3}];",
            f"int *{one} = slot[{first}] ? &{one}_it : 0;",
            f"int *{two} = slot[{first + 2}] == {NULL} ? 0 : slot[{first + 2}] == {ALIAS} ? {one} : &{two}_it;",
        ]

    def writing(self) -> list[str]:
        return [f"bf_writes(&{name}_it, sizeof {name}_it);" for name in self.names]

    def written(self) -> list[tuple[str, int]]:
        return [(name, 4) for name in self.names]

    def renamed(self, suffix: str) -> Twins:
        return replace(self, one=self.one + suffix, two=self.two + suffix)

    def read(self, inputs: InputMap) -> Vector:
        one, two = _target(inputs, self.one), _target(inputs, self.two)
        first = _number(_object_cells(inputs, one), 0) if one is not None else 0
        if two is None:
            return (FRESH if one is not None else NULL, first, NULL, 0)
        if two == one:
            return FRESH, first, ALIAS, 0
        return FRESH if one is not None else NULL, first, FRESH, _number(_object_cells(inputs, two), 0)


def all_vectors(parameters: Sequence[Parameter]) -> list[Vector]:
    """Every input of an entry."""
    return [sum(parts, ()) for parts in product(*(each.vectors() for each in parameters))]


def vector_of(parameters: Sequence[Parameter], inputs: InputMap) -> Vector:
    """The slots of a test's inputs."""
    return sum((each.read(inputs) for each in parameters), ())
