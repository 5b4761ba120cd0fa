"""Recorded inputs as Java source: an expression for each argument, statements that make each object.

a = 3     xs = object_1     int[] object_1 = new int[] {1, 2};
node = object_2             Node object_2 = new Node(7);  object_2.next = object_2;
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Set

from msgspec import Struct

from veer.model.contents import contents
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar, is_open
from veer.model.literal import image
from veer.model.program import Program
from veer.model.state import calls_before, is_choice
from veer.model.types import CLASS_MEMBER, ELEMENTS, ORDINAL, Recipe, Type, TypeKind

THIS, NEW = "this", "new"
"""The input that an object is made of; what a constructor is called in an entry's name."""
MAIN = ".main"
"""How the entry of a program ends; the input that says how many arguments it has."""
NOT_GIVEN = ("aClock", "aRandom")
"""Inputs that no test can give to the JVM."""
INPUT_SIZE, INPUT_BYTE = "aSizeOfInput", "aByteOfInput"
"""The inputs that standard input is made of."""
TEXT, ENTRY = "String", "entry"
"""What rows of strings and of an element of a map are called."""
ALONE, SET = "made", "set"
"""The helpers of a suite that make an object without a constructor, and set a field of one."""
_LETTER = re.compile(r"_u(00[89a-f][0-9a-f]|0[1-9a-f][0-9a-f]{2}|[1-9a-f][0-9a-f]{3})")
"""A letter beyond ASCII, as names of entries have it (frontends/java/lowering/names.py)."""
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
VALUE_OF = ".valueOf"
_JDK = "java.lang."
_EMPTY = {TEXT: '""', "byte[]": "new byte[0]", "long[]": "new long[0]"}
BOX_LETTERS = {"Boolean": "Z", "Byte": "B", "Character": "C", "Short": "S", "Integer": "I", "Long": "J"}
BOX_LETTERS |= {"Float": "F", "Double": "D"}
"""Boxes, and the letters of their numbers in graphs."""
_FLOATS = {4: ("<f", "Float.intBitsToFloat(0x{:x})", "f"), 8: ("<d", "Double.longBitsToDouble(0x{:x}L)", "")}


class Made(Struct, frozen=True):
    """An object: its variable's type, the expression that makes it, and what is done with it then. `needs`: numbers of
    the objects in the expression; `late`: those of them that can be set behind it instead; `whole`: arrays and
    collections that are filled before, for the expression looks into them."""

    number: int
    type: str
    text: str
    needs: frozenset[int] = frozenset()
    more: tuple[str, ...] = ()
    late: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """The variable."""
        return f"object_{self.number}"

    @property
    def shown(self) -> str:
        """All of it in one line, for people."""
        return "; ".join((self.text, *self.more))


