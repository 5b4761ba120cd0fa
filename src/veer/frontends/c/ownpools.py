"""Pools of a sequence whose structs are decided already: all objects of such a struct are what calls made.

own: heap, returned by heap_new          void heap_merge(heap_t *to, const heap_t *from)     both are of the pool
own: node, set up by list_add at n       void list_add(list_t *l, node_t *n)                 n is a new one each time
own: deque, returned by deque_new       int deque_new(deque_t **out)                         what it stores in *out
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.typetable import TypeTable
from veer.model.handles import alias, is_handle
from veer.model.ownstruct import Making, OwnStruct
from veer.model.program import Function
from veer.model.sequence import Callee, Pool
from veer.model.types import Type, TypeKind, struct_behind, struct_delivered
from veer.model.unitfacts import Place, parameter_place, struct_name
from veer.model.values import replace


def named_pool(target: int, pointer: int, making: Making, types: Sequence[Type]) -> Pool:
    """The pool of the objects of a type, called after it."""
    if is_handle(target, types):
        return Pool(alias(types[target]), target, pointer, making)
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(struct|union|enum|const)\b", " ", types[target].name))
    return Pool(words[0] if words else "object", target, pointer, making)


def own_pools(own: Sequence[OwnStruct], functions: Sequence[Function], types: Sequence[Type]) -> tuple[Pool, ...]:
    """A pool for each of these structs that one of the functions is given or returns."""
    pointers = [type_ for each in functions for type_ in (*(one.type for one in each.parameters), each.returns)]
    pointers += [types[each].target for each in pointers if each >= 0 and types[each].kind is TypeKind.POINTER]
    found = []
    for struct in own:
        pointer = next((each for each in pointers if struct_behind(types, each) == struct.name), -1)
        if pointer >= 0:
            found.append(named_pool(types[pointer].target, pointer, struct.making, types))
    return tuple(found)


def own_callee(own: Sequence[OwnStruct], pools: Sequence[Pool], function: Function, types: Sequence[Type]) -> Callee:
    """What a function takes from the pools, and what it adds to them."""
    place = {struct_name(types[pool.type].name): index for index, pool in enumerate(pools)}
    receivers = tuple(place.get(struct_behind(types, each.type), -1) for each in function.parameters)
    made = place.get(struct_behind(types, function.returns), -1)
    size = types[function.returns].size if function.returns >= 0 else 0
    makers = [maker for struct in own for maker in struct.makers]
    is_value = made >= 0 and pools[made].making is Making.VALUE
    names = [each.name for each in function.parameters]
    new = next((index for index, name in enumerate(names) if name and (function.name, name) in makers), -1)
    callee = Callee(function.name, receivers, function.returns, size, -1 if is_value else made, initialises=new)
    if new >= 0 and receivers[new] < 0:  # what leads to it is no object, but a place for a pointer
        delivered = place.get(struct_delivered(types, function.parameters[new].type), -1)
        if delivered < 0:  # a `void *` that this function takes for a struct, and others for bytes
            return replace(callee, initialises=-1)
        return replace(callee, makes=delivered, initialises=-1, delivers=new)
    is_update = is_value and next((each for each in receivers if each >= 0), -1) == made
    return replace(callee, replaces=is_update and (function.name, "") in makers)


def with_objects(function: Function, table: TypeTable, tested: Set[Place]) -> Function:
    """The function, whose pointers lead to objects unless the unit tests them for NULL: else NULL proves nothing."""
    parameters = []
    for parameter in function.parameters:
        row = table.types[parameter.type]
        is_tested = parameter_place(function.name, parameter.name) in tested
        if row.kind is TypeKind.POINTER and row.nullable and row.extent != ALWAYS_NULL and not is_tested:
            parameter = replace(parameter, type=table.not_null(parameter.type))
        parameters.append(parameter)
    return replace(function, parameters=tuple(parameters))
