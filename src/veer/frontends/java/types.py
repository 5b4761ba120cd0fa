"""Java's types → the types of inputs and results (veer.model.program).

int, long, ...     numbers of their size
int[]              a pointer, or null, to { its class at 0, length at 8, elements from 16 }
"""

from __future__ import annotations

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import words
from veer.frontends.java.lowering.world import ELEMENTS_AT, LENGTH_AT, SIZES
from veer.model.errors import UnsupportedInputError
from veer.model.program import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.values import replace

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
    return type_ in _KINDS or (type_[:1] == "[" and type_[1:] in _KINDS)


class TypeTable(Struct):
    """Types of inputs by id. `max_array`: most elements of an array."""

    max_array: int
    types: list[Type] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)

    def input(self, type_: str) -> int:
        """The id of the type of an input. Raises UnsupportedInputError."""
        if type_ not in self.known:
            if type_ in _KINDS:
                self.known[type_] = self.number(type_)
            elif is_supported(type_):
                self.known[type_] = self._array(type_)
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

    def _array(self, type_: str) -> int:
        element = self.input(type_[1:])
        length = self.add(
            Type(
                *(0, TypeKind.UNSIGNED, "int", 4, 4),
                minimum=0,
                maximum=self.max_array,
                is_ranged=True,
                bound=BoundKind.ARRAY,
            )
        )
        tail = self.add(Type(0, TypeKind.ARRAY, words(type_), 0, SIZES[type_[1:]], target=element))
        fields = (Field(LENGTH, LENGTH_AT, length), Field(ELEMENTS, ELEMENTS_AT, tail))
        object_ = self.add(
            Type(
                0, TypeKind.STRUCT, words(type_), ELEMENTS_AT, 8, fields=fields, initialiser=f"{INITIALISER}{type_[1:]}"
            )
        )
        return self.add(
            Type(
                *(0, TypeKind.POINTER, words(type_), 8, 8, object_),
                extent=ExtentKind.FLEXIBLE,
                maximum=self.max_array,
                length=LENGTH,
                bound=BoundKind.ARRAY,
            )
        )
