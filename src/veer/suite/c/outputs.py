"""What a test expects of memory after the call: input objects of types that the entry writes, globals that it changed.

    p->next    Expectation(SAME, "p->next", "cell_2")        text    Expectation(BYTES, "text", "\\"ab\\"", 3)

Of an object of a type that the entry never wrote in any test nothing is expected: that would be noise. Of the others
every known member is compared, so that a unit that no longer writes, or writes too much, is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from veer.model.bitfields import bit_fields
from veer.model.describe import type_at
from veer.model.inputs import Cell, MemoryObject, Scalar
from veer.model.literal import Leaf, string
from veer.model.made import Link, link_at
from veer.model.outcome import Outcome
from veer.model.program import DEVICE_LOG, Program
from veer.model.result import Output, Test
from veer.model.types import Type, TypeKind
from veer.model.written import (
    POINTER_SIZE,
    are_bits_changed,
    holds_pointer,
    is_changed,
    is_known,
    is_settled,
    part,
    place_of,
)
from veer.suite.c.declarators import element_name
from veer.suite.c.devices import written_registers
from veer.suite.c.expectations import Expectation, Kind, expected_bits, expected_value
from veer.suite.c.layout import assignable, place
from veer.suite.c.made import MadeBlocks
from veer.suite.c.rows import Row, rows

_MOST = 32  # comparisons of one object or variable


class Variables(Struct, frozen=True):
    """The variables of a test: of an input object by its number."""

    program: Program
    variable: Callable[[int], str]
    made: MadeBlocks | None = None  # what the run made, where tests expect something of it


def written_types(program: Program, tests: Sequence[Test]) -> frozenset[int]:
    """The types of input objects that some test saw written."""
    found = set()
    for test in tests:
        objects = {item.number: item for item in test.inputs.objects}
        for output in test.outputs:
            item = objects.get(output.number)
            if item is not None and output.type not in found and _is_changed(program, item, output):
                found.add(output.type)
    return frozenset(found)


def expected_outputs(names: Variables, test: Test, written: frozenset[int]) -> tuple[Expectation, ...]:
    """The expectations of a test that returned."""
    if test.outcome is not Outcome.RETURNED:
        return ()
    objects = {item.number: item for item in test.inputs.objects}
    found = written_registers(names.program, test)
    for output in test.outputs:
        item = objects.get(output.number)
        if item is not None and output.type in written:
            found += _object(names, item, output)
        elif output.number == 0 and output.name != DEVICE_LOG:
            found += _variable(names, output)
    return tuple(found)


def _object(names: Variables, item: MemoryObject, output: Output) -> list[Expectation]:
    type_, name = type_at(names.program, item.type), names.variable(item.number)
    if type_ is None or element_name(type_) == "void":
        return []
    if _is_text(type_, item.cells):
        if output.unwritten:
            return []
        return [Expectation(Kind.BYTES, name, string(output.after), len(output.after))]
    cells = {cell.offset: cell for cell in item.cells}
    found: list[Expectation] = []
    links = names.made.of_object(item.number) if names.made is not None else ()
    leaves = assignable(names.program, type_, item.count, item.size)
    whole = [row for row in rows(leaves) if _is_told_as_whole(row, cells, output)]
    for row in whole:
        target = place(name, row.path, is_block=True, is_single=item.count == 1)
        found.append(_row(target, row, output))
    told = {leaf.offset for row in whole for leaf in row.leaves}
    for leaf in leaves:
        cell = cells.get(leaf.offset)
        if leaf.offset in told:
            continue
        if holds_pointer(leaf, item.cells) or not is_settled(place_of(leaf), output):
            continue
        if is_known(cell) or is_changed(leaf, cell, output):
            target = place(name, leaf.path, is_block=True, is_single=item.count == 1)
            found += _leaf(names, target, leaf, output, links)
    for bits in bit_fields(names.program.types, type_, item.count):
        if not is_settled(bits.held_by, output):
            continue
        if all(is_known(cells.get(byte)) for byte in bits.held_by) or are_bits_changed(bits, output):
            target = place(name, bits.path, is_block=True, is_single=item.count == 1)
            found.append(expected_bits(target, bits, output.after))
    return _first(found)


def _is_told_as_whole(row: Row, cells: Mapping[int, Cell], output: Output) -> bool:
    """Whether an array of the input can be compared as one: the test has set all of it, or the call has written it, and
    the run looked at some of it."""
    changed = [is_changed(leaf, cells.get(leaf.offset), output) for leaf in row.leaves]
    is_one = all(leaf.offset in cells for leaf in row.leaves) and is_settled(
        range(row.leaves[0].offset, row.leaves[0].offset + row.size), output
    )
    return is_one and (any(changed) or any(is_known(cells[leaf.offset]) for leaf in row.leaves))


def _row(target: str, row: Row, output: Output) -> Expectation:
    """That an array holds what it held in the recorded run."""
    values = [expected_value(target, leaf.type, output.after[leaf.offset :]) for leaf in row.leaves]
    numbers = ", ".join(each.value for each in values if each is not None)
    element = element_name(row.leaves[0].type)
    return Expectation(Kind.BYTES, target, f"((const {element}[]){{{numbers}}})", row.size)


def _variable(names: Variables, output: Output) -> list[Expectation]:
    """A global variable: the members that the call changed."""
    type_ = type_at(names.program, output.type)
    if type_ is None:
        return []
    links = names.made.of_variable(output.name) if names.made is not None else ()
    found = [
        each
        for leaf in assignable(names.program, type_, 1)
        if part(output.before, leaf) != part(output.after, leaf) and is_settled(place_of(leaf), output)
        for each in _leaf(names, output.name + leaf.path, leaf, output, links)
    ]
    found += [
        expected_bits(output.name + bits.path, bits, output.after)
        for bits in bit_fields(names.program.types, type_, 1)
        if are_bits_changed(bits, output) and is_settled(bits.held_by, output)
    ]
    return _first(found)


def expected_members(names: Variables, place: str, type_: Type, output: Output) -> list[Expectation]:
    """The members of an object, `after` of `output`: those that were written; no unions, for any member may hold."""
    found = [
        each
        for leaf in assignable(names.program, type_, 1)
        if not leaf.in_union and is_settled(place_of(leaf), output)
        for each in _leaf(names, place + leaf.path, leaf, output)
    ]
    found += [
        expected_bits(place + bits.path, bits, output.after)
        for bits in bit_fields(names.program.types, type_, 1)
        if is_settled(bits.held_by, output)
    ]
    return found[:_MOST]


def _first(found: Sequence[Expectation]) -> list[Expectation]:
    """As many as are written; those of new blocks have a limit of their own, and rest on the pointer ahead of them."""
    own = [at for at, each in enumerate(found) if not each.is_behind]
    return list(found[: own[_MOST]] if len(own) > _MOST else found)


def _leaf(
    names: Variables, target: str, leaf: Leaf, output: Output, links: Sequence[Link] = ()
) -> Sequence[Expectation]:
    if leaf.type.kind == TypeKind.POINTER:
        number = dict(output.pointers).get(leaf.offset)
        if number:
            return (Expectation(Kind.SAME, target, names.variable(number)),)
        if names.made is not None and (behind := names.made.pointer(target, leaf.type, link_at(links, leaf.offset))):
            return behind
    elif any(at < leaf.offset + leaf.type.size and leaf.offset < at + POINTER_SIZE for at, _ in output.pointers):
        return ()
    value = expected_value(target, leaf.type, output.after[leaf.offset :])
    return (value,) if value is not None else ()


def _is_changed(program: Program, item: MemoryObject, output: Output) -> bool:
    type_ = type_at(program, item.type)
    if type_ is None:
        return False
    if _is_text(type_, item.cells):
        return output.before != output.after
    cells = {cell.offset: cell for cell in item.cells}
    return any(
        is_changed(leaf, cells.get(leaf.offset), output)
        for leaf in assignable(program, type_, item.count, item.size)
        if not holds_pointer(leaf, item.cells)
    ) or any(are_bits_changed(bits, output) for bits in bit_fields(program.types, type_, item.count))


def _is_text(type_: Type, cells: Sequence[Cell]) -> bool:
    return (
        type_.size == 1
        and type_.kind in (TypeKind.CHAR, TypeKind.SIGNED, TypeKind.UNSIGNED)
        and all(_is_byte(cell) for cell in cells)
    )


def _is_byte(cell: Cell) -> bool:
    return isinstance(cell.value, Scalar) and cell.value.width == 8
