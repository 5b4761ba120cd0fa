"""The functions that pointers to functions lead to, as definitions in the test source.

    /* What pointers of the type int (*)(int) lead to: it returns what the recorded run took. */
    static int veer_callback_1(signed int p0)
    {
        int value = 0;
        unsigned long n = veer_next_call(&veer_mock_veer_callback_1.count);
        veer_mock_veer_callback_1.call[n].arg_1 = p0;
        veer_take(&value, sizeof value, "veer_callback_1()");
        return value;
    }

They name no parameters where they neither keep them (mocks.py) nor write behind them: x86-64's calling convention lets
a callee ignore its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veer.model.program import Program
from veer.model.result import Test
from veer.model.types import Type, TypeKind
from veer.suite.c.behind import parameters, statements
from veer.suite.c.callbacktypes import callback_types, used_callbacks
from veer.suite.c.declarators import declare
from veer.suite.c.mocks import Parameter, keeping, mocked


def callback_definitions(program: Program, tests: Sequence[Test]) -> str:
    """The functions to which pointers among the inputs of these tests lead."""
    types, mocks = callback_types(program), mocked(program, tests)
    return "".join(_definition(program, types[name], mocks) for name in used_callbacks(program, tests))


def _definition(program: Program, type_: Type, mocks: Mapping[str, Sequence[Parameter]]) -> str:
    name = type_.callback
    about = f"\n/* What pointers of the type {type_.name} lead to"
    kept = keeping(program, name, mocks[name]) if name in mocks else ""
    head = f"{name}({parameters(type_.passed, are_kept=name in mocks)})"
    writing = kept + statements(type_.passed, f"{name}()")
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
