"""Which references the user's methods compare with each other: there, callers may give one object for both.

if (a == b) { ... }                     two parameters, or the object itself and one
while (node != list.head) { ... }       fields
if (a.equals(b)) { ... }                and what is given to a method of the user's that asks
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.shapes.effects import declared
from veer.frontends.java.shapes.naming import parameter_names
from veer.frontends.java.shapes.plain import FieldKey
from veer.frontends.java.shapes.statics import called
from veer.frontends.java.types import THIS
from veer.model.unitfacts import Place, parameter_place

_TESTS = ("if_acmpeq", "if_acmpne")
_CALLS = ("invokevirtual", "invokespecial", "invokestatic", "invokeinterface")
_DEEPEST = 4
"""Calls that references are followed through."""
Operand = int | FieldKey
"""A reference: the number of a parameter's local variable, or a field."""
Pair = tuple[Operand, Operand]


class _Loaded(Struct, frozen=True):
    """A reference on the stack, and where the instructions begin that put it there."""

    operand: Operand
    start: int


def same_places(
    path: ClassPath, owner: ClassFile, method: Method, symbol: str, fields: Mapping[FieldKey, Sequence[Place]]
) -> Iterator[tuple[Place, Place]]:
    """The pairs of places that a method compares, itself or by what it calls."""
    names = dict(zip(slots(method), _names(method), strict=False))

    def places(operand: Operand) -> Sequence[Place]:
        if isinstance(operand, int):
            return [parameter_place(symbol, names[operand])] if operand in names else []
        return fields.get(operand, ())

    for first, second in compared(path, owner, method):
        yield from ((one, other) for one in places(first) for other in places(second))


def compared(path: ClassPath, owner: ClassFile, method: Method, depth: int = 0) -> frozenset[Pair]:
    """The pairs of references that a method compares, itself or by what it calls."""
    if method.code is None or depth == _DEEPEST:
        return frozenset()
    steps, found = method.code.instructions, set[Pair]()
    for place, each in enumerate(steps):
        if each.name in _TESTS:
            second = _loaded(path, owner, steps, place)
            first = _loaded(path, owner, steps, second.start) if second is not None else None
            if first is not None and second is not None:
                found.add((first.operand, second.operand))
        elif each.name in _CALLS and (target := called(path, owner.pool.member(each.number))) is not None:
            asked = compared(path, *target, depth=depth + 1)
            given = _given(path, owner, steps, place, target[1]) if asked else {}
            found |= {(given.get(one, one), given.get(other, other)) for one, other in asked}
    set_again = {each.number for each in steps if each.name == "astore"}
    own = {*slots(method)} - set_again
    return frozenset(pair for pair in found if all(not isinstance(each, int) or each in own for each in pair))


def _loaded(path: ClassPath, owner: ClassFile, steps: Sequence[Instruction], end: int) -> _Loaded | None:
    """The reference that the instructions before a place put on the stack: a variable, or a field of one."""
    place, operand = end - 1, None
    while place >= 0 and steps[place].name == "getfield":
        key = declared(path, owner.pool.member(steps[place].number))
        if operand is None:
            if key is None:
                return None
            operand = key[0], key[1].name
        place -= 1
    if place < 0 or steps[place].name != "aload":
        return None
    return _Loaded(steps[place].number if operand is None else operand, place)


def _given(
    path: ClassPath, owner: ClassFile, steps: Sequence[Instruction], place: int, method: Method
) -> dict[Operand, Operand]:
    """What a call gives for variables of the method that is called, the last ones first, as far as it can be told; a
    number that is no variable's for others."""
    found: dict[Operand, Operand] = dict.fromkeys(slots(method), -1)
    for slot in reversed(slots(method)):
        loaded = _loaded(path, owner, steps, place)
        if loaded is None:
            break
        found[slot], place = loaded.operand, loaded.start
    return found


def slots(method: Method) -> tuple[int, ...]:
    """The local variables of the object itself and of the parameters when a method begins."""
    found, number = [] if method.is_static else [0], 0 if method.is_static else 1
    for type_ in method_types(method.descriptor)[0]:
        found.append(number)
        number += 2 if type_ in "JD" else 1
    return tuple(found)


def _names(method: Method) -> tuple[str, ...]:
    return (*(() if method.is_static else (THIS,)), *parameter_names(method))
