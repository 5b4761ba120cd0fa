"""Java's types → the types of inputs and results (veer.model.types).

int, long, ...     numbers of their size
int[]              a pointer, or null, to { its class at 0, length at 8, elements from 16 }
String             the same for { a String, and behind it its array of bytes }: a byte for each character (Latin-1)
ArrayList          the same for { an ArrayList, and behind it its array of references }
Node               a pointer, or null, to { number of its class, fields }; what a constructor takes lies behind them
enum Color         a pointer, or null, to a copy of one of the constants: its number says of which
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import dotted, full_words, words
from veer.frontends.java.lowering.layout import Layouts, size_of
from veer.frontends.java.lowering.world import ELEMENTS_AT, ENUM, LENGTH_AT, SIZES, STRING
from veer.frontends.java.shapes.effects import may_change
from veer.frontends.java.shapes.generics import Generic
from veer.frontends.java.shapes.naming import own_name
from veer.frontends.java.shapes.shape import Candidate, Kind, Shape, Slot
from veer.frontends.java.shapes.shapes import Shapes
from veer.model.errors import UnsupportedInputError
from veer.model.types import (
    CLASS_MEMBER,
    ELEMENTS,
    LENGTH,
    ORDINAL,
    BoundKind,
    ExtentKind,
    Field,
    Recipe,
    Type,
    TypeKind,
)
from veer.model.values import replace

KEY, MAPPED = "key", "value"
"""Members of an element of a map."""
_KINDS = {
    **dict.fromkeys("BSIJ", TypeKind.SIGNED),
    **{"Z": TypeKind.BOOL, "C": TypeKind.UNSIGNED, "F": TypeKind.FLOAT, "D": TypeKind.FLOAT},
}
INITIALISER = "veer_java_make_"
"""Before the number of a row: the function that makes an object of a new input."""
THIS = "this"
"""The input that an instance method's object is: a struct of what its constructor takes, or an object of its fields."""


class Placed(Struct, frozen=True):
    """A slot of a candidate within its row: its member, and where it lies."""

    slot: Slot
    member: str
    offset: int


class Row(Struct, frozen=True):
    """A row of objects. `placed`: the slots of each candidate; `base`: where the array behind the object lies."""

    id: int
    shape: Shape
    placed: tuple[tuple[Placed, ...], ...] = ()
    base: int = 0