class Values:
    """The inputs of one test."""

    def __init__(self, program: Program, inputs: InputMap) -> None:
        self._types = program.types
        self._program = program
        self._roots = {root.name: root for root in inputs.roots if root.occurrence == 0}
        self._inputs = inputs
        entry = program.function(program.entry)
        self._parameters = entry.parameters if entry is not None else ()
        self._ignores_arguments = not self._parameters and program.entry.endswith(MAIN)

    def arguments(self) -> Iterator[tuple[str, str]]:
        """Parameter and expression, in their order; the object that the entry is called on is none of them."""
        for parameter in self._parameters:
            if parameter.name != THIS:
                yield parameter.name, self._argument(self._types[parameter.type], self._cells(parameter.name).get(0))

    def _argument(self, type_: Type, cell: Cell | None) -> str:
        """With the type of the parameter, where javac might not tell which method, or which type, is meant: null, for
        methods may share a name; an Integer beside a Comparable[] of one type variable."""
        text = self._value(type_, cell)
        if type_.kind is not TypeKind.POINTER:
            return text
        named = self._source(type_).removeprefix(_JDK)
        if text == "null":
            return self._null(type_)
        recipes = self._types[type_.target].recipes
        is_another = self._source(type_).startswith(_JDK) and recipes and recipes[0].type != named
        return f"({named}) {text}" if is_another else text

    def _null(self, type_: Type) -> str:
        """null with its type: methods and constructors may share a name."""
        return f"({self._source(type_).removeprefix(_JDK)}) null"

    def object(self) -> str:
        """The expression for the object that the entry is called on; empty where it needs none."""
        if not self._parameters or self._parameters[0].name != THIS:
            return ""
        type_, cells = self._types[self._parameters[0].type], self._cells(THIS)
        if type_.kind is TypeKind.POINTER:
            return self._value(type_, cells.get(0))
        given = (self._value(self._types[each.type], cells.get(each.offset)) for each in type_.fields)
        return f"{type_.recipes[0].call}({', '.join(given)})"

    def standard_input(self) -> str | None:
        """What standard input holds, within a literal; None where nobody reads it."""
        bits = dict(self._asked())
        if INPUT_SIZE not in bits:
            return None
        size = bits[INPUT_SIZE][0]
        return "".join(map(_in_string, [*bits.get(INPUT_BYTE, []), *[ord(" ")] * size][:size]))

    def asked(self) -> Iterator[tuple[str, list[int]]]:
        """What the program itself asks for, but standard input: names, and bits in the order in which it does."""
        return ((name, bits) for name, bits in self._asked() if name not in (INPUT_SIZE, INPUT_BYTE))

    def _asked(self) -> Iterator[tuple[str, list[int]]]:
        found: dict[str, list[int]] = {}
        for root in sorted(self._inputs.roots, key=lambda each: each.occurrence):
            if root.type < 0 and not is_choice(root) and root.name not in {each.name for each in self._parameters}:
                value = root.cells[0].value if root.cells else None
                found.setdefault(root.name, []).append(value.bits if isinstance(value, Scalar) else 0)
        yield from found.items()

    def before(self, package: str, object_: str = "") -> Iterator[str]:
        """The calls before that of the entry, as the code of its package names them; `object_`: a variable with the
        object."""
        known = {(root.name, root.occurrence): root for root in self._inputs.roots}
        state = self._program.state
        for call in calls_before(state, self._inputs):
            function = self._program.function(call.function)
            given = []
            for each in function.parameters if function is not None else ():
                if each.name == THIS:
                    continue
                root = known.get(call.root(each.name))
                cells = {cell.offset: cell for cell in root.cells} if root is not None else {}
                given.append(self._argument(self._types[each.type], cells.get(0)))
            name = call.function.removeprefix(package and f"{package}.").partition("-")[0].replace("$", ".")
            owner, _, method = _spelled(name).rpartition(".")
            is_on_object = state is not None and call.function in state.on_object
            shown = f"{object_}." if object_ else ""
            yield f"{shown if is_on_object else f'{owner}.'}{method}({', '.join(given)})"

    def is_made(self) -> bool:
        """Whether the object that the entry is called on is made by a constructor before the call."""
        return bool(self.object()) and self._types[self._parameters[0].type].kind is TypeKind.STRUCT

    def self_type(self) -> str:
        """The class of that object."""
        return self._types[self._parameters[0].type].recipes[0].type

    def called(self, entry: str, object_: str = "") -> str:
        """The call of the entry, as the code of its package names it; `object_`: a variable that it is called on."""
        if self._ignores_arguments:
            return f"{entry}(new String[0])"
        given = ", ".join(text for _, text in self.arguments())
        owner, _, method = _spelled(entry).rpartition(".")
        if method == NEW:
            return f"new {owner}({given})"
        return f"{object_ or self.object() or owner}.{method}({given})"

    def _cells(self, root: str) -> dict[int, Cell]:
        return {cell.offset: cell for cell in self._roots[root].cells} if root in self._roots else {}

    def objects(self) -> tuple[Made, ...]:
        """All objects, each behind those that its expression needs. What is done with them then may need all.

        Where they need each other, the first that can is made with null, and gets the others then.
        """
        items = {item.number: item for item in self._inputs.objects}
        waiting = {number: self._object(item) for number, item in items.items()}
        found: dict[int, Made] = {}
        while waiting:
            ready = [each for each in waiting.values() if each.needs <= found.keys()]
            if not ready:
                open_ = ((each.number, each.needs - found.keys(), each.late) for each in waiting.values())
                broken = [(number, missing) for number, missing, late in open_ if missing <= late]
                ready = [self._object(items[number], missing) for number, missing in broken[:1]]
            if not ready:
                break
            for each in ready:
                found[each.number] = each
                del waiting[each.number]
        return tuple(found.values())

    def impossible(self) -> str:
        """Why no program makes the objects, or empty: each is needed to make the next, in a circle."""
        made = {each.number for each in self.objects()}
        left = [item.number for item in self._inputs.objects if item.number not in made]
        return f"object_{min(left)} would have to be there before it is made" if left else ""

    def _object(self, item: MemoryObject, broken: Set[int] = frozenset()) -> Made:
        """`broken`: objects that are made behind it."""
        row, cells = self._types[item.type], {cell.offset: cell for cell in item.cells}
        members = {each.name: each for each in row.fields}
        if self.is_string(item):
            units = image(item.cells, item.size)[members[ELEMENTS].offset :]
            return Made(item.number, TEXT, f'new String("{"".join(map(_in_string, units))}")')
        if ELEMENTS in members:
            return self._elements(item, row, cells)
        if ORDINAL in members:
            names = {value: name for name, value in self._types[members[ORDINAL].type].enumerators}
            number = _bits(cells.get(members[ORDINAL].offset))
            return Made(item.number, row.recipes[0].type, row.recipes[0].call + names.get(number, names[0]))
        which = _bits(cells.get(members[CLASS_MEMBER].offset)) if CLASS_MEMBER in members else 0
        return self._of(item.number, row.recipes[which], row, cells, broken)

    def _of(self, number: int, recipe: Recipe, row: Type, cells: Mapping[int, Cell], broken: Set[int]) -> Made:
        members = {each.name: each for each in row.fields}
        values = {name: self._value(self._types[each.type], cells.get(each.offset)) for name, each in members.items()}
        targets = {name: _target(cells.get(each.offset)) for name, each in members.items()}
        given = [
            self._nothing(recipe, self._types[members[name].type], cells.get(members[name].offset))
            if targets[name] in broken or values[name] == "null"
            else values[name]
            for name in recipe.given
        ]
        needs = frozenset(target for name in recipe.given if (target := targets[name]) is not None) - broken
        later = dict(recipe.later)
        fixed = {targets[name] for name in recipe.given if name not in later}
        sets = [*recipe.sets, *((name, later[name]) for name in recipe.given if targets[name] in broken)]
        more = [_set(f"object_{number}", how, values[name]) for name, how in sets]
        if recipe.call.startswith("(("):  # a function
            return Made(number, recipe.type, recipe.call)
        if recipe.call:
            made = f"{recipe.call}({', '.join(given)})"
            late = needs - fixed
            needs |= contents(self._types, self._inputs, needs) if recipe.reads else frozenset()
            whole = frozenset(filter(self._is_filled, needs)) if recipe.reads else frozenset[int]()
            return Made(number, recipe.type, made, needs, tuple(more), late, whole)
        cast = "" if recipe.type == "Object" else f"({recipe.type}) "
        return Made(number, recipe.type, f'{cast}{ALONE}("{recipe.binary}")', needs, tuple(more))

    def _is_filled(self, number: int) -> bool:
        """Whether the object is an array or a collection."""
        return any(item.number == number and self.element(item) is not None for item in self._inputs.objects)

    def _nothing(self, recipe: Recipe, type_: Type, cell: Cell | None) -> str:
        """null, or what the call does not throw at, where nobody looked at that."""
        empty = _EMPTY.get(self._source(type_)) if recipe.throws_at_null and is_open(cell) else None
        return empty or self._null(type_)

    def _elements(self, item: MemoryObject, row: Type, cells: Mapping[int, Cell]) -> Made:
        """An array, or a collection that is filled."""
        element = self.element(item)
        assert element is not None
        first = next(each.offset for each in row.fields if each.name == ELEMENTS)
        places = range(first, item.size - element.size + 1, element.size)
        name = f"object_{item.number}"
        if not row.recipes:
            type_ = f"{self._source(element)}[]"
            values = [self._value(element, cells.get(at)) for at in places]
            needs = frozenset(target for at in places if (target := _target(cells.get(at))) is not None)
            if needs and element.kind is TypeKind.POINTER:
                more = [f"{name}[{at}] = {value};" for at, value in enumerate(values) if value != "null"]
                base, brackets = type_.partition("[")[0], type_[type_.index("[") :]
                sized = f"new {base}[{len(values)}]{brackets[2:]}"
                return Made(item.number, type_, sized, more=tuple(each.rstrip(";") for each in more))
            return Made(item.number, type_, f"new {type_} {{{', '.join(values)}}}", needs)
        recipe = row.recipes[0]
        if element.kind is TypeKind.STRUCT:
            pairs = [
                ", ".join(self._value(self._types[each.type], cells.get(at + each.offset)) for each in element.fields)
                for at in places
            ]
            return Made(
                item.number, recipe.type, f"{recipe.call}()", more=tuple(f"{name}.put({pair})" for pair in pairs)
            )
        values = [self._value(element, cells.get(at)) for at in places]
        return Made(item.number, recipe.type, f"{recipe.call}()", more=tuple(f"{name}.add({each})" for each in values))

    def _source(self, element: Type) -> str:
        """The type of an element, or a parameter, as the source names it."""
        if element.kind is not TypeKind.POINTER:
            return element.name
        row = self._types[element.target]
        return row.name if row.name != "java.lang.String" else TEXT

    def element(self, item: MemoryObject) -> Type | None:
        """The type of an array's elements."""
        fields = {each.name: each for each in self._types[item.type].fields}
        return self._types[self._types[fields[ELEMENTS].type].target] if ELEMENTS in fields else None

    def is_string(self, item: MemoryObject) -> bool:
        """Whether it is a string, by its characters."""
        row = self._types[item.type]
        element = self.element(item)
        return element is not None and element.name == "byte" and element.kind is TypeKind.UNSIGNED and not row.recipes

    def told(self, item: MemoryObject) -> str:
        """What graphs say of a text, a box or a constant (model/objectgraph.py); empty for other objects."""
        row, cells = self._types[item.type], {cell.offset: cell for cell in item.cells}
        members = {each.name: each for each in row.fields}
        if self.is_string(item):
            return "S" + ".".join(f"{unit:x}" for unit in image(item.cells, item.size)[members[ELEMENTS].offset :])
        if ORDINAL in members:
            number = _bits(cells.get(members[ORDINAL].offset))
            name = next((name for name, value in self._types[members[ORDINAL].type].enumerators if value == number), "")
            return f"e{row.name}:" + ".".join(f"{ord(unit):x}" for unit in name)
        which = _bits(cells.get(members[CLASS_MEMBER].offset)) if CLASS_MEMBER in members else 0
        recipe = row.recipes[which] if which < len(row.recipes) else None
        if recipe is None or recipe.reads or not recipe.call.endswith(VALUE_OF):
            return ""
        member = members[recipe.given[0]]
        return f"b{BOX_LETTERS[recipe.type]}{_bits(cells.get(member.offset)):x}"

    def unread(self) -> set[str]:
        """The parameters that the run never looked at."""
        return {name for name, root in self._roots.items() if not any(map(_is_read, root.cells))}

    def _value(self, type_: Type, cell: Cell | None) -> str:
        value = cell.value if cell is not None else None
        if type_.kind is TypeKind.POINTER:
            target = value.target if isinstance(value, Pointer) else None
            return "null" if target is None else f"object_{target}"
        return literal(type_, value.bits if isinstance(value, Scalar) else 0)


