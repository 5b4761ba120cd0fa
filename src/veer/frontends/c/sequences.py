"""Call sequences from what the user writes and from the functions' types (CUTE section 3.6).

    --sequence 'list_new,list_add*,{list_remove,list_find}'

A name is called once; `name*` any number of times; `{a,b}` is a choice between functions, any number of times. An
object that one call makes flows on to the others, told by types: T of functions that return T *, or that store one
behind a parameter T ** which they never read, else T of first parameters T *. All other parameters are inputs of each
call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any

from msgspec import Struct

from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.ownpools import named_pool, own_callee, own_pools
from veer.frontends.c.preconditions import Precondition
from veer.frontends.c.typetable import TypeTable
from veer.model.endpointers import length_behind
from veer.model.errors import UsageError
from veer.model.handles import handle, is_handle
from veer.model.ownstruct import Making, OwnStruct
from veer.model.program import Function
from veer.model.sequence import Callee, CallSequence, Pool, Step, argument_root
from veer.model.types import ExtentKind, Type, TypeKind, struct_delivered
from veer.model.unitfacts import Place, parameter_place
from veer.model.values import replace

_QUERY = re.compile(
    r"find|search|get|lookup|first|last|next|prev|min|max|head|tail|top|peek|begin|end|nth|at$|left|right",
    re.IGNORECASE,
)
"""What a function of such a name returns is a part of what it was given, and does not take its place."""
_LEADS_NOWHERE = (ALWAYS_NULL, ExtentKind.FUNCTION)
"""Pointers behind which there is no object that flows from call to call."""
MOST_POOLS = 32
"""The runtime has a bit for each pool of a callee."""


class SequencePlan(Struct, frozen=True):
    """What a sequence harness is written from: callees of step k are those behind the ones of the steps before it."""

    steps: tuple[Step, ...]
    calls: CallSequence
    functions: tuple[Function, ...]  # of the callees, in their order
    most: int
    has_rows: bool = False  # what is called any number of times is called once, or 2, 4 or 8 times in a row
    asked: tuple[tuple[Precondition, ...], ...] = ()  # the predicates that hold before each callee's calls


def plan_sequence(
    text: str,
    steps: tuple[Step, ...],
    functions: Sequence[Function],
    most: int,
    table: TypeTable,
    constructors: frozenset[str] = frozenset(),
    own: Sequence[OwnStruct] = (),
    delivers: Set[Place] = frozenset(),
) -> SequencePlan:
    """Pools and callees. `functions`: those of all steps, in their order; `constructors`: those that the user says make
    objects; `own`: the structs whose objects flow, where that is decided already; `delivers`: the parameters behind
    which a pointer is stored, and none is read. Raises UsageError."""
    fixed = sum(not step.repeats for step in steps)
    if most < fixed:
        raise UsageError(f"--max-calls {most}: the sequence {text} makes {fixed} calls at least; allow as many")
    if own:
        pools = own_pools(own, functions, table.types)
        callees = [own_callee(own, pools, each, table.types) for each in functions]
    else:
        delivered = _delivered(functions, table.types, delivers)
        pools = _pools(steps, functions, table.types, constructors, delivered)
        makers = (functions[0].name, *constructors)
        made = [_delivering(_callee(each, pools, table), pools, delivered, table.types) for each in functions]
        callees = [_initialising(each, pools, makers) for each in made]
    calls = CallSequence(text, pools, tuple(callees))
    with_lengths = [with_own_lengths(each, table) for each in functions]
    return SequencePlan(steps, calls, tuple(with_lengths), most, bool(own))


def with_ends(sequence: SequencePlan, ends: Set[str]) -> SequencePlan:
    """The plan, whose callees that are among these end the objects that functions of the unit have made."""
    pools = sequence.calls.pools
    callees = tuple(
        replace(each, ends=each.function in ends and [pools[k].making for k in each.receivers] == [Making.RETURNED])
        if min(each.receivers, default=-1) >= 0
        else each
        for each in sequence.calls.callees
    )
    return replace(sequence, calls=replace(sequence.calls, callees=callees))


class _Out(Struct, frozen=True):
    """Where among the parameters one is by which an object is delivered, and the type of the pointer to that."""

    place: int
    pointer: int


def _without(function: Function, delivered: Mapping[str, _Out]) -> Function:
    """The function without what it delivers by."""
    out = delivered.get(function.name)
    left = (
        function.parameters
        if out is None
        else (*function.parameters[: out.place], *function.parameters[out.place + 1 :])
    )
    return replace(function, parameters=left)


def _initialising(callee: Callee, pools: Sequence[Pool], makers: Sequence[str]) -> Callee:
    """The callee, whose first receiver is a new object each time if it is one of those that make objects."""
    first = next((place for place, pool in enumerate(callee.receivers) if pool >= 0), -1)
    is_maker = any(pool >= 0 and pools[pool].making is Making.INITIALISED for pool in callee.receivers)
    return replace(callee, initialises=first if is_maker and callee.function in makers else -1)


def with_own_lengths(function: Function, table: TypeTable) -> Function:
    """The function with buffers whose length is the root of its own parameter."""
    parameters = tuple(
        replace(each, type=_with_own_length(each.type, function.name, table)) if each.type >= 0 else each
        for each in function.parameters
    )
    return replace(function, parameters=parameters)


def _with_own_length(identity: int, function: str, table: TypeTable) -> int:
    """The id of the type with a length of that function's."""
    row = table.types[identity]
    changes: dict[str, Any] = {}
    if row.length and row.extent in (ExtentKind.LENGTH, ExtentKind.END):
        changes["length"] = argument_root(function, row.length)
    elif length_behind(table.types, identity):
        changes["target"] = _with_own_length(row.target, function, table)
    if not changes:
        return identity
    table.types.append(replace(row, id=len(table.types), **changes))
    return len(table.types) - 1


