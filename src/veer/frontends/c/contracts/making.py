"""Which functions of a unit make and change the objects of its structs, as their code shows.

void ring_init(ring_t *r) { r->head = 0; r->tail = 0; }       writes head and tail; begins r, for it reads nothing first
void ring_reset(ring_t *r) { ring_init(r); }                  begins r, too
void ring_put(ring_t *r, int x) { r->data[r->head++] = x; }   writes head; r is there already
void add(list_t *l, node_t *n) { n->next = l->head; ... }     begins n: whoever calls it has a new node
int ring_new(ring_t **out) { ... *out = r; return 0; }        delivers by out: it stores a pointer and never looks there

What is stored behind a pointer that came from elsewhere is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.origins import Origins
from veer.instrument.instructions import Instruction
from veer.instrument.typelayout import UnknownTypeError
from veer.model.unitfacts import Place, PlaceKind, behind, field_place, parameter_place

_STRUCT = re.compile(r'%"?struct\.([^",\s]+?)(?:\.\d+)?"?$')
_ENDS = re.compile(r"(^|_)(free|destroy|delete|dispose)($|_)", re.I)
_ZEROING = ("memset", "llvm.memset.")
_FILLING = ("memset", "memcpy", "memmove", "llvm.memset.", "llvm.memcpy.", "llvm.memmove.")


class _Look(Enum):
    """What a function does first with what a parameter leads to."""

    READS = "reads"
    WRITES = "writes"


class _Handed(Struct, frozen=True):
    """It gives it to a function of the unit, as the argument with this number."""

    function: str
    argument: int


def written_fields(functions: Sequence[Origins]) -> tuple[tuple[str, frozenset[Place]], ...]:
    """The fields that each function stores to itself; a store of a whole struct is one to each of its fields, and a
    field whose address goes to a function may be stored to there: `take(&ctx->count)`."""
    found = []
    for function in functions:
        stored = (place for address, _ in function.stores() for place in function.targets(address))
        fields = {place for place in stored if isinstance(place, Place) and place.kind is PlaceKind.FIELD}
        fields |= {*_copied(function), *_given_away(function)}
        if fields:
            found.append((function.name, frozenset(fields)))
    return tuple(found)


def _given_away(function: Origins) -> Iterator[Place]:
    """Fields whose address, or that of an element of theirs, goes to a function: `memcpy(s->buf + at, in, n)`."""
    for called in function.body.calls():
        for value in called.arguments if not called.function.startswith("llvm.dbg") else ():
            place = function.field(value)
            while place is None and (made := function.made(value, "getelementptr")) is not None:
                value = made.operands[0].value
                place = function.field(value)
            if place is not None:
                yield place


def cleared(functions: Sequence[Origins]) -> tuple[tuple[str, frozenset[Place]], ...]:
    """The fields that each function sets to NULL, one by one or as a part of a whole struct of zeros.

    And its parameters that lead to structs which it fills with zeros: `*h = (struct heap){0}`.
    """
    found = []
    for function in functions:
        nulls = (
            place for address, value in function.stores() if value == "null" for place in function.targets(address)
        )
        places = {place for place in nulls if isinstance(place, Place) and place.kind is PlaceKind.FIELD}
        for called in function.body.calls():
            if called.function.startswith(_ZEROING) and called.arguments[1] == "0":
                places |= set(_zeroed(function, called.arguments[0]))
        if places:
            found.append((function.name, frozenset(places)))
    return tuple(found)


def _zeroed(function: Origins, address: str) -> Iterator[Place]:
    if name := function.body.parameters.get(function.loaded_from(address), ""):
        yield parameter_place(function.name, name)
    yield from _fields_of_variable(function, address)


def begun(functions: Sequence[Origins]) -> frozenset[Place]:
    """The parameters that lead to a struct that the function writes to before it reads any of it."""
    firsts = {each.name: _firsts(each) for each in functions}
    names = {each.name: tuple(each.body.parameters.values()) for each in functions}
    found = {
        parameter_place(function, name)
        for function, looks in firsts.items()
        for name, look in looks.items()
        if look is _Look.WRITES
    }
    while (
        new := {
            parameter_place(function, name)
            for function, looks in firsts.items()
            for name, look in looks.items()
            if isinstance(look, _Handed) and _parameter(names, look) in found
        }
        - found
    ):
        found |= new
    return frozenset(found)


def delivered(functions: Sequence[Origins]) -> frozenset[Place]:
    """The parameters that a function, or one that it gives them to, stores a pointer behind, and never reads behind."""
    uses = {each.name: _pointer_uses(each) for each in functions}
    names = {each.name: tuple(each.body.parameters.values()) for each in functions}
    found: set[Place] = set()
    grown = True
    while grown:
        before = len(found)
        for function, by_name in uses.items():
            for name, (looks, given) in by_name.items():
                passes = all(_parameter(names, each) in found for each in given)
                if looks <= {_Look.WRITES} and passes and (looks or given):
                    found.add(parameter_place(function, name))
        grown = len(found) > before
    return frozenset(found)


def ending(functions: Sequence[Origins]) -> frozenset[str]:
    """The functions behind which the object that they are given is no more: called as free() is, given it alone, and
    they store to no field, as one does that counts who holds it."""
    stores = {name for name, _ in written_fields(functions)}
    called = {each.name: {one.function for one in each.body.calls()} for each in functions}
    while new := {name for name, others in called.items() if others & stores} - stores:
        stores |= new
    alone = {each.name for each in functions if len(each.body.parameters) == 1}
    return frozenset(name for name in alone - stores if _ENDS.search(name))


def set_again(functions: Sequence[Origins]) -> frozenset[Place]:
    """The numbers behind parameters that a function both reads and sets: `*state = next[*state]`."""
    found: set[Place] = set()
    for function in functions:
        looks: dict[str, set[_Look]] = {}
        for instruction in function.body.instructions():
            if instruction.opcode in ("load", "store") and instruction.type.startswith("i"):
                name = function.body.parameters.get(function.loaded_from(instruction.operands[-1].value), "")
                look = _Look.READS if instruction.opcode == "load" else _Look.WRITES
                looks.setdefault(name, set()).add(look)
        found |= {
            behind(parameter_place(function.name, name)) for name, each in looks.items() if name and len(each) > 1
        }
    return frozenset(found)


def _pointer_uses(function: Origins) -> dict[str, tuple[set[_Look], list[_Handed]]]:
    """By parameter: whether pointers are read or stored directly behind it, and whom it is given to."""
    found: dict[str, tuple[set[_Look], list[_Handed]]] = {}
    for instruction in function.body.instructions():
        if instruction.opcode in ("load", "store") and instruction.type == "ptr":
            name = function.body.parameters.get(function.loaded_from(instruction.operands[-1].value), "")
            look = _Look.READS if instruction.opcode == "load" else _Look.WRITES
            if name and (look is _Look.READS or instruction.operands[0].value != "null"):
                found.setdefault(name, (set(), []))[0].add(look)
        elif (called := call(instruction)) is not None and not called.function.startswith("llvm."):
            for index, value in enumerate(called.arguments):
                if name := function.body.parameters.get(function.loaded_from(value), ""):
                    found.setdefault(name, (set(), []))[1].append(_Handed(called.function, index))
    return found


def _parameter(names: dict[str, tuple[str, ...]], handed: _Handed) -> Place | None:
    known = names.get(handed.function, ())
    return parameter_place(handed.function, known[handed.argument]) if handed.argument < len(known) else None


def _firsts(function: Origins) -> dict[str, _Look | _Handed]:
    """By parameter what is done first with what it leads to, in the order of the text."""
    found: dict[str, _Look | _Handed] = {}
    for instruction in function.body.instructions():
        for name, look in _looks(function, instruction):
            found.setdefault(name, look)
    return found


def _looks(function: Origins, instruction: Instruction) -> Iterator[tuple[str, _Look | _Handed]]:
    if instruction.opcode in ("load", "store"):
        address = instruction.operands[-1].value
        if function.field(address) is not None and (name := _held(function, address)):
            yield name, _Look.READS if instruction.opcode == "load" else _Look.WRITES
    elif (called := call(instruction)) is not None:
        for index, value in enumerate(called.arguments):
            name = _held(function, value)
            if name and called.function.startswith(_FILLING):
                yield name, _Look.READS if index else _Look.WRITES
            elif name and not called.function.startswith("llvm."):
                yield name, _Handed(called.function, index)


def _held(function: Origins, address: str) -> str:
    """The parameter whose object an address lies in, by way of fields and elements; "" for none."""
    while (made := function.made(address, "getelementptr")) is not None:
        address = made.operands[0].value
    slot = function.body.slot(address)
    return function.body.parameters.get(slot, "")


def _copied(function: Origins) -> Iterator[Place]:
    """The fields of the structs that are copied as a whole: `*t = (struct timer){.period = p};`."""
    for called in function.body.calls():
        if not called.function.startswith(_FILLING) or len(called.arguments) < 2:
            continue
        for value in called.arguments[:2]:
            yield from _fields_of_variable(function, value)


def _fields_of_variable(function: Origins, address: str) -> Iterator[Place]:
    """The fields of the local variable at an address, where it is a struct."""
    variable = function.made(address, "alloca")
    struct = _STRUCT.match(variable.detail) if variable is not None else None
    if variable is None or struct is None:
        return
    try:
        members = function.layout.members(variable.detail)
    except UnknownTypeError:
        return
    yield from (field_place(struct[1], offset) for offset, _ in members)
