"""What tests expect of objects: what an entry returns, and what it leaves in the objects that it was given.

Results, and fields that the call changed, as far as they are numbers, texts, boxes, constants, null or objects of the
test; arrays and collections of such; objects that the call made by their fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.objectgraph import OBJECT, RESULT, Left, ObjectGraph
from veer.model.program import Program
from veer.model.types import CLASS_MEMBER, ELEMENTS, ORDINAL, Type, TypeKind
from veer.suite.java.frameworks import Framework
from veer.suite.java.values import Values, literal

SELF, FOUND = "self", "result"
"""Variables of a test: the object that the entry is called on, what it returns."""
_DEEPEST = 3
_MOST = 12
"""Expectations of one object at most."""
_LETTERS = {
    "Z": "boolean",
    "B": "byte",
    "C": "char",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
}
_BOXES = {"Z": "Boolean", "B": "Byte", "C": "Character", "S": "Short", "I": "Integer"}
_BOXES |= {"J": "Long", "F": "Float", "D": "Double"}
_SIZES = {"Z": 1, "B": 1, "C": 2, "S": 2, "I": 4, "J": 8, "F": 4, "D": 8}
_KINDS = {
    **dict.fromkeys("BSIJ", TypeKind.SIGNED),
    **{"Z": TypeKind.BOOL, "C": TypeKind.UNSIGNED, "F": TypeKind.FLOAT, "D": TypeKind.FLOAT},
}
_LISTS = ("java.util.ArrayList", "java.util.LinkedList")
_SETS = ("java.util.HashSet", "java.util.LinkedHashSet", "java.util.TreeSet")
_MAPS = ("java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap")


class Expectations:
    """The statements behind the call of one test."""

    def __init__(self, program: Program, inputs: InputMap, graph: ObjectGraph, framework: Framework) -> None:
        self._graph = graph
        self._framework = framework
        self._before = dict(_before(program, inputs))
        self._open = set(_open_fields(program))
        self._items = {f"@{item.number}": item for item in inputs.objects}
        self._values = Values(program, inputs)

    def of_result(self) -> list[str]:
        """What is expected of the variable FOUND."""
        return list(self._expected(self._graph.roots.get(RESULT, "?"), FOUND, 0))[:_MOST]

    def of_self(self) -> list[str]:
        """What is expected of the variable SELF, where a constructor made it."""
        root = self._graph.roots.get(OBJECT, "null")
        return list(self._object(root, SELF, 0))[:_MOST] if root.startswith("#") else []

    def of_inputs(self) -> Iterator[str]:
        """What the call changed in the objects that it was given."""
        for key in self._items:
            if key in self._graph.objects:
                yield from list(self._object(key, f"object_{key[1:]}", 0))[:_MOST]

    def _expected(self, value: str, place: str, depth: int) -> Iterator[str]:
        """Statements that a place holds a value."""
        text = self._text(value)
        if text is not None:
            yield self._framework.equal_objects(text, place)
        elif value.startswith("e"):
            yield self._framework.equal_objects(f'"{_units(value.partition(":")[2])}"', f"name({place})")
        elif value.startswith("@"):
            yield self._framework.same_object(f"object_{value[1:]}", place)
        elif value.startswith("#"):
            yield from self._object(value, place, depth)

    def _object(self, key: str, place: str, depth: int) -> Iterator[str]:
        left = self._graph.objects.get(key)
        if left is None or depth > _DEEPEST:
            return
        whole = self._whole(key, left)
        if whole is not None:
            if self._before.get(key) != [value for _, value in left.parts]:
                yield from self._equal(left, whole, place)
            return
        if left.is_array or left.name.startswith("java.util."):
            return
        before = self._before.get(key, {})
        for name, value in left.parts:
            owner, _, field = name.partition("#")
            if isinstance(before, dict) and before.get(field) == value.replace("$", "."):
                continue
            is_open = (left.name.replace("$", "."), field) in self._open and place.startswith("object_")
            at = f"{place}.{field}" if is_open else f'field({place}, "{owner}", "{field}")'
            yield from self._expected(value, at, depth + 1 if value.startswith("#") else depth)

    def _equal(self, left: Left, whole: str, place: str) -> Iterator[str]:
        if not left.is_array or left.name in _LISTS:
            yield self._framework.equal_objects(whole, place)
        elif left.name[1:] in _LETTERS:
            letter = left.name[1:]
            found = place if place.startswith("object_") else f"({_LETTERS[letter]}[]) {place}"
            yield self._framework.same_elements(_type(letter), whole, found)
        else:
            yield self._framework.equal_objects(
                f"java.util.Arrays.asList({whole})", f"java.util.Arrays.asList((Object[]) {place})"
            )

    def _whole(self, key: str, left: Left) -> str | None:
        """An expression that equals an array or a collection; None where its elements are no simple values."""
        if left.name[:1] == "[" and left.name[1:] in _LETTERS:
            return f"new {_LETTERS[left.name[1:]]}[] {{{', '.join(_number(value) for _, value in left.parts)}}}"
        if left.name.startswith("[L"):
            return self._listed([value for _, value in left.parts], "new Object[] {", "}")
        if left.name in _LISTS:
            values = self._linked(left) if left.name == _LISTS[1] else [value for _, value in left.parts]
            return self._listed(values, "java.util.Arrays.asList(new Object[] {", "})")
        if left.name in _SETS:
            map_ = self._graph.objects.get(left.part("map" if left.name != _SETS[2] else "m"))
            keys = [one for one, _ in self._entries(map_)] if map_ is not None else []
            return self._listed(keys, "new java.util.HashSet<Object>(java.util.Arrays.asList(new Object[] {", "}))")
        if left.name in _MAPS:
            pairs = [each for pair in self._entries(left) for each in pair]
            return self._listed(pairs, "map(", ")")
        return None

    def _listed(self, values: Sequence[str], before: str, behind: str) -> str | None:
        texts = [self._text(each) if not each.startswith("@") else f"object_{each[1:]}" for each in values]
        return None if None in texts else f"{before}{', '.join(map(str, texts))}{behind}"

    def _linked(self, left: Left) -> list[str]:
        found, key = list[str](), left.part("first")
        while key in self._graph.objects and len(found) < _MOST * _MOST:
            node = self._graph.objects[key]
            found.append(node.part("item"))
            key = node.part("next")
        return found

    def _entries(self, left: Left) -> list[tuple[str, str]]:
        """Keys and values of a map."""
        found, waiting = list[tuple[str, str]](), list[str]()
        if left.part("root") != "?":
            waiting.append(left.part("root"))
        elif (table := self._graph.objects.get(left.part("table"))) is not None:
            waiting += [value for _, value in table.parts]
        links = ("left", "right") if left.part("root") != "?" else ("next",)
        while waiting:
            node = self._graph.objects.get(waiting.pop(0))
            if node is not None:
                found.append((node.part("key"), node.part("value")))
                waiting += [node.part(each) for each in links]
        return found

    def _text(self, value: str) -> str | None:
        """The expression of a number, text, box or null; None for others."""
        if value == "null":
            return "null"
        if value.startswith("S"):
            return f'"{_units(value[1:])}"'
        if value.startswith("b"):
            return f"{_BOXES[value[1]]}.valueOf({_number(value[1:])})"
        return _number(value) if value[:1] in _LETTERS else None


def _before(program: Program, inputs: InputMap) -> Iterator[tuple[str, object]]:
    """What objects held before the call: fields by name, or elements in their order."""
    texts = {item.number: item for item in inputs.objects}
    values = Values(program, inputs)

    def told(type_: Type, value: Scalar | Pointer | None) -> str:
        if type_.kind is TypeKind.POINTER:
            target = value.target if isinstance(value, Pointer) else None
            item = texts.get(target) if target is not None else None
            return "null" if item is None else values.told(item) or f"@{target}"
        letter = next(key for key, name in _LETTERS.items() if name == type_.name)
        return f"{letter}{value.bits if isinstance(value, Scalar) else 0:x}"

    for item in inputs.objects:
        row, cells = program.types[item.type], {cell.offset: cell.value for cell in item.cells}
        members = {each.name: each for each in row.fields}
        element = values.element(item)
        if ORDINAL in members or values.is_string(item) or (element is not None and element.kind is TypeKind.STRUCT):
            continue
        if element is not None:
            first = members[ELEMENTS].offset
            places = range(first, item.size - element.size + 1, element.size)
            yield f"@{item.number}", [told(element, cells.get(at)) for at in places]
            continue
        which = cells.get(0) if CLASS_MEMBER in members else None
        recipe = row.recipes[which.bits if isinstance(which, Scalar) else 0] if row.recipes else None
        if recipe is not None and not recipe.reads and (recipe.sets or not recipe.call.startswith("new ")):
            yield (
                f"@{item.number}",
                {
                    name.rpartition(".")[2]: told(program.types[each.type], cells.get(each.offset))
                    for name, each in members.items()
                    if name != CLASS_MEMBER
                },
            )


def _open_fields(program: Program) -> Iterator[tuple[str, str]]:
    """Fields that tests set by an assignment, so that they can look at them, too."""
    for row in program.types:
        for recipe in row.recipes:
            for name, how in recipe.sets:
                if how.isidentifier():
                    yield recipe.type, name


def _number(value: str) -> str:
    letter, digits = value[0], value[1:]
    if digits == "nan":
        return "Float.NaN" if letter == "F" else "Double.NaN"
    return literal(_type(letter), int(digits, 16))


def _type(letter: str) -> Type:
    return Type(-1, _KINDS[letter], _LETTERS[letter], _SIZES[letter])


def _units(text: str) -> str:
    """A text within a literal, by its units in hexadecimal."""
    return "".join(_in_literal(int(unit, 16)) for unit in text.split(".") if unit)


def _in_literal(unit: int) -> str:
    if unit > 0xFF:
        return f"\\u{unit:04x}"
    return chr(unit) if 0x20 <= unit < 0x7F and chr(unit) not in '"\\' else f"\\{unit:03o}"
