"""Whether a replayed run left what the recorded one did: what it returned, wrote and asked for, by types.

Compared is what any other build of the program must show, too: of a pointer whether it is NULL, or which input object
it leads to; of a float its bits, any NaN being as good as another; of a struct its members, for its padding may be
anything; of a union nothing, for it is not known which member was written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from msgspec import Struct

from veer.execution.addresses import words
from veer.frontends.llvm.replay.data import LONGEST_NAME, MOST_NAMES, Memory, Ran
from veer.model.bitfields import Bits, bit_fields
from veer.model.inputs import MemoryObject
from veer.model.literal import NAMELESS, Leaf, leaves, object_leaves
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Output, Test
from veer.model.sequence import Call, read_calls
from veer.model.types import SCALAR_KINDS, Type, TypeKind
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

_NAN = {4: "<f", 8: "<d"}
_MOST_SHOWN = 16  # bytes of a value in a sentence


class Difference(Struct, frozen=True):
    """A place of the program, what is there, what was recorded."""

    place: str
    got: str
    recorded: str

    def __str__(self) -> str:
        return f"{self.place} is {self.got}, recorded {self.recorded}"


def difference(program: Program, test: Test, ran: Ran) -> Difference | None:
    """The first difference of a run that returned from the recorded one, which returned, too; None: they agree."""
    return next(_differences(program, test, ran), None)


def _differences(program: Program, test: Test, ran: Ran) -> Iterator[Difference]:
    if program.sequence is None:
        yield from _returned(program, test, ran)
    else:
        yield from _calls(program, test, ran)
    yield from _memory(program, test, ran)
    yield from _asked(program, test, ran)


# -- results -------------------------------------------------------------------------------------------------------


def _returned(program: Program, test: Test, ran: Ran) -> Iterator[Difference]:
    entry = program.function(program.entry)
    if entry is None or entry.returns < 0 or test.returned is None or test.outcome is not Outcome.RETURNED:
        return
    type_ = program.types[entry.returns]
    if not program.harness.passes_arguments and type_.kind != TypeKind.SIGNED:
        return  # what a main returns that is declared as something else is no answer
    starts = {memory.address: number for number, memory in ran.objects.items()}
    recorded = {0: test.returned_object} if test.returned_object else {}
    yield from _values(program, type_, "result", _Value(test.returned, recorded), _Value(ran.result, _at(ran, starts)))


def _calls(program: Program, test: Test, ran: Ran) -> Iterator[Difference]:
    assert program.sequence is not None
    expected, seen = test.inputs.calls, read_calls(program.sequence, ran.result)
    if len(expected) != len(seen):
        yield Difference("the number of calls", str(len(seen)), str(len(expected)))
    for number, (before, after) in enumerate(zip(expected, seen, strict=False), 1):
        callee = program.sequence.callees[before.callee]
        place = f"what call {number}, {callee.function}, returned"
        if (before.callee, before.receivers, before.made) != (after.callee, after.receivers, after.made):
            yield Difference(f"what call {number} is about", _call(after), _call(before))
        elif callee.returns >= 0 and before.result is not None:
            type_ = program.types[callee.returns]
            yield from _values(program, type_, place, _Value(before.result), _Value(after.result or b""))


def _call(call: Call) -> str:
    return f"callee {call.callee} of {call.receivers}, making {call.made}"


# -- memory --------------------------------------------------------------------------------------------------------


def _memory(program: Program, test: Test, ran: Ran) -> Iterator[Difference]:
    """Input objects, of which every member that the run knew or changed is compared, and changed variables."""
    objects = {item.number: item for item in test.inputs.objects}
    starts = {memory.address: number for number, memory in ran.objects.items()}
    places = {variable.name: place for place, variable in enumerate(program.outputs)}
    for output in test.outputs:
        item = objects.get(output.number)
        seen = ran.objects.get(output.number) if item is not None else ran.variables.get(places.get(output.name, -1))
        if seen is None:
            yield Difference(output.name, "not there any more", "there")
        elif item is not None:
            yield from _object(program, item, output, seen, starts)
        else:
            yield from _variable(program, output, seen, starts)


def _object(
    program: Program, item: MemoryObject, output: Output, seen: Memory, starts: Mapping[int, int]
) -> Iterator[Difference]:
    type_ = _type(program, item.type)
    if type_ is None or type_.kind == TypeKind.OPAQUE:
        return
    cells = {cell.offset: cell for cell in item.cells}
    recorded, found = _Value(output.after, dict(output.pointers)), _Value(seen.data, _pointers(seen.data, starts))
    for leaf in object_leaves(program.types, type_, item.count, item.size):
        cell = cells.get(leaf.offset)
        if holds_pointer(leaf, item.cells) or not is_settled(place_of(leaf), output):
            continue
        if not (is_known(cell) or is_changed(leaf, cell, output)):
            continue
        yield from _leaf(leaf, output.name, recorded, found)
    for bits in bit_fields(program.types, type_, item.count):
        is_seen = all(is_known(cells.get(byte)) for byte in bits.held_by) or are_bits_changed(bits, output)
        if is_seen and is_settled(bits.held_by, output):
            yield from _bits(bits, output.name, recorded, found)


def _variable(program: Program, output: Output, seen: Memory, starts: Mapping[int, int]) -> Iterator[Difference]:
    """The members that the call changed."""
    type_ = _type(program, output.type)
    recorded, found = _Value(output.after, dict(output.pointers)), _Value(seen.data, _pointers(seen.data, starts))
    for leaf in leaves(program.types, type_) if type_ is not None else ():
        if part(output.before, leaf) != part(output.after, leaf) and is_settled(place_of(leaf), output):
            yield from _leaf(leaf, output.name, recorded, found)
    for bits in bit_fields(program.types, type_, 1) if type_ is not None else ():
        if are_bits_changed(bits, output) and is_settled(bits.held_by, output):
            yield from _bits(bits, output.name, recorded, found)


# -- what was asked for ----------------------------------------------------------------------------------------------


def _asked(program: Program, test: Test, ran: Ran) -> Iterator[Difference]:
    """A run that asks functions that are not the unit's for more or fewer numbers is another run."""
    if len(ran.asked) >= MOST_NAMES:
        return
    recorded: dict[str, int] = {}
    for root in test.inputs.roots:
        type_ = _type(program, root.type)
        if type_ is not None and type_.kind in SCALAR_KINDS:
            recorded[root.name] = recorded.get(root.name, 0) + 1
    for name in dict.fromkeys([*recorded, *ran.asked]):
        wanted, got = recorded.get(name, 0), ran.asked.get(name, 0)
        if name.endswith("()") and len(name) < LONGEST_NAME and wanted != got:
            yield Difference(f"the number of calls of {name[:-2]}", str(got), str(wanted))


