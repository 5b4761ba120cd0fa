"""The text of a harness for call sequences: a function for each callee, and the tables that the runtime calls them by.

    static void veer_call_1(void) {
        veer_h_begun(1u);
        void *veer_p_0 = veer_h_receiver(0u, "receiver()");
        int veer_p_1 = 0;
        veer_h_make(&veer_p_1, &veer_t_4, "list_add.value");
        __auto_type veer_r = (list_add)(veer_p_0, veer_p_1);
        veer_h_result(&veer_r, sizeof veer_r, 4);
    }

No choice is made in C here: a branch of the harness would be one of the user's program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c import endpointers
from veer.frontends.c.calltext import escape, variable
from veer.frontends.c.endpointers import length_roots
from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.harness import (
    MAXIMUM_OBJECTS,
    PRELUDE,
    Plan,
    ended,
    include_lines,
    output_table,
)
from veer.frontends.c.harness_types import type_tables
from veer.frontends.c.preconditions import assumed
from veer.frontends.c.sequences import SequencePlan
from veer.model.ownstruct import Making
from veer.model.program import Function, Parameter
from veer.model.sequence import RECEIVER, Callee
from veer.model.types import Type, TypeKind
from veer.wire.layout import OutputKind

_DECLARATIONS = """\
struct veer_h_callee { void (*veer_run)(void); __UINT32_TYPE__ veer_pools, veer_spare; };
struct veer_h_step { __UINT32_TYPE__ veer_first, veer_count, veer_repeats, veer_spare; };
extern void veer_h_sequence(const struct veer_h_callee *, const struct veer_h_step *, __UINT32_TYPE__, __UINT32_TYPE__)
    __asm__("veer_sequence");