class TypeTable(Struct):
    """Types of inputs by id. `max_array`: most elements of an array; `max_length`: most characters of a string."""

    shapes: Shapes
    layouts: Layouts
    max_array: int
    max_length: int
    types: list[Type] = field(default_factory=list)
    rows: dict[int, Row] = field(default_factory=dict)  # by the id of the struct
    bounds: dict[str, None] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)

    def input(self, type_: Generic) -> int:
        """The id of the type of an input. Raises UnsupportedInputError."""
        if type_.key not in self._known:
            if type_.is_primitive:
                self._known[type_.key] = self.number(type_.name)
            else:
                self._reference(type_.key, self.shapes.of(type_))
        return self._known[type_.key]

    def receiver(self, shape: Shape, others: Iterable[Generic] = ()) -> int:
        """The type of the object that a method is called on: of what a constructor takes, or a reference that is not
        null; of the type of another input that may be the same object. `others`: types of the parameters."""
        made = shape.candidates[0] if len(shape.candidates) == 1 else None
        twin = self.twin(shape, others)
        if twin is not None:
            return self.add(replace(self.types[self.input(twin)], nullable=False))
        if made is not None and made.constructor is not None:
            fields, end = self._taken(made)
            self.bounds.update(dict.fromkeys(shape.bounds))
            name = dotted(made.name)
            return self.add(Type(0, TypeKind.STRUCT, name, -(-end // 8) * 8, 8, fields=fields, recipes=(made.recipe,)))
        key = f"{THIS} {shape.type.key}" if self._is_other(shape) else shape.type.key
        if key not in self._known:
            self._reference(key, shape)
        return self.add(replace(self.types[self._known[key]], nullable=False))

    def twin(self, shape: Shape, others: Iterable[Generic]) -> Generic | None:
        """The type of a parameter that may be the object that a method is called on; None where none may."""
        return twin(self.shapes, shape, others)

    def apart(self) -> Iterator[str]:
        """The bound that inputs of different types are different objects, where they could be one."""
        rows = list(self.rows.values())
        for place, one in enumerate(rows):
            classes = {each.name for each in one.shape.candidates}
            for other in rows[place + 1 :]:
                if classes & {each.name for each in other.shape.candidates}:
                    yield f"no {one.shape.type.words} is the same object as {_with_article(other.shape.type.words)}"

    def _is_other(self, shape: Shape) -> bool:
        """Whether it has other candidates than an input of the same type."""
        try:
            return self.shapes.of(shape.type).candidates != shape.candidates
        except UnsupportedInputError:
            return True

    def number(self, type_: str) -> int:
        """A new row of a primitive type."""
        size = SIZES[type_]
        return self.add(Type(0, _KINDS[type_], words(type_), size, size))

    def add(self, row: Type) -> int:
        """A new row."""
        self.types.append(replace(row, id=len(self.types)))
        return len(self.types) - 1

    # -- references ---------------------------------------------------------------------------------------------------

    def _reference(self, key: str, shape: Shape) -> None:
        """The pointer and the struct are there before what the struct holds: that may lead back to them."""
        is_value = shape.kind is Kind.TEXT or not may_change(self.layouts.world.path, shape.type.descriptor)
        row = Type(0, TypeKind.POINTER, shape.type.words, 8, 8, is_value=is_value)
        pointer = self._known[key] = self.add(row)
        struct = self.add(Type(0, TypeKind.STRUCT, full_words(shape.type.descriptor), 0, 8))
        self.types[pointer] = replace(self.types[pointer], target=struct)
        self.bounds.update(dict.fromkeys(shape.bounds))
        if shape.kind is Kind.OBJECT or shape.kind is Kind.BOX:
            self._object(struct, shape)
        elif shape.kind is Kind.CONSTANT:
            self._constant(struct, shape)
        else:
            self._flexible(pointer, struct, shape)

    def _finish(self, struct: int, size: int, fields: tuple[Field, ...], recipes: tuple[Recipe, ...], row: Row) -> None:
        whole = -(-size // 8) * 8
        symbol = f"{INITIALISER}{struct}"
        self.types[struct] = replace(self.types[struct], size=whole, fields=fields, recipes=recipes, initialiser=symbol)
        self.rows[struct] = row

    def _flexible(self, pointer: int, struct: int, shape: Shape) -> None:
        """An array, or an object with an array of its own behind it."""
        is_text = shape.kind is Kind.TEXT
        most, bound = (self.max_length, BoundKind.LENGTH) if is_text else (self.max_array, BoundKind.ARRAY)
        base = 0 if shape.kind is Kind.ARRAY else self.layouts.shape(STRING if is_text else shape.owner).size
        length = self.add(
            Type(*(0, TypeKind.UNSIGNED, "int", 4, 4), minimum=0, maximum=most, is_ranged=True, bound=bound)
        )
        element = self.add(Type(0, TypeKind.UNSIGNED, "byte", 1, 1)) if is_text else self._element(shape)
        tail = self.add(Type(0, TypeKind.ARRAY, shape.type.words, 0, self.types[element].alignment, target=element))
        fields = (Field(LENGTH, base + LENGTH_AT, length), Field(ELEMENTS, base + ELEMENTS_AT, tail))
        recipes = (shape.recipe,) if shape.recipe is not None else ()
        self._finish(struct, base + ELEMENTS_AT, fields, recipes, Row(struct, shape, base=base))
        flexible = {"extent": ExtentKind.FLEXIBLE, "maximum": most, "length": LENGTH, "bound": bound}
        self.types[pointer] = replace(self.types[pointer], **flexible)
        self.bounds.setdefault(f"{bound} {most}")
        if is_text:
            self.bounds.setdefault("characters of strings below 256")

    def _element(self, shape: Shape) -> int:
        assert shape.element is not None
        element = self.input(shape.element)
        if shape.second is None:
            return element
        fields = (Field(KEY, 0, element), Field(MAPPED, 8, self.input(shape.second)))
        return self.add(Type(0, TypeKind.STRUCT, "entry", 16, 8, fields=fields))

    def _constant(self, struct: int, shape: Shape) -> None:
        listed = tuple((name, number) for number, name in enumerate(shape.constants))
        most = len(listed) - 1
        number = self.add(
            Type(*(0, TypeKind.UNSIGNED, "int", 4, 4), enumerators=listed, minimum=0, maximum=most, is_ranged=True)
        )
        fields = (Field(ORDINAL, self.layouts.offset(ENUM, "ordinal", "I"), number),)
        size = max(self.layouts.shape(each).size for each in self.constant_classes(shape.owner))
        name = full_words(shape.type.descriptor)
        self._finish(struct, size, fields, (Recipe(name, f"{name}."),), Row(struct, shape))

    def constant_classes(self, owner: str) -> list[str]:
        """The classes that constants of an enum may be of."""
        return [each for each in self.layouts.numbers if self.layouts.world.is_subtype(each, owner)]

    def _object(self, struct: int, shape: Shape) -> None:
        candidates, fields = shape.candidates, dict[int, Field]()
        if len(candidates) > 1:
            listed = tuple((dotted(each.name), number) for number, each in enumerate(candidates))
            most = len(listed) - 1
            which = self.add(
                Type(*(0, TypeKind.UNSIGNED, "int", 4, 4), enumerators=listed, minimum=0, maximum=most, is_ranged=True)
            )
            fields[0] = Field(CLASS_MEMBER, 0, which)
        end = max(self.layouts.shape(each.name).size for each in candidates)
        names = [name for each in candidates for name in {slot.name for slot in each.slots}]
        placed, recipes = list[tuple[Placed, ...]](), []
        for each in candidates:
            is_behind = each.constructor is not None or (bool(each.letter) and len(candidates) > 1)
            end, own = self._beside(each, end, names) if is_behind else (end, self._within(each))
            placed.append(own)
        placed = _apart(placed)
        for each, own in zip(candidates, placed, strict=True):
            if each.sees_statics:
                name = full_words(f"L{each.name};")
                self.bounds.setdefault(f"static fields as {name} finds them when an object is first looked at")
            recipes.append(_renamed(each.recipe, own))
            for one in own:
                if one.offset not in fields:
                    fields[one.offset] = Field(one.member, one.offset, self._slot(one.slot, each))
        ordered = tuple(fields[at] for at in sorted(fields))
        self._finish(struct, end, ordered, tuple(recipes), Row(struct, shape, tuple(placed)))

    def _within(self, candidate: Candidate) -> tuple[Placed, ...]:
        """Fields of an object lie where its class has them."""
        shapes = [(each, self.layouts.shape(each.owner)) for each in candidate.slots]
        return tuple(Placed(each, each.name, shape.offsets[each.owner, own_name(each)]) for each, shape in shapes)

    def _beside(self, candidate: Candidate, end: int, names: list[str]) -> tuple[int, tuple[Placed, ...]]:
        """What a constructor takes lies behind the object; so does a box's number where there are boxes of others."""
        found = []
        for each in candidate.slots:
            size = size_of(each.type.descriptor)
            offset = -(-end // size) * size
            end = offset + size
            member = each.name if names.count(each.name) == 1 else f"{dotted(candidate.name)}.{each.name}"
            found.append(Placed(each, member, offset))
        return end, tuple(found)

    def _slot(self, slot: Slot, candidate: Candidate) -> int:
        """The row of a slot: null where veer makes no values of its type."""
        if slot.is_made:
            try:
                return self.input(slot.type)
            except UnsupportedInputError:
                self.bounds.setdefault(f"{dotted(candidate.name)}.{slot.name} is null")
        return self.add(Type(0, TypeKind.POINTER, slot.type.words, 8, 8, extent=ExtentKind.NULL))

    def _taken(self, candidate: Candidate) -> tuple[tuple[Field, ...], int]:
        """What a constructor takes, as the fields of a struct, and its size."""
        fields, end = [], 0
        for each in candidate.slots:
            row = self.types[self._slot(each, candidate)]
            end = -(-end // row.alignment) * row.alignment
            fields.append(Field(each.name, end, row.id))
            end += row.size
        return tuple(fields), end


def _with_article(words: str) -> str:
    return f"{'an' if words[0] in 'AEIOU' else 'a'} {words}"


def _apart(placed: list[tuple[Placed, ...]]) -> list[tuple[Placed, ...]]:
    """The fields of several classes, those with the class before their name that lie elsewhere than another of it."""
    places: dict[str, set[int]] = {}
    for each in placed:
        for one in each:
            places.setdefault(one.member, set()).add(one.offset)

    def told(one: Placed) -> Placed:
        is_alone = len(places[one.member]) == 1
        return one if is_alone else replace(one, member=f"{dotted(one.slot.owner)}.{one.member}")

    return [tuple(map(told, each)) for each in placed]


def twin(shapes: Shapes, shape: Shape, others: Iterable[Generic]) -> Generic | None:
    """See TypeTable.twin: the type with most candidates."""
    if len(shape.candidates) != 1 or shape.kind is not Kind.OBJECT:
        return None
    name, found = shape.candidates[0].name, list[Shape]()
    for each in others:
        if each.is_primitive:
            continue
        other = shapes.of(each)
        if other.kind is Kind.OBJECT and name in {one.name for one in other.candidates}:
            found.append(other)
    return max(found, key=lambda each: len(each.candidates)).type if found else None


def _renamed(recipe: Recipe, placed: tuple[Placed, ...]) -> Recipe:
    """The same with the members that the slots have become."""
    members = {each.slot.name: each.member for each in placed}
    given = tuple(members[each] for each in recipe.given)
    sets, later = (tuple((members[name], how) for name, how in each) for each in (recipe.sets, recipe.later))
    return replace(recipe, given=given, sets=sets, later=later)


def reached(shapes: Shapes, roots: Iterator[Shape]) -> Iterator[Shape]:
    """All shapes that inputs are made of."""
    waiting, seen = list(roots), set[str]()
    while waiting:
        shape = waiting.pop()
        key = f"{shape.type.key} {len(shape.candidates)}"
        if key in seen:
            continue
        seen.add(key)
        yield shape
        types = [each for each in (shape.element, shape.second) if each is not None]
        types += [slot.type for each in shape.candidates for slot in each.slots if slot.is_made]
        for type_ in types:
            if type_.is_primitive:
                continue
            try:
                waiting.append(shapes.of(type_))
            except UnsupportedInputError:
                continue
