"""What differs between two versions of an entry, each run on the plain build with the same input.

Compared is what a caller could see: how they end, what they print, which undefined functions they call with what, what
they return, what they leave in variables and input objects, and the place at which the campaign says that they differ,
which may lie in blocks of the versions' own.
"""

from __future__ import annotations

import signal
import struct
from collections.abc import Iterator

from msgspec import Struct

from veer.execution.addresses import words
from veer.execution.stubcalls import called
from veer.frontends.llvm.replay.data import Ran, State
from veer.frontends.llvm.replay.process import Ended
from veer.model.bitfields import bit_fields
from veer.model.comparison import Look, Told
from veer.model.literal import NAMELESS, Leaf, leaves, object_leaves
from veer.model.program import Program
from veer.model.result import Test
from veer.model.stubcalls import Argument, StubCall
from veer.model.types import SCALAR_KINDS, Type, TypeKind
from veer.model.written import POINTER_SIZE
from veer.wire.layout import OutputKind, Part

_NAN = {4: "<f", 8: "<d"}
_MOST_SHOWN = 60
_FREED = ("it is not freed", "it is freed")
_NO_ADDRESS = 1 << 16
"""No object lies below."""


def told(program: Program, test: Test, look: Look, old: Ended, new: Ended) -> Told | None:
    """The first difference; None where a plain run of each version shows none."""
    return next(_differences(program, test, look, old, new), None)


def _differences(program: Program, test: Test, look: Look, old: Ended, new: Ended) -> Iterator[Told]:
    if (ends := (_ended(old), _ended(new)))[0] != ends[1]:
        yield Told("how it ends", *ends)
        return
    yield from _printed(old, new)
    yield from _calls(program, test, old.ran, new.ran)
    if old.ran.state is not State.RETURNED or new.ran.state is not State.RETURNED:
        return
    sides = _Side.of(test, old.ran), _Side.of(test, new.ran)
    entry = program.function(program.entry)
    if entry is not None and entry.returns >= 0:
        yield from _values(program, entry.returns, 1, "what it returns", old.ran.result, new.ran.result, sides)
    for place, variable in enumerate(program.outputs):
        first, second = old.ran.variables.get(place), new.ran.variables.get(place)
        if first is not None and second is not None:
            yield from _values(program, variable.type, 1, variable.name, first.data, second.data, sides)
    for item in test.inputs.objects:
        first, second = old.ran.objects.get(item.number), new.ran.objects.get(item.number)
        if first is None or second is None or not item.size:
            continue
        if bool(first.data) is not bool(second.data):
            yield Told(f"whether {item.path} is freed", *(_FREED[not memory.data] for memory in (first, second)))
        yield from _values(program, item.type, item.count, item.path, first.data, second.data, sides, item.size)
    yield from _behind(program, test, look, sides)


def _ended(ended: Ended) -> str:
    seen = ended.seen
    if seen.timed_out:
        return "it does not end"
    if seen.signal:
        return f"ended by {signal.Signals(seen.signal).name}"
    return "it returns" if ended.ran.state is State.RETURNED else f"exit({seen.exit_code})"


def _printed(old: Ended, new: Ended) -> Iterator[Told]:
    first, second = old.seen.printed, new.seen.printed
    if first is not None and second is not None and first != second:
        yield Told("what it prints", _text(first), _text(second))


def _text(data: bytes) -> str:
    shown = data.decode("utf-8", "backslashreplace")
    return repr(shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "...")


# -- values ------------------------------------------------------------------------------------------------------------


class _Side(Struct, frozen=True):
    """A version's run: where its input objects and variables lie."""

    places: tuple[tuple[int, int, str], ...]  # address, bytes, name
    ran: Ran

    @classmethod
    def of(cls, test: Test, ran: Ran) -> _Side:
        names = {item.number: item.path for item in test.inputs.objects}
        sizes = {item.number: item.size for item in test.inputs.objects}
        found = [(memory.address, sizes[number], names[number]) for number, memory in ran.objects.items()]
        found += [(memory.address, len(memory.data), f"variable {place}") for place, memory in ran.variables.items()]
        return cls(tuple(found), ran)

    def meaning(self, word: int) -> str:
        """Where a pointer leads, so that it can be compared with another process's."""
        if word < _NO_ADDRESS:
            return "null" if not word else hex(word)
        near = [(word - begin, name) for begin, size, name in self.places if begin <= word <= begin + size]
        if len(near) != 1:  # the end of an object may be the start of another
            return "a pointer"
        return f"&{near[0][1]}" + (f" + {near[0][0]}" if near[0][0] else "")


_Sides = tuple[_Side, _Side]