# -- values --------------------------------------------------------------------------------------------------------


class _Value(Struct, frozen=True):
    """Bytes, and what the pointers within lead to: offset → number of an input object, 0 for another address."""

    data: bytes
    pointers: Mapping[int, int] | None = None


def _values(program: Program, type_: Type, place: str, recorded: _Value, found: _Value) -> Iterator[Difference]:
    for leaf in leaves(program.types, type_):
        if not leaf.in_union:
            yield from _leaf(leaf, place, recorded, found)
    for bits in bit_fields(program.types, type_, 1):
        yield from _bits(bits, place, recorded, found)


def _bits(bits: Bits, place: str, recorded: _Value, found: _Value) -> Iterator[Difference]:
    expected, got = bits.value(recorded.data), bits.value(found.data)
    if expected != got:
        yield Difference(place + bits.path, str(got), str(expected))


def _leaf(leaf: Leaf, place: str, recorded: _Value, found: _Value) -> Iterator[Difference]:
    """A leaf that is there in both; bytes of bit-fields are compared bit by bit."""
    expected, got = part(recorded.data, leaf), part(found.data, leaf)
    if len(expected) < leaf.type.size or NAMELESS in leaf.path:
        return
    if leaf.type.kind == TypeKind.POINTER:
        number = (recorded.pointers or {}).get(leaf.offset, 0)
        if number:
            other = (found.pointers or {}).get(leaf.offset, 0)
            is_same, shown = other == number, (f"object {other}" if other else "another address", f"object {number}")
        else:
            is_same, shown = any(expected) == any(got), (_null(got), _null(expected))
    else:
        if leaf.type.size > POINTER_SIZE or _overlaps(leaf, recorded) or leaf.type.kind not in SCALAR_KINDS:
            return
        is_same = expected == got or (leaf.type.kind == TypeKind.FLOAT and _is_nan(expected) and _is_nan(got))
        shown = (_number(got, leaf.type), _number(expected, leaf.type))
    if not is_same:
        yield Difference(place + leaf.path, *shown)


def _overlaps(leaf: Leaf, value: _Value) -> bool:
    """Whether these bytes hold an address of the recorded run."""
    held = value.pointers or {}
    return any(at < leaf.offset + leaf.type.size and leaf.offset < at + POINTER_SIZE for at in held)


def _pointers(data: bytes, starts: Mapping[int, int]) -> dict[int, int]:
    """Aligned words that hold the address of an input object's start, and its number."""
    return {at: starts[word] for at, word in words(data) if word in starts}


def _at(ran: Ran, starts: Mapping[int, int]) -> dict[int, int]:
    return _pointers(ran.result[:POINTER_SIZE], starts)


def _is_nan(data: bytes) -> bool:
    form = _NAN.get(len(data))
    return form is not None and (value := struct.unpack(form, data)[0]) != value


def _null(data: bytes) -> str:
    return "a pointer" if any(data) else "null"


def _number(data: bytes, type_: Type) -> str:
    if type_.kind == TypeKind.FLOAT and len(data) in _NAN:
        return float(struct.unpack(_NAN[len(data)], data)[0]).hex()
    return str(int.from_bytes(data[:_MOST_SHOWN], "little", signed=type_.kind in (TypeKind.SIGNED, TypeKind.CHAR)))


def _type(program: Program, identity: int) -> Type | None:
    return program.types[identity] if 0 <= identity < len(program.types) else None
