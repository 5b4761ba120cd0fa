"""What a harness does before it calls its entry: calls of other functions of the unit, or values in its variables.

    static void veer_call_0(void) {
        int veer_p_0 = 0;
        veer_h_make(&veer_p_0, &veer_t_4, "set_level.to");
        (void)(set_level)(veer_p_0);
    }
    static void veer_free_state(void) { veer_h_make((void *)&level, &veer_t_4, "level"); }

    veer_h_before(veer_before, 1u, veer_free_state);                 in veer_main

Which of it is done is chosen by the runtime, for a branch of the harness would be one of the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.frontends.c import endpointers
from veer.frontends.c.calltext import escape, variable
from veer.frontends.c.endpointers import length_roots
from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.statics import set_static
from veer.model.program import Function
from veer.model.sequence import argument_root
from veer.model.state import StateBefore
from veer.model.types import Type, TypeKind


class CallsBefore(Struct, frozen=True):
    """What may be done to static data before the entry is called: calls of `functions`, or values in `free` (name, type
    id). `state`: the same for the layers above."""

    functions: tuple[Function, ...]
    free: tuple[tuple[str, int], ...]
    state: StateBefore


def before_functions(before: CallsBefore, types: Sequence[Type]) -> Iterator[str]:
    """A function for each call, one that sets the variables free, and the table of the calls."""
    for index, function in enumerate(before.functions):
        yield from _call(index, function, types)
    if before.functions:
        names = ", ".join(f"veer_call_{index}" for index in range(len(before.functions)))
        yield f"static void (*const veer_before_calls[])(void) = {{{names}}};"
    if before.free:
        yield from (f"#undef {name}" for name, _ in before.free)
        made = " ".join(set_static(name, types[identity], types) for name, identity in before.free)
        yield f"static void veer_free_state(void) {{ {made} }}"


def before_call(before: CallsBefore) -> str:
    """The call of the runtime."""
    calls = "veer_before_calls" if before.functions else "0"
    return f"    veer_h_before({calls}, {len(before.functions)}u, {'veer_free_state' if before.free else '0'});"


def _call(index: int, function: Function, types: Sequence[Type]) -> Iterator[str]:
    """The function that makes one call."""
    yield f"static void veer_call_{index}(void)"
    yield "{"
    arguments: list[str] = []
    made: list[str] = []
    lengths = length_roots(function.parameters, types)
    names = [f"veer_p_{place}" for place in range(len(function.parameters))]
    for place, parameter in enumerate(function.parameters):
        row, name = types[parameter.type], f"veer_p_{place}"
        if row.extent == ALWAYS_NULL:
            arguments.append("0")
            continue
        arguments.append(endpointers.argument(function.parameters, types, names, place))
        root = argument_root(function.name, parameter.name)
        yield f"    {variable(row)} {name}{' = {0}' if row.kind in (TypeKind.STRUCT, TypeKind.UNION) else ' = 0'};"
        line = f'    veer_h_make(&{name}, &veer_t_{row.id}, "{escape(root)}");'
        made.insert(0 if root in lengths else len(made), line)  # a buffer without its length would have none
    yield from made
    yield from endpointers.assumed(function.parameters, types, names)
    yield f"    (void)({function.name})({', '.join(arguments)});"
    yield "}"