def _delivered(functions: Sequence[Function], types: Sequence[Type], delivers: Set[Place]) -> Mapping[str, _Out]:
    """By function, the parameter by which it delivers an object that another function takes."""
    taken = {target for function in functions for target in _targets(function, types)}
    found: dict[str, _Out] = {}
    for function in functions:
        for place, parameter in enumerate(function.parameters):
            pointer = types[parameter.type].target
            is_out = parameter_place(function.name, parameter.name) in delivers
            if is_out and struct_delivered(types, parameter.type) and types[pointer].target in taken:
                found.setdefault(function.name, _Out(place, pointer))
    return found


def _delivering(callee: Callee, pools: Sequence[Pool], delivered: Mapping[str, _Out], types: Sequence[Type]) -> Callee:
    """The callee, which makes an object by way of a parameter if it delivers one and returns none."""
    out = delivered.get(callee.function)
    if out is None or callee.makes >= 0:
        return callee
    made = next(index for index, pool in enumerate(pools) if pool.type == types[out.pointer].target)
    receivers = tuple(-1 if place == out.place else pool for place, pool in enumerate(callee.receivers))
    return replace(callee, receivers=receivers, makes=made, delivers=out.place)


def _pools(
    steps: Sequence[Step],
    functions: Sequence[Function],
    types: Sequence[Type],
    constructors: frozenset[str],
    delivered: Mapping[str, _Out],
) -> tuple[Pool, ...]:
    """The types whose objects flow from call to call."""
    found: dict[int, Pool] = {}
    taken = [target for function in functions for target in _targets(function, types)]
    for out in delivered.values():
        target = types[out.pointer].target
        found.setdefault(target, named_pool(target, out.pointer, Making.RETURNED, types))
    functions = [_without(each, delivered) for each in functions]
    for function in functions:
        made = _target(function.returns, types)
        if made in taken and made not in found:
            makers = [each for each in functions if _target(each.returns, types) == made]
            only_updates = all(made in _targets(each, types) and each.name not in constructors for each in makers)
            found[made] = named_pool(made, function.returns, Making.VALUE if only_updates else Making.RETURNED, types)
    heads = [targets[0] for function in functions if (targets := _first_target(function, types))]
    for function in functions:
        for target in _first_target(function, types):
            if is_handle(target, types):  # only what some function returns is one
                continue
            if target in found or (heads.count(target) < 2 and heads[0] != target):
                continue
            is_first = _first_target(functions[0], types) == [target] and not steps[0].repeats
            is_made = any(each.name in constructors and _first_target(each, types) == [target] for each in functions)
            making = Making.INITIALISED if is_first or is_made else Making.ZEROS
            if types[target].kind == TypeKind.OPAQUE:
                raise UsageError(
                    f"--sequence: {function.name} takes a {types[target].name}, which is not defined here and which no "
                    "function of the sequence returns: add the function that makes one"
                )
            found[target] = named_pool(target, function.parameters[0].type, making, types)
    if len(found) > MOST_POOLS:
        raise UsageError(f"--sequence: its calls work on {len(found)} types of objects, {MOST_POOLS} is the limit")
    return tuple(found.values())


def _target(identity: int, types: Sequence[Type]) -> int:
    """What a pointer type points to, if that can be an object that flows: a struct, or a pointer to one; of a handle
    (model/handles.py) the handle itself; else -1."""
    if is_handle(identity, types):
        return handle(identity, types)
    if identity < 0 or types[identity].kind != TypeKind.POINTER or types[identity].extent in _LEADS_NOWHERE:
        return -1
    target = types[identity].target
    row = types[target] if target > 0 else None
    below = types[row.target] if row is not None and row.kind == TypeKind.POINTER and row.target > 0 else row
    return target if below is not None and below.kind in (TypeKind.STRUCT, TypeKind.UNION, TypeKind.OPAQUE) else -1


def _targets(function: Function, types: Sequence[Type]) -> list[int]:
    return [target for parameter in function.parameters if (target := _target(parameter.type, types)) >= 0]


def _first_target(function: Function, types: Sequence[Type]) -> list[int]:
    """What the first parameter points to, as a list of one or none."""
    return [target for each in function.parameters[:1] if (target := _target(each.type, types)) >= 0]


def _callee(function: Function, pools: Sequence[Pool], table: TypeTable) -> Callee:
    place = {pool.type: index for index, pool in enumerate(pools)}
    receivers = tuple(place.get(_target(parameter.type, table.types), -1) for parameter in function.parameters)
    made = place.get(_target(function.returns, table.types), -1)
    is_value = made >= 0 and pools[made].making is Making.VALUE
    first = next((pool for pool in receivers if pool >= 0), -1)
    replaces = is_value and first == made and not _QUERY.search(function.name)
    size = table.types[function.returns].size if function.returns >= 0 else 0
    return Callee(function.name, receivers, function.returns, size, -1 if is_value else made, replaces)