def _values(
    program: Program,
    identity: int,
    count: int,
    name: str,
    old: bytes,
    new: bytes,
    sides: _Sides,
    size: int = 0,
) -> Iterator[Told]:
    if old == new or not 0 <= identity < len(program.types):
        return
    type_ = program.types[identity]
    if type_.kind is TypeKind.OPAQUE:
        return
    for leaf in object_leaves(program.types, type_, count, size) if size else leaves(program.types, type_):
        end = leaf.offset + leaf.type.size
        if end > min(len(old), len(new)):
            continue
        parts = old[leaf.offset : end], new[leaf.offset : end]
        if found := _leaf(leaf, parts, sides):
            yield Told(_member(name, leaf.path) if size else name + leaf.path, *found)
    for bits in bit_fields(program.types, type_, count):
        if bits.value(old) != bits.value(new):
            yield Told(name + bits.path, str(bits.value(old)), str(bits.value(new)))


def _member(object_path: str, path: str) -> str:
    """A part of the object that a pointer of this path leads to, as C writes it."""
    if not path:
        return f"*{object_path}"
    return f"{object_path}->{path[1:]}" if path.startswith(".") else object_path + path


def _leaf(leaf: Leaf, parts: tuple[bytes, bytes], sides: _Sides) -> tuple[str, str] | None:
    if parts[0] == parts[1] or leaf.in_union or NAMELESS in leaf.path:
        return None
    if leaf.type.kind is TypeKind.POINTER:
        return _pointers(parts, sides)
    if leaf.type.kind not in SCALAR_KINDS or leaf.type.size > POINTER_SIZE:
        return None
    if leaf.type.kind is TypeKind.FLOAT and all(_is_nan(each) for each in parts):
        return None
    return number(parts[0], leaf.type), number(parts[1], leaf.type)


def _pointers(parts: tuple[bytes, bytes], sides: _Sides) -> tuple[str, str] | None:
    words = [int.from_bytes(each, "little") for each in parts]
    said = sides[0].meaning(words[0]), sides[1].meaning(words[1])
    return said if said[0] != said[1] else None


def _is_nan(data: bytes) -> bool:
    form = _NAN.get(len(data))
    return form is not None and (value := struct.unpack(form, data)[0]) != value


def number(data: bytes, type_: Type | None) -> str:
    """A number of that type as people write it."""
    if type_ is not None and type_.kind is TypeKind.FLOAT and len(data) in _NAN:
        return repr(struct.unpack(_NAN[len(data)], data)[0])
    is_signed = type_ is None or type_.kind in (TypeKind.SIGNED, TypeKind.CHAR)
    value = int.from_bytes(data, "little", signed=is_signed)
    if type_ is not None and type_.kind is TypeKind.CHAR and 32 <= value < 127:
        return repr(chr(value))
    return next((name for name, known in (type_.enumerators if type_ else ()) if known == value), str(value))


# -- calls of undefined functions --------------------------------------------------------------------------------------


def _calls(program: Program, test: Test, old: Ran, new: Ran) -> Iterator[Told]:
    sizes = {item.number: item.size for item in test.inputs.objects}
    first, second = (called(ran.records, program, sizes, has_flags=False) for ran in (old, new))
    if first is None or second is None:
        return
    names = [", ".join(call.function for call in each.first) or "none" for each in (first, second)]
    if names[0] != names[1] or first.counts != second.counts:
        yield Told("the functions that it calls", *names)
        return
    for place, (one, other) in enumerate(zip(first.first, second.first, strict=True), 1):
        yield from _arguments(program, f"call {place}, of {one.function}", one, other)


def _arguments(program: Program, where: str, old: StubCall, new: StubCall) -> Iterator[Told]:
    passed = program.passed_to(old.function)
    for place, (first, second) in enumerate(zip(old.arguments, new.arguments, strict=False)):
        name = f"argument {place + 1} of {where}"
        if not passed[place].is_pointer:
            type_ = program.types[passed[place].type] if passed[place].type >= 0 else None
            if first.value != second.value:
                yield Told(name, number(first.value, type_), number(second.value, type_))
            continue
        if _leads(first) != _leads(second):
            yield Told(name, _leads(first), _leads(second))
        held = program.types[passed[place].held] if passed[place].held >= 0 else None
        is_text = held is not None and held.kind is TypeKind.CHAR
        if is_text and (texts := (_as_text(first), _as_text(second)))[0] != texts[1]:
            yield Told(name, _text(texts[0]), _text(texts[1]))
        elif not is_text and held is not None and held.kind is TypeKind.STRUCT:
            yield from _members(program, held, name, first, second)
        elif not is_text and (first.behind and second.behind) and _plain(first) != _plain(second):
            yield Told(f"what {name} leads to", _plain(first).hex(" "), _plain(second).hex(" "))