extern void veer_h_begun(__UINT32_TYPE__) __asm__("veer_called");
extern void *veer_h_receiver(__UINT32_TYPE__, const char *) __asm__("veer_receiver");
extern void *veer_h_new_receiver(__UINT32_TYPE__, __UINT64_TYPE__) __asm__("veer_new_receiver");
extern void veer_h_made(__UINT32_TYPE__, const void *) __asm__("veer_made");
extern void veer_h_replaced(__UINT32_TYPE__, const void *) __asm__("veer_replaced");
extern void veer_h_unset(void *, __UINT64_TYPE__) __asm__("veer_unset");
extern void veer_h_set_up(void *, __UINT64_TYPE__) __asm__("veer_set_up");
extern void veer_h_ended(void) __asm__("veer_ended");
"""


def sequence_text(plan: Plan, sequence: SequencePlan) -> str:
    """The C source of the harness."""
    types, functions = plan.types, sequence.functions
    made = [parameter.type for each, call in _callees(functions, sequence) for parameter in _inputs(each, call)]
    roots = [*(identity for _, identity in plan.globals), *made]
    lines = [PRELUDE + _DECLARATIONS, *include_lines(plan), *type_tables(types, roots), *output_table(plan)]
    for index, (function, callee) in enumerate(_callees(functions, sequence)):
        lines += _call(index, function, callee, types, sequence)
    lines += [*_tables(sequence), "void veer_main(void);"]
    lines += ["void veer_main(void)", "{", f"    veer_h_bounds({plan.graph_depth}, {MAXIMUM_OBJECTS});"]
    for name, identity in plan.globals:
        lines.append(f'    veer_h_make((void *)&{name}, &veer_t_{identity}, "{escape(name)}");')
    for index, pool in enumerate(sequence.calls.pools):
        if pool.making in (Making.ZEROS, Making.VALUE):
            size = types[pool.type].size if pool.making is Making.ZEROS else 0
            lines.append(f"    veer_h_new_receiver({index}u, {size}u);")
    table = "veer_o" if plan.outputs else "0"
    lines.append(f"    veer_h_outputs({table}, {len(plan.outputs)}u, {int(OutputKind.BEFORE)}u);")
    lines.append(f"    veer_h_sequence(veer_callees, veer_steps, {len(sequence.steps)}u, {sequence.most}u);")
    lines += ended(plan)
    lines.append(f"    veer_h_outputs({table}, {len(plan.outputs)}u, {int(OutputKind.AFTER)}u);")
    return "\n".join([*lines, "}"]) + "\n"


def _callees(functions: Sequence[Function], sequence: SequencePlan) -> Iterator[tuple[Function, Callee]]:
    return zip(functions, sequence.calls.callees, strict=True)


def _inputs(function: Function, callee: Callee) -> Iterator[Parameter]:
    """The parameters that are inputs of each call."""
    for place, (parameter, pool) in enumerate(zip(function.parameters, callee.receivers, strict=True)):
        if pool < 0 and place != callee.delivers:
            yield parameter


def _call(
    index: int, function: Function, callee: Callee, types: Sequence[Type], sequence: SequencePlan
) -> Iterator[str]:
    """The function that makes one call."""
    yield f"static void veer_call_{index}(void)"
    yield "{"
    yield f"    veer_h_begun({index}u);"
    arguments: list[str] = []
    made: list[str] = []
    begun: list[str] = []  # objects that the call is to set up, each with its size
    lengths = length_roots(function.parameters, types)
    names = [f"veer_p_{place}" for place in range(len(function.parameters))]
    for place, (parameter, pool) in enumerate(zip(function.parameters, callee.receivers, strict=True)):
        row, name = types[parameter.type], f"veer_p_{place}"
        if place == callee.delivers:
            arguments.append(f"(void *)&{name}")
            yield f"    void *{name} = 0;"
            continue
        if row.extent == ALWAYS_NULL:
            arguments.append("0")
            continue
        arguments.append(endpointers.argument(function.parameters, types, names, place))
        if pool >= 0:
            size = types[sequence.calls.pools[pool].type].size
            is_new = place == callee.initialises
            taken = f"veer_h_new_receiver({pool}u, {size}u)" if is_new else f'veer_h_receiver({pool}u, "{RECEIVER}")'
            yield f"    void *{name} = {taken};"
            if is_new and sequence.has_rows:
                begun.append(f"{name}, {size}u")
            continue
        root = callee.argument(parameter.name)
        yield f"    {variable(row)} {name}{' = {0}' if row.kind in (TypeKind.STRUCT, TypeKind.UNION) else ' = 0'};"
        line = f'    veer_h_make(&{name}, &veer_t_{row.id}, "{escape(root)}");'
        made.insert(0 if root in lengths else len(made), line)
    yield from made
    receivers = {place for place, pool in enumerate(callee.receivers) if pool >= 0}
    yield from endpointers.assumed(function.parameters, types, names, receivers)
    yield from assumed(sequence.asked[index] if sequence.asked else (), arguments, types)
    yield from (f"    veer_h_unset({each});" for each in begun)
    yield from _result(f"({function.name})({', '.join(arguments)})", callee, types)
    yield from (f"    veer_h_set_up({each});" for each in begun)
    if callee.ends:
        yield "    veer_h_ended();"
    yield "}"


def _result(text: str, callee: Callee, types: Sequence[Type]) -> Iterator[str]:
    if callee.returns < 0:
        yield f"    {text};"
        yield from _delivered(callee)
        return
    yield f"    __auto_type veer_r = {text};"
    if callee.replaces or (callee.makes >= 0 and callee.delivers < 0):
        # Whether it is NULL: the pool knows the pointer, and a leak must not hide behind an old result.
        yield "    __UINT64_TYPE__ veer_n = veer_r != 0;"
        yield f"    veer_h_result(&veer_n, sizeof veer_n, {callee.returns});"
    else:
        yield f"    veer_h_result(&veer_r, sizeof veer_r, {callee.returns});"
        if types[callee.returns].kind not in (TypeKind.STRUCT, TypeKind.UNION):
            yield "    veer_h_returned(&veer_r, sizeof veer_r, 1);"
    pool = next((each for each in callee.receivers if each >= 0), -1)
    if callee.replaces:
        yield f"    veer_h_replaced({pool}u, veer_r);"
    elif callee.delivers >= 0:
        yield from _delivered(callee)
    elif callee.makes >= 0:
        yield f"    veer_h_made({callee.makes}u, veer_r);"


def _delivered(callee: Callee) -> Iterator[str]:
    if callee.delivers >= 0:
        yield f"    veer_h_made({callee.makes}u, veer_p_{callee.delivers});"


def _tables(sequence: SequencePlan) -> Iterator[str]:
    rows = []
    for index, callee in enumerate(sequence.calls.callees):
        needed = {pool for place, pool in enumerate(callee.receivers) if pool >= 0 and place != callee.initialises}
        pools = sum(1 << pool for pool in needed)
        rows.append(f"{{veer_call_{index}, {pools}u, 0u}}")
    yield f"static const struct veer_h_callee veer_callees[] = {{{', '.join(rows)}}};"
    first = 0
    steps = []
    for step in sequence.steps:
        repeats = int(step.repeats) * (2 if sequence.has_rows else 1)
        steps.append(f"{{{first}u, {len(step.functions)}u, {repeats}u, 0u}}")
        first += len(step.functions)
    yield f"static const struct veer_h_step veer_steps[] = {{{', '.join(steps)}}};"
