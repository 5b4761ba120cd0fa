"""How objects lie in memory, and the numbers of classes.

object    i32 number of its class, i32 check that made it (exceptions; else 0), fields: the superclass's first
array     the same, i32 length at 8, elements from 16
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import class_of
from veer.frontends.java.classfile.model import FieldInfo
from veer.frontends.java.lowering.cuts import IMPLICIT
from veer.frontends.java.lowering.world import HEADER, PRIMITIVE, PRIMITIVES, SIZES, World

_REFERENCE = 8
_BEHIND_BOXES = 16
"""Where fields may lie that are apart from the numbers of boxes."""
MEMORY_TYPES = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}
"""The IR types of numbers in memory, by their descriptors."""


def size_of(type_: str) -> int:
    """Bytes of a value of a type in memory."""
    return SIZES.get(type_, _REFERENCE)


class Shape(Struct):
    """A class's fields: byte offset by (class that declares it, name), and the size of an object."""

    offsets: dict[tuple[str, str], int]
    fields: tuple[tuple[str, FieldInfo], ...]
    size: int


class Layouts(Struct, dict=True):
    """Layouts and numbers of the classes of a finished world."""

    world: World
    _shapes: dict[str, Shape] = field(default_factory=dict)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Classes and array types of which there may be objects, from 1: those that instructions throw first."""
        return {name: number for number, name in enumerate(dict.fromkeys((*IMPLICIT, *self.world.made)), 1)}

    @cached_property
    def class_numbers(self) -> dict[str, int]:
        """The same, and behind them the classes that programs name; the elements of arrays are among them."""
        names = dict.fromkeys((*self.numbers, *self.world.class_constants))
        for name in list(names):
            while is_array(name):
                name = class_of(name[1:])
                names.setdefault(name)
        for name in list(names):
            names.update(dict.fromkeys(self.world.above_class(name)))
        return {name: number for number, name in enumerate(names, 1)}

    def name(self, number: int) -> str:
        """The class with this number."""
        return list(self.numbers)[number - 1]

    @property
    def count(self) -> int:
        """Rows of tables by class number."""
        return len(self.numbers) + 1

    def shape(self, name: str) -> Shape:
        """The fields of a class."""
        if name not in self._shapes:
            self._shapes[name] = self._shape(name)
        return self._shapes[name]

    def offset(self, owner: str, name: str, descriptor: str) -> int:
        """Where a field lies in objects of a class and its subclasses."""
        for each in self.world.superclasses(owner):
            found = each.field(name, descriptor)
            if found is not None and not found.is_static:
                return self.shape(each.name).offsets[each.name, name]
        raise KeyError(f"{owner}.{name}")

    def subtypes(self, other: str) -> Iterator[int]:
        """The numbers of all classes that are subtypes of one."""
        return (number for name, number in self.numbers.items() if self.world.is_subtype(name, other))

    @cached_property
    def _spread_from(self) -> dict[str, int]:
        """Where the fields of classes lie that must not share places: an input may be of one or another of them."""
        found, end = {}, _BEHIND_BOXES
        for name in self.world.spread:
            found[name] = end
            end += 8 * sum(not each.is_static for each in self.world.type(name).fields)
        return found

    def _shape(self, name: str) -> Shape:
        found = self.world.type(name)
        above = self.shape(found.above) if found.above else Shape({}, (), HEADER)
        offsets, end = dict(above.offsets), max(above.size, self._spread_from.get(name, 0))
        own = [each for each in found.fields if not each.is_static]
        for each in own:
            size = size_of(each.descriptor)
            end = -(-end // size) * size
            offsets[name, each.name] = end
            end += size
        return Shape(offsets, (*above.fields, *((name, each) for each in own)), -(-end // 8) * 8)


def is_array(name: str) -> bool:
    """Whether a class is one of arrays of references."""
    return name.startswith(("[L", "[["))


def array_of(name: str) -> str:
    """The class of arrays whose elements are of a class."""
    if name in PRIMITIVES:
        return f"[{name[-1]}"
    return f"[{name}" if name.startswith("[") else f"[L{name};"


def component_of(name: str) -> str:
    """The class of the elements of a class of arrays; empty for another one."""
    if is_array(name):
        return class_of(name[1:])
    return f"{PRIMITIVE}{name[1:]}" if name.startswith("[") else ""