def _spelled(name: str) -> str:
    """The name of an entry as Java reads it."""
    return _LETTER.sub(r"\\u\1", name)


def _bits(cell: Cell | None) -> int:
    return cell.value.bits if cell is not None and isinstance(cell.value, Scalar) else 0


def _target(cell: Cell | None) -> int | None:
    return cell.value.target if cell is not None and isinstance(cell.value, Pointer) else None


def _set(name: str, how: str, value: str) -> str:
    """A field gets its value."""
    if how.endswith("()"):
        return f"{name}.{how[:-1]}{value})"
    owner, mark, field = how.partition("#")
    return f'{SET}({name}, "{owner}", "{field}", {value})' if mark else f"{name}.{how} = {value}"


def literal(type_: Type, bits: int) -> str:
    """A number of a primitive type by its bits, as an expression of that very type."""
    bits &= (1 << 8 * type_.size) - 1
    if type_.kind is TypeKind.BOOL:
        return "true" if bits & 1 else "false"
    if type_.kind is TypeKind.FLOAT:
        return _float(bits, type_.size)
    if type_.name == "char":
        return _character(bits)
    number = bits - (1 << 8 * type_.size) if bits >> (8 * type_.size - 1) else bits
    if type_.name == "long":
        return f"{number}L"
    return str(number) if type_.name == "int" else f"({type_.name}) {number}"


