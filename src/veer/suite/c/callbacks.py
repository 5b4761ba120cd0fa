"""The functions that pointers to functions lead to, as definitions in the test source.

    /* What pointers of the type int (*)(int) lead to: it returns what the recorded run took. */
    static int veer_callback_1(void)
    {
        int value = 0;
        veer_take(&value, sizeof value, "veer_callback_1()");
        return value;
    }

They name no parameters where they write nothing behind them: x86-64's calling convention lets a callee ignore its
arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.model.inputs import InputMap, MemoryObject, Pointer, Root
from veer.model.program import Program, Type, TypeKind
from veer.model.result import Test
from veer.suite.c.behind import parameters, statements
from veer.suite.c.declarators import declare


def callback_types(program: Program) -> Mapping[str, Type]:
    """The type of the pointers that lead to each such function."""
    return {type_.callback: type_ for type_ in program.types if type_.callback}


def callback_definitions(program: Program, tests: Sequence[Test]) -> str:
    """The functions to which pointers among the inputs of these tests lead."""
    types = callback_types(program)
    used = dict.fromkeys(name for test in tests for name in _functions(test.inputs) if name in types)
    return "".join(_definition(program, types[name]) for name in sorted(used))


def _functions(inputs: InputMap) -> Iterator[str]:
    owners: list[Root | MemoryObject] = [*inputs.roots, *inputs.objects]
    for owner in owners:
        for cell in owner.cells:
            if isinstance(cell.value, Pointer) and cell.value.function:
                yield cell.value.function


def _definition(program: Program, type_: Type) -> str:
    name = type_.callback
    about = f"\n/* What pointers of the type {type_.name} lead to"
    head, writing = f"{name}({parameters(type_.passed)})", statements(type_.passed, f"{name}()")
    if type_.returns < 0:
        return f"{about}. */\nstatic void {head}\n{{\n{writing}}}\n"
    returned = program.types[type_.returns]
    zero = "{ 0 }" if returned.kind in (TypeKind.STRUCT, TypeKind.UNION) else "0"
    return (
        f"{about}: it returns what the recorded run took. */\n"
        f"static {declare(program.types, returned, head)}\n{{\n"
        f"    {declare(program.types, returned, 'value')} = {zero};\n{writing}"
        f'    veer_take(&value, sizeof value, "{name}()");\n    return value;\n}}\n'
    )
