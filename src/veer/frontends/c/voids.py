"""Pointers as pointers to what the code takes them for (contracts/taken.py, contracts/inside.py): in debug info, so
that objects, memory graphs and tests are what they are for pointers of that type.

    int on_data(void *ctx) { struct session *s = ctx; ... }       ctx is a `struct session *`
    struct device { void *priv; }                                 priv is a `struct uart *`
    void push(void **list, struct item *i) { i->next = *list; }   list is a `struct item **`, written as a `void **`
    struct item *i = container_of(h, struct item, hook);          h leads to the member `hook` of a `struct item`

A parameter of which somebody says how many bytes it has stays one to bytes. Where the code alone tells of a number,
and takes elements by an index, they are what that counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from veer.frontends.c.contracts.clauses import Contract
from veer.frontends.c.contracts.inside import Part
from veer.frontends.c.contracts.taken import Taken, known_structs, member_at
from veer.frontends.c.extents import is_character, is_composite
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo
from veer.model.unitfacts import Place, PlaceKind, behind, is_behind, parameter_place
from veer.model.values import replace

TAKEN = "a void * leads to what the code takes it for"
"""The bound of the inputs, in words."""
_FIELD = "taken"
"""The field of a pointer's node that says so."""
_INSIDE, _DECLARED = "inside", "declared"
"""Those that say where in the object it leads, and what it is declared as."""


def with_taken(
    debug: DebugInfo,
    function: DebugFunction,
    taken: Taken,
    contract: Contract,
    but: Collection[str] = (),
) -> DebugFunction:
    """The function with its pointers to void as they are taken. `contract`: what holds of its arguments; `but`: the
    parameters that stay."""
    sized = {*contract.elements, *contract.ends, *contract.within, *but}
    parameters = list(function.parameters)
    for number, each in enumerate(parameters):
        place = parameter_place(function.name, each.name)
        node, length = taken.nodes.get(place, NO_NODE), contract.lengths.get(each.name, "")
        counts = place in taken.indexed and parameter_place(function.name, length) in taken.counting
        fits = counts and each.name in contract.guessed if length else is_composite(debug, node)
        if node != NO_NODE and fits and each.name not in sized and is_void_pointer(debug, each.type):
            parameters[number] = replace(each, type=_pointer(debug, node, each.type))
        below = taken.nodes.get(behind(place), NO_NODE)
        if each.name not in but and f"*{each.name}" not in contract.lengths:
            parameters[number] = replace(parameters[number], type=_row(debug, below, parameters[number].type))
    return replace(function, parameters=tuple(parameters))


def take_members(debug: DebugInfo, taken: Taken) -> None:
    """The members of the module's structs that are pointers to void become pointers to what they are taken for."""
    fields = {place: each for place, each in taken.nodes.items() if place.kind is PlaceKind.FIELD}
    structs = known_structs(debug) if fields else {}
    for place, struct in fields.items():
        number = member_at(debug, structs, Place(place.kind, place.owner, place.member.removeprefix("*")))
        node = debug.node(number)
        declared = made = node.reference("baseType")
        if number == NO_NODE or not is_composite(debug, struct):
            continue
        if is_behind(place):
            made = _row(debug, struct, declared)
        elif is_void_pointer(debug, declared):
            made = _pointer(debug, struct, declared)
        if made != declared:
            debug.parsed[number] = replace(node, fields={**node.fields, "baseType": f"!{made}"})


def with_parts(
    debug: DebugInfo,
    function: DebugFunction,
    parts: Mapping[Place, Part],
    contract: Contract,
    but: Collection[str] = (),
) -> DebugFunction:
    """The function with its pointers to parts of larger objects. `contract`: what holds of its arguments; `but`: the
    parameters that stay."""
    sized = {*contract.elements, *contract.lengths, *contract.ends, *contract.within, *but}
    parameters = list(function.parameters)
    for number, each in enumerate(parameters):
        part = parts.get(parameter_place(function.name, each.name))
        if part is None or each.name in sized or f"*{each.name}" in contract.lengths:
            continue
        if (made := _inner_pointer(debug, part, each.type)) != NO_NODE:
            parameters[number] = replace(each, type=made)
    return replace(function, parameters=tuple(parameters))


