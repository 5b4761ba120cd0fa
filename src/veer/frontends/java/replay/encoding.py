"""A recorded test as the driver on the JVM reads it (VeerReplay.java): its arguments and objects as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import dotted
from veer.frontends.java.lowering.cuts import INPUTS
from veer.frontends.java.lowering.world import ELEMENTS_AT, SIZES
from veer.frontends.java.shapes.shape import Candidate, Kind
from veer.frontends.java.types import Placed, Row, TypeTable
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar, is_open
from veer.model.literal import image
from veer.model.types import CLASS_MEMBER, ORDINAL

ARGUMENTS = "args"
"""The type of a program's arguments where there are none: `args:none`."""
_MARK = "|"
"""Between the parts of an object."""


class Argument(Struct, frozen=True):
    """An argument: its descriptor, the input that it is or lies in, the byte offset in there."""

    type: str
    root: str
    offset: int = 0


class Earlier(Struct, frozen=True):
    """A call before that of the entry; its arguments are roots of this occurrence."""

    owner: str
    method: str
    is_on_object: bool
    given: tuple[Argument, ...]
    occurrence: int


def command(
    name: str,
    owner: str,
    method: str,
    given: Iterable[Argument],
    inputs: InputMap,
    table: TypeTable | None = None,
    before: Iterable[Earlier] = (),
) -> str:
    """The line of a test. `owner`: an internal name. Behind the arguments stand the objects, then what the program
    itself asks for, then the calls before."""
    cells = {(root.name, cell.offset): cell for root in inputs.roots for cell in root.cells}
    words = []
    for each in given:
        if each.type == ARGUMENTS:
            words.append(f"{ARGUMENTS}:{each.root}")
            continue
        value = _value(each.type, cells.get((each.root, each.offset)))
        words.append(value if each.type in SIZES else f"{each.type}:{value}")
    if table is not None:
        words += [f"={item.number}{_MARK}{_Object(table, item).text()}" for item in inputs.objects]
    for asked, values in asked_values(inputs).items():
        words.append(f"?{asked}:{','.join(f'{bits:x}' for bits in values)}")
    words += [_earlier(each, inputs) for each in before]
    return "\t".join([name, dotted(owner), method, *words])


def _earlier(call: Earlier, inputs: InputMap) -> str:
    cells = {(root.name, root.occurrence, cell.offset): cell for root in inputs.roots for cell in root.cells}
    words = []
    for each in call.given:
        value = _value(each.type, cells.get((each.root, call.occurrence, each.offset)))
        words.append(value if each.type in SIZES else f"{each.type}:{value}")
    how = "o" if call.is_on_object else "s"
    return "!" + _MARK.join((dotted(call.owner), call.method, how, *words))


def asked_values(inputs: InputMap) -> dict[str, list[int]]:
    """What a program asks for by each name, as bits, in the order in which it does."""
    found: dict[str, list[int]] = {}
    for root in sorted(inputs.roots, key=lambda each: each.occurrence):
        if root.name in INPUTS and root.type < 0:
            found.setdefault(root.name, []).append(_bits(root.cells[0]) if root.cells else 0)
    return found


class _Object:
    """An object that is an input."""

    def __init__(self, table: TypeTable, item: MemoryObject) -> None:
        self._row: Row = table.rows[item.type]
        self._members = {each.name: each.offset for each in table.types[item.type].fields}
        self._item = item
        self._cells = {cell.offset: cell for cell in item.cells}

    def text(self) -> str:
        """Its kind, its class, what it holds."""
        shape = self._row.shape
        if shape.kind is Kind.TEXT:
            units = image(self._item.cells, self._item.size)[self._row.base + ELEMENTS_AT :]
            return _MARK.join(("T", ",".join(f"{unit:x}" for unit in units)))
        if shape.kind is Kind.ARRAY:
            assert shape.element is not None
            return _MARK.join(("A", shape.type.descriptor, ",".join(self._elements(shape.element.descriptor))))
        if shape.kind in (Kind.LIST, Kind.COLLECTION):
            assert shape.element is not None
            letter = "M" if shape.second is not None else "L"
            return _MARK.join((letter, dotted(shape.owner), ",".join(self._elements(shape.element.descriptor))))
        if shape.kind is Kind.CONSTANT:
            return _MARK.join(("E", dotted(shape.owner), f"{_bits(self._cells.get(self._members[ORDINAL])):x}"))
        which = _bits(self._cells.get(0)) if CLASS_MEMBER in self._members else 0
        return self._of(shape.candidates[which], self._row.placed[which])

    def _of(self, made: Candidate, placed: tuple[Placed, ...]) -> str:
        if made.stub:
            interface, _, letters = made.stub.partition(" ")
            return _MARK.join(("P", dotted(interface), letters))
        if made.letter:
            return _MARK.join(("B", _value(made.letter, self._cells.get(placed[0].offset))))
        values = [_value(each.slot.type.descriptor, self._cells.get(each.offset)) for each in placed]
        if made.recipe.throws_at_null:
            values = [
                _EMPTY.get(each.slot.type.descriptor, value) if is_open(self._cells.get(each.offset)) else value
                for each, value in zip(placed, values, strict=True)
            ]
        if made.constructor is not None:
            how = f"{made.constructor.name if made.constructor.is_static else ''}{made.constructor.descriptor}"
            return _MARK.join(("N", dotted(made.name), how, ",".join(values)))
        names = [f"{dotted(each.slot.owner)}#{each.slot.name.rpartition('.')[2]}" for each in placed]
        fields = (f"{name}={value}" for name, value in zip(names, values, strict=True))
        return _MARK.join(("F", dotted(made.name), ",".join(fields)))

    def _elements(self, type_: str) -> Iterator[str]:
        size = SIZES.get(type_, 8)
        for at in range(self._row.base + ELEMENTS_AT, self._item.size - size + 1, size):
            yield _value(type_, self._cells.get(at))


_EMPTY = {"Ljava/lang/String;": "text", "[B": "bytes", "[J": "longs"}
"""What a constructor that throws at null gets where nobody looked at it, by descriptors, in the words of the driver."""


def _bits(cell: Cell | None) -> int:
    return cell.value.bits if cell is not None and isinstance(cell.value, Scalar) else 0


def _value(type_: str, cell: Cell | None) -> str:
    """A number with its type, or a reference."""
    if type_ in SIZES:
        return f"{type_}:{_bits(cell):x}"
    target = cell.value.target if cell is not None and isinstance(cell.value, Pointer) else None
    return "null" if target is None else f"@{target}"
