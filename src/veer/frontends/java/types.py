"""Java's types → the types of inputs and results (veer.model.program).

int, long, ...     numbers of their size
int[]              a pointer, or null, to { its class at 0, length at 8, elements from 16 }
String             the same with a byte for each character: what a string of Latin-1 holds
"""

from __future__ import annotations

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import words
from veer.frontends.java.lowering.world import ELEMENTS_AT, LENGTH_AT, SIZES
from veer.model.errors import UnsupportedInputError
from veer.model.program import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.values import replace

STRING = "Ljava/lang/String;"
LENGTH, ELEMENTS = "length", "elements"
"""The members of an array."""
_KINDS = {
    **dict.fromkeys("BSIJ", TypeKind.SIGNED),
    **{"Z": TypeKind.BOOL, "C": TypeKind.UNSIGNED, "F": TypeKind.FLOAT, "D": TypeKind.FLOAT},
}
INITIALISER = "veer_java_array_"
"""Before the number of an array's class: the function that writes that number into a new input."""


THIS = "this"
"""The input that an instance method's object is: a struct of what its constructor takes."""


def is_supported(type_: str) -> bool:
    """Whether inputs of a type are made."""
    return type_ in _KINDS or type_ == STRING or (type_[:1] == "[" and type_[1:] in _KINDS)


class TypeTable(Struct):
    """Types of inputs by id. `max_array`: most elements of an array; `max_length`: most characters of a string."""

    max_array: int
    max_length: int
    types: list[Type] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)

    def input(self, type_: str) -> int:
        """The id of the type of an input. Raises UnsupportedInputError."""
        if type_ not in self.known:
            if type_ in _KINDS:
                self.known[type_] = self.number(type_)
            elif type_ == STRING:
                byte = self.add(Type(0, TypeKind.UNSIGNED, "byte", 1, 1))
                self.known[type_] = self._flexible("String", "B", byte, self.max_length, BoundKind.LENGTH)
            elif is_supported(type_):
                element = self.input(type_[1:])
                self.known[type_] = self._flexible(words(type_), type_[1:], element, self.max_array, BoundKind.ARRAY)
            else:
                raise UnsupportedInputError(f"veer makes no values of the type {words(type_)} yet")
        return self.known[type_]

    def receiver(self, owner: str, given: tuple[tuple[str, str], ...]) -> int:
        """The type of an object that is made by a constructor: names and types of what it takes."""
        fields, end = [], 0
        for name, type_ in given:
            row = self.types[self.input(type_)]
            end = -(-end // row.alignment) * row.alignment
            fields.append(Field(name, end, row.id))
            end += row.size
        return self.add(Type(0, TypeKind.STRUCT, owner, -(-end // 8) * 8, 8, fields=tuple(fields)))

    def number(self, type_: str) -> int:
        """A new row of a primitive type."""
        size = SIZES[type_]
        return self.add(Type(0, _KINDS[type_], words(type_), size, size))

    def add(self, row: Type) -> int:
        """A new row."""
        self.types.append(replace(row, id=len(self.types)))
        return len(self.types) - 1

    def _flexible(self, name: str, letter: str, element: int, most: int, bound: BoundKind) -> int:
        """The type of a reference to an array with elements of a primitive type."""
        length = self.add(
            Type(*(0, TypeKind.UNSIGNED, "int", 4, 4), minimum=0, maximum=most, is_ranged=True, bound=bound)
        )
        tail = self.add(Type(0, TypeKind.ARRAY, name, 0, SIZES[letter], target=element))
        fields = (Field(LENGTH, LENGTH_AT, length), Field(ELEMENTS, ELEMENTS_AT, tail))
        initialiser = f"{INITIALISER}{letter}"
        object_ = self.add(Type(0, TypeKind.STRUCT, name, ELEMENTS_AT, 8, fields=fields, initialiser=initialiser))
        return self.add(
            Type(
                *(0, TypeKind.POINTER, name, 8, 8, object_),
                extent=ExtentKind.FLEXIBLE,
                maximum=most,
                length=LENGTH,
                bound=bound,
            )
        )