def _members(program: Program, held: Type, name: str, first: Argument, second: Argument) -> Iterator[Told]:
    """The numbers among the members of a struct behind an argument."""
    data = _plain(first), _plain(second)
    for leaf in leaves(program.types, held):
        end = leaf.offset + leaf.type.size
        parts = data[0][leaf.offset : end], data[1][leaf.offset : end]
        is_number = leaf.type.kind in SCALAR_KINDS and NAMELESS not in leaf.path and not leaf.in_union
        if is_number and parts[0] != parts[1] and not all(map(_is_nan, parts)):
            yield Told(f"{leaf.path.removeprefix('.')} of {name}", *(number(part, leaf.type) for part in parts))


def _leads(argument: Argument) -> str:
    if not any(argument.value):
        return "null"
    if argument.leads_to or argument.variable:
        name = argument.variable or f"object {argument.leads_to}"
        return f"&{name}" + (f" + {argument.offset}" if argument.offset else "")
    return "a pointer"


def _as_text(argument: Argument) -> bytes:
    return argument.behind.data.partition(b"\0")[0] if argument.behind else b""


def _plain(argument: Argument) -> bytes:
    """What lies behind it, without words that look like addresses: these differ in each process."""
    if argument.behind is None:
        return b""
    data, pointers = bytearray(argument.behind.data), dict(argument.behind.pointers)
    for at, word in words(argument.behind.data):
        if word >> 40 or pointers.get(at):
            data[at : at + POINTER_SIZE] = bytes(POINTER_SIZE)
    return bytes(data)


# -- behind pointers ---------------------------------------------------------------------------------------------------


def _behind(program: Program, test: Test, look: Look, sides: _Sides) -> Iterator[Told]:
    """The place that the campaign names, where it lies behind pointers."""
    seen = [next((each.data for each in side.ran.records if each.kind == OutputKind.WITNESS), b"") for side in sides]
    if len(look.steps) < 2 or not seen[0] or seen[0] == seen[1]:
        return
    name, type_ = place_of(program, test, look)
    if not seen[1]:
        yield Told(name, number(seen[0], type_), "not there")
    elif type_ is None or type_.kind is TypeKind.POINTER:
        found = _pointers((seen[0], seen[1]), sides) if len(seen[0]) == POINTER_SIZE else None
        if found is None and type_ is None and len(seen[0]) < POINTER_SIZE:
            found = number(seen[0], None), number(seen[1], None)
        if found is not None:
            yield Told(name, *found)
    elif not (type_.kind is TypeKind.FLOAT and all(map(_is_nan, seen))):
        yield Told(name, number(seen[0], type_), number(seen[1], type_))


def place_of(program: Program, test: Test, look: Look) -> tuple[str, Type | None]:
    """The name of a place, and the type of what lies there; None where no type tells it."""
    types = program.types
    name, identity = _part(program, test, look)
    for step, offset in enumerate(look.steps):
        row = types[identity] if 0 <= identity < len(types) else None
        leaf = _at(program, row, offset) if row is not None else None
        name += leaf.path if leaf is not None else (f"[{offset}]" if offset or step else "")
        if step == len(look.steps) - 1:
            return _tidy(name), leaf.type if leaf is not None else None
        identity = leaf.type.target if leaf is not None and leaf.type.kind is TypeKind.POINTER else -1
        name += "->"
    return _tidy(name), None


def _at(program: Program, row: Type, offset: int) -> Leaf | None:
    """The number or pointer at that offset of an object that holds values of the type."""
    if row.kind is TypeKind.OPAQUE or row.size <= 0:
        return None
    index, within = divmod(offset, row.size)
    found = next((leaf for leaf in leaves(program.types, row) if leaf.offset == within), None)
    if found is None or not index:
        return found
    return Leaf(offset, f"[{index}]{found.path}", found.type)


def _part(program: Program, test: Test, look: Look) -> tuple[str, int]:
    """The name of a part, and its type."""
    if look.kind == Part.RESULT:
        entry = program.function(program.entry)
        return "result", entry.returns if entry is not None else -1
    if look.kind == Part.VARIABLE and look.number < len(program.outputs):
        return program.outputs[look.number].name, program.outputs[look.number].type
    item = next((each for each in test.inputs.objects if each.number == look.number), None)
    if look.kind == Part.OBJECT and item is not None:
        return f"{item.path}->", item.type
    return "an argument", -1


def _tidy(name: str) -> str:
    return name.replace("->.", "->").replace("->[", "[").removesuffix("->")