def _float(bits: int, size: int) -> str:
    code, exactly, suffix = _FLOATS[size]
    number: float = struct.unpack(code, bits.to_bytes(size, "little"))[0]
    return exactly.format(bits) if math.isnan(number) or math.isinf(number) else f"{number!r}{suffix}"


def _character(unit: int) -> str:
    """Unicode escapes are read before everything else, so that line ends and quotes need others."""
    if 0x20 <= unit < 0x7F and chr(unit) not in "'\\":
        return f"'{chr(unit)}'"
    return f"(char) {unit}"


def _in_string(unit: int) -> str:
    """A character below 256 within a string literal: octal escapes, for Unicode's are read before everything else."""
    if chr(unit) in _ESCAPED:
        return _ESCAPED[chr(unit)]
    return chr(unit) if 0x20 <= unit < 0x7F and chr(unit) not in '"\\' else f"\\{unit:03o}"


def part(data: bytes, offset: int, size: int) -> int:
    """The bits that lie at an offset."""
    return int.from_bytes(data[offset : offset + size], "little")


def enumerator(names: Mapping[int, str], number: int) -> str:
    """The class of this number; Throwable where it is none that is known."""
    return names.get(number, "java.lang.Throwable").replace("$", ".")


def _is_read(cell: Cell) -> bool:
    value = cell.value
    return value.used if isinstance(value, Scalar) else value.decided
