"""Methods of the runtime with code of veer's own, in LLVM IR."""

from __future__ import annotations

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering import natives
from veer.frontends.java.lowering.cuts import LIBM, THROWABLE, WRITTEN_AT_CALLS
from veer.frontends.java.lowering.kinds import IR_TYPES, ZEROS, kind_of
from veer.frontends.java.lowering.tables import Tables
from veer.frontends.java.lowering.world import Reached

INPUT = "veer_java_input_"
"""Before the name of an input that the program asks for: the function of the harness that makes it."""
_SPECIFICATION = {
    "event": "call void @veer_specification_event(i32 %a0, i32 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5)",
    "check": """\
%place = getelementptr ptr, ptr @veer_watch_names, i32 %a1
  %name = load ptr, ptr %place
  call void @veer_specification_check(i32 %a0, i32 %a1, ptr %name)""",
    "register": """\
%row = mul i32 %a0, 64
  %at = add i32 %row, %a1
  %place = getelementptr i8, ptr @veer_watch_registers, i32 %at
  %bit = trunc i32 %a2 to i8
  store i8 %bit, ptr %place""",
    "state": """\
%row = mul i32 %a0, 64
  %registers = getelementptr i8, ptr @veer_watch_registers, i32 %row
  %place = getelementptr ptr, ptr @veer_watch_distances, i32 %a0
  %distances = load ptr, ptr %place
  call void @veer_specification_state(i32 %a0, i32 %a1, ptr %registers, i32 %a2, ptr %distances)""",
    "full": "call void @veer_specification_full()",
}
"""What monitors of specifications tell the runtime (specifications/watching.py has the tables)."""
_MEMORY = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}


def replaced(reached: Reached, tables: Tables) -> list[str]:
    """The function's text."""
    parameters, result = method_types(reached.method.descriptor)
    kinds = [*([] if reached.method.is_static else ["A"]), *(kind_of(type_) for type_ in parameters)]
    given = ", ".join(f"{IR_TYPES[kind]} %a{place}" for place, kind in enumerate(kinds))
    returned = IR_TYPES[kind_of(result)] if result != "V" else "void"
    return [f"define {returned} @{reached.symbol}({given}) {{", *_body(reached, tables, kinds, returned), "}"]


def _body(reached: Reached, tables: Tables, kinds: list[str], returned: str) -> list[str]:
    how = reached.replacement
    fixed = {
        "nothing": ["  ret void"],
        WRITTEN_AT_CALLS: ["  unreachable"],
        "unchecked": ["  %left = xor i32 %a4, -1", "  ret i32 %left"],
        "assume": ["  call void @veer_assume(i32 %a0)", "  ret void"],
        "exit": ["  call void @_exit(i32 %a0)", "  ret void"],
    }
    if how.startswith(LIBM):
        how = WRITTEN_AT_CALLS
    if how in fixed:
        return fixed[how]
    if how.startswith("specification:"):
        return [*f"  {_SPECIFICATION[how.partition(':')[2]]}".splitlines(), "  ret void"]
    if how.startswith("input:"):
        return _input(how.removeprefix("input:"), method_types(reached.method.descriptor)[1])
    if how in natives.CHECKS:
        return natives.check(how, tables)
    if how == "bits":
        return [f"  %bits = bitcast {IR_TYPES[kinds[0]]} %a0 to {returned}", f"  ret {returned} %bits"]
    if how == "hidden":
        offset = tables.layouts.offset(THROWABLE, "isUnknown", "Z")
        place = f"  %place = getelementptr i8, ptr %a0, i64 {offset}"
        return [place, "  store i8 1, ptr %place", "  ret void"]
    if how.startswith("llvm."):
        return [f"  %value = call double @{how}(double %a0)", "  ret double %value"]
    return natives.body(how, tables)


def _input(name: str, type_: str) -> list[str]:
    memory = _MEMORY[type_]
    zero = "0.0" if type_ in "FD" else "0"
    lines = [
        f"  %cell = alloca {memory}",
        f"  store {memory} {zero}, ptr %cell",
        f"  call void @{INPUT}{name}(ptr %cell)",
        f"  %value = load {memory}, ptr %cell",
    ]
    if memory not in ("i8", "i16"):
        return [*lines, f"  ret {memory} %value"]
    return [*lines, f"  %wide = {'zext' if type_ in 'ZC' else 'sext'} {memory} %value to i32", "  ret i32 %wide"]


def declared_for(reached: Reached) -> list[str]:
    """What the module declares for a method that makes an input, or that C's library computes."""
    how, _, name = reached.replacement.partition(":")
    if reached.replacement.startswith(LIBM):
        given = ", ".join("double" for _ in method_types(reached.method.descriptor)[0])
        return [f"declare double @{name}({given})"]
    return [f"declare void @{INPUT}{name}(ptr)"] if how == "input" else []


def cut(reached: Reached, text: str) -> list[str]:
    """A method that is not lowered: a run that comes to it ends. `text`: the constant that says why."""
    parameters, result = method_types(reached.method.descriptor)
    kinds = [*([] if reached.method.is_static else ["A"]), *(kind_of(type_) for type_ in parameters)]
    given = ", ".join(IR_TYPES[kind] for kind in kinds)
    kind = kind_of(result)
    left = f"  ret {IR_TYPES[kind]} {ZEROS[kind]}" if kind else "  ret void"
    head = f"define {IR_TYPES[kind] if kind else 'void'} @{reached.symbol}({given}) {{"
    return [head, f"  call void @veer_refuse(ptr {text})", left, "}"]
