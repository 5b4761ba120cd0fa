"""Methods of the runtime with code of veer's own."""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering import natives
from veer.frontends.java.lowering.cuts import THROWABLE
from veer.frontends.java.lowering.kinds import IR_TYPES, ZEROS, kind_of
from veer.frontends.java.lowering.layout import Layouts
from veer.frontends.java.lowering.world import Reached


def replaced(reached: Reached, layouts: Layouts, text: Callable[[str], str]) -> list[str]:
    """The function's text. `text`: a constant with these words."""
    parameters, result = method_types(reached.method.descriptor)
    kinds = [*([] if reached.method.is_static else ["A"]), *(kind_of(type_) for type_ in parameters)]
    given = ", ".join(f"{IR_TYPES[kind]} %a{place}" for place, kind in enumerate(kinds))
    returned = IR_TYPES[kind_of(result)] if result != "V" else "void"
    return [f"define {returned} @{reached.symbol}({given}) {{", *_body(reached, layouts, kinds, returned, text), "}"]


def _body(reached: Reached, layouts: Layouts, kinds: list[str], returned: str, text: Callable[[str], str]) -> list[str]:
    how = reached.replacement
    if how == "nothing":
        return ["  ret void"]
    if how == "itself":
        return ["  ret ptr %a0"]
    if how == "arraycopy":
        return natives.arraycopy(text(natives.OTHER_CLASSES))
    if how == "clone":
        return natives.clone(layouts, text(natives.NO_ARRAY))
    if how in natives.CHECKS:
        return natives.check(how, layouts)
    if how == "bytes":
        return natives.new_bytes(layouts)
    if how == "unchecked":
        return ["  %left = xor i32 %a4, -1", "  ret i32 %left"]
    if how == "class":
        return [f"  ret ptr {natives.CLASSES}"]
    if how == "bits":
        return [f"  %bits = bitcast {IR_TYPES[kinds[0]]} %a0 to {returned}", f"  ret {returned} %bits"]
    if how == "message":
        offset = layouts.offset(THROWABLE, "detailMessage", "Ljava/lang/String;")
        place = f"  %place = getelementptr i8, ptr %a0, i64 {offset}"
        return [place, "  store ptr %a1, ptr %place", "  ret void"]
    return [f"  %value = call double @{how}(double %a0)", "  ret double %value"]


def cut(reached: Reached, text: str) -> list[str]:
    """A method that is not lowered: a run that comes to it ends. `text`: the constant that says why."""
    parameters, result = method_types(reached.method.descriptor)
    kinds = [*([] if reached.method.is_static else ["A"]), *(kind_of(type_) for type_ in parameters)]
    given = ", ".join(IR_TYPES[kind] for kind in kinds)
    kind = kind_of(result)
    left = f"  ret {IR_TYPES[kind]} {ZEROS[kind]}" if kind else "  ret void"
    head = f"define {IR_TYPES[kind] if kind else 'void'} @{reached.symbol}({given}) {{"
    return [head, f"  call void @veer_refuse(ptr {text})", left, "}"]
