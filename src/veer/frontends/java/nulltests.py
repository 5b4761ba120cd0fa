"""Which references the user's methods compare with null: what null brings about there is no caller's fault.

if (s == null) { ... }                  the parameter may be null
if (this.next == null) { ... }          so may the field
if (isBlank(s)) { ... }                 and what is given to a method of the user's that asks
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.model import ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.lowering.world import Reached
from veer.frontends.java.sametests import same_places, slots
from veer.frontends.java.shapes.effects import declared
from veer.frontends.java.shapes.naming import own_name, parameter_names
from veer.frontends.java.shapes.plain import FieldKey
from veer.frontends.java.shapes.statics import called
from veer.frontends.java.types import TypeTable
from veer.model.unitfacts import Place, UnitFacts, field_place, parameter_place, struct_name

_TESTS = ("ifnull", "ifnonnull")
_ALIKE = frozenset({"java.lang.Comparable"})
"""`<T extends Comparable<T>>`: objects of one class are compared with each other."""
_DEEPEST = 4
"""Calls that a reference is followed through."""


def compared_references(path: ClassPath, reached: Iterable[Reached], table: TypeTable) -> UnitFacts:
    """What the methods of the user's that an entry reaches show. Inputs are objects that callers can make."""
    places = _field_places(table)
    checks, same = [], set[tuple[Place, Place]]()
    for each in reached:
        if path.is_own(each.owner.name) and each.method.code is not None:
            names = dict(zip(_slots(each.method), parameter_names(each.method), strict=False))
            found = [parameter_place(each.symbol, names[slot]) for slot in tested_slots(path, each.owner, each.method)]
            found += [place for key in _tested_fields(path, each.owner, each.method) for place in places.get(key, ())]
            if found:
                checks.append((each.symbol, frozenset(found)))
            same |= {*same_places(path, each.owner, each.method, each.symbol, places)}
    tested = frozenset(place for _, found in checks for place in found)
    checked = tuple(sorted(checks))
    return UnitFacts(tested=tested, checks=checked, same=frozenset(same), made_by_calls=True, alike=_ALIKE)


def _field_places(table: TypeTable) -> Mapping[FieldKey, list[Place]]:
    """Where the fields lie in objects that are inputs of their fields."""
    found: dict[FieldKey, list[Place]] = {}
    for row in table.rows.values():
        owner = struct_name(table.types[row.id].name)
        for candidate, placed in zip(row.shape.candidates, row.placed, strict=False):
            for one in placed if candidate.constructor is None else ():
                found.setdefault((one.slot.owner, own_name(one.slot)), []).append(field_place(owner, one.offset))
    return found


def tested_slots(path: ClassPath, owner: ClassFile, method: Method, depth: int = 0) -> frozenset[int]:
    """The local variables of parameters that a method compares with null, itself or by what it calls."""
    code = method.code
    if code is None or depth == _DEEPEST:
        return frozenset()
    steps = code.instructions
    found = {one.number for one, jump in pairwise(steps) if one.name == "aload" and jump.name in _TESTS}
    for place, each in enumerate(steps):
        target = called(path, owner.pool.member(each.number)) if _is_call(each) else None
        if target is not None:
            taken = tested_slots(path, *target, depth=depth + 1)
            found |= {slot for slot, to in _given(steps, place, target[1]) if to in taken}
    set_again = {each.number for each in steps if each.name == "astore"}
    return frozenset(found & {*_slots(method)} - set_again)


def _is_call(each: Instruction) -> bool:
    return each.name.startswith("invoke") and each.name not in ("invokedynamic", "invokeinterface")


def _given(steps: tuple[Instruction, ...], place: int, method: Method) -> Iterator[tuple[int, int]]:
    """Local variables that a call is given as they are, and what they are in the method that is called: where an
    instruction each loads the last arguments."""
    for slot, load in zip(reversed(_slots(method)), reversed(steps[:place]), strict=False):
        if not load.name.endswith("load") or load.name in _ELEMENTS:
            return
        if load.name == "aload":
            yield load.number, slot


_ELEMENTS = ("iaload", "laload", "faload", "daload", "aaload", "baload", "caload", "saload")


def _tested_fields(path: ClassPath, owner: ClassFile, method: Method) -> Iterator[FieldKey]:
    for one, jump in pairwise(method.code.instructions if method.code is not None else ()):
        if one.name == "getfield" and jump.name in _TESTS:
            found = declared(path, owner.pool.member(one.number))
            if found is not None:
                yield found[0], found[1].name


def _slots(method: Method) -> tuple[int, ...]:
    """The local variables that the parameters are in when a method begins."""
    return slots(method)[int(not method.is_static) :]