def part_members(debug: DebugInfo, parts: Mapping[Place, Part]) -> None:
    """The members of the module's structs that lead to parts of larger objects do so from now on."""
    fields = {place: each for place, each in parts.items() if place.kind is PlaceKind.FIELD}
    structs = known_structs(debug) if fields else {}
    for place, part in fields.items():
        number = member_at(debug, structs, place)
        node = debug.node(number)
        if number != NO_NODE and (made := _inner_pointer(debug, part, node.reference("baseType"))) != NO_NODE:
            debug.parsed[number] = replace(node, fields={**node.fields, "baseType": f"!{made}"})


def _inner_pointer(debug: DebugInfo, part: Part, declared: int) -> int:
    """The node of a pointer to a part of a struct, which is declared as one to that part. A pointer to bytes by a name
    of its own (`typedef char *text`) stays what it is: calls make what it leads to (model/handles.py)."""
    pointer = debug.node(debug.strip(declared))
    below = pointer.reference("baseType")
    is_of_bytes = debug.strip(below) == NO_NODE or is_character(debug, below)
    is_named = debug.node(debug.unqualified(declared)).tag == "DW_TAG_typedef"
    if pointer.tag != "DW_TAG_pointer_type" or (is_named and is_of_bytes):
        return NO_NODE
    struct = part.struct
    if debug.is_const(debug.node(debug.strip(declared)).reference("baseType")):
        struct = debug.made("DIDerivedType", {"tag": "DW_TAG_const_type", "baseType": f"!{struct}"})
    fields = {"tag": "DW_TAG_pointer_type", "baseType": f"!{struct}", "size": "64"}
    return debug.made("DIDerivedType", {**fields, _INSIDE: str(part.offset), _DECLARED: f"!{declared}"})


def part_of(debug: DebugInfo, reference: int) -> tuple[int, int] | None:
    """Of a pointer to a part of a larger object: bytes from its beginning, and the type that the pointer is declared
    as; None for others."""
    node = debug.node(debug.strip(reference))
    return (node.number(_INSIDE), node.reference(_DECLARED)) if _INSIDE in node.fields else None


def taken_pointer(debug: DebugInfo, struct: int, declared: int = NO_NODE) -> int:
    """The node of a pointer to a struct that is declared as one to void. `declared`: that type, if tests write it."""
    fields = {"tag": "DW_TAG_pointer_type", "baseType": f"!{struct}", "size": "64", _FIELD: "true"}
    if declared != NO_NODE:
        fields[_DECLARED] = f"!{declared}"
    return debug.made("DIDerivedType", fields)


def is_taken(debug: DebugInfo, reference: int) -> bool:
    """Whether a type is such a pointer."""
    return debug.node(debug.strip(reference)).text(_FIELD) == "true"


def is_void_pointer(debug: DebugInfo, reference: int) -> bool:
    """Whether this is `void *`, by any name, const or not."""
    node = debug.node(debug.strip(reference))
    return node.tag == "DW_TAG_pointer_type" and debug.strip(node.reference("baseType")) == NO_NODE


def _pointer(debug: DebugInfo, struct: int, declared: int) -> int:
    """The same for what is declared so: what is behind it is const, or not."""
    return taken_pointer(debug, _as_const_as(debug, struct, declared))


def _row(debug: DebugInfo, struct: int, declared: int) -> int:
    """The node of a pointer to pointers to a struct that are declared as ones to void, and are written so; the type as
    it is where it is no such pointer."""
    slot = debug.node(debug.strip(declared)).reference("baseType")
    if not is_composite(debug, struct) or not is_void_pointer(debug, slot):
        return declared
    made = taken_pointer(debug, _as_const_as(debug, struct, slot), debug.unqualified(slot))
    fields = {"tag": "DW_TAG_pointer_type", "baseType": f"!{_as_const_as(debug, made, declared)}", "size": "64"}
    return debug.made("DIDerivedType", {**fields, _DECLARED: f"!{declared}"})


def _as_const_as(debug: DebugInfo, type_: int, declared: int) -> int:
    """The type, const where what the pointer leads to is declared so."""
    if not debug.is_const(debug.node(debug.strip(declared)).reference("baseType")):
        return type_
    return debug.made("DIDerivedType", {"tag": "DW_TAG_const_type", "baseType": f"!{type_}"})


def written_as(debug: DebugInfo, reference: int) -> int:
    """The type that a pointer is written as in tests: the one that it is declared as, where that is kept."""
    node = debug.node(debug.strip(reference))
    return node.reference(_DECLARED) if _DECLARED in node.fields else reference
