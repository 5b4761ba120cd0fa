"""Calls before the entry (before.py) in LLVM IR: what begins, and a function for each call (llvm/harness.py).

define void @veer_java_begin(ptr %p0)         the class is initialised, the object is made of what lies at %p0
define void @veer_java_before_0(ptr %p0)      push(...) on that object
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.adapter import SELF, Made, constructed, new_object, ready
from veer.frontends.java.lowering.initialisers import guarded, initialised, loaded
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import Reached

BEGIN = "veer_java_begin"


def before_symbol(number: int) -> str:
    """The function of one of the calls."""
    return f"veer_java_before_{number}"


def before_text(entry: Reached, module: Module, made: Made, called: Sequence[Reached]) -> str:
    """All of these functions; nothing where there are no such calls."""
    if not called:
        return ""
    lines = [f"@{SELF} = internal global ptr null", *_begin(entry, module, made)]
    for number, each in enumerate(called):
        lines += _call(before_symbol(number), each)
    return "\n".join(lines) + "\n"


def _begin(entry: Reached, module: Module, made: Made) -> list[str]:
    lines = [f"define void @{BEGIN}({'ptr %p0' if made.constructor is not None else ''}) {{"]
    lines.append("  store ptr null, ptr @veer_call_java_pending")
    if first := initialised(module, entry.owner.name):
        lines += [*first, *ready()]
    if made.constructor is not None:
        if not made.constructor.method.is_static:
            lines.append(new_object(module, entry.owner.name))
        lines += [*constructed(module, made.constructor, made.offsets), f"  store ptr %object, ptr @{SELF}"]
    return [*lines, "  br label %look", "look:", "  ret void", "}"]


def _call(name: str, reached: Reached) -> list[str]:
    """What throws is no call before; nor is one where there is no object to call it on."""
    types = method_types(reached.method.descriptor)[0]
    lines = [f"define void @{name}({', '.join(f'ptr %p{place}' for place in range(len(types)))}) {{"]
    lines += [
        "  %begun = load ptr, ptr @veer_call_java_pending",
        "  %is_begun = icmp eq ptr %begun, null",
        "  %may_be = zext i1 %is_begun to i32",
        "  call void @veer_assume(i32 %may_be)",
    ]
    given = []
    if not reached.method.is_static:
        lines.append(f"  %object = load ptr, ptr @{SELF}")
        given.append("ptr %object")
    for place, type_ in enumerate(types):
        lines += loaded(type_, 0, f"%p{place}", f"%a{place}")
        given.append(f"{IR_TYPES[kind_of(type_)]} %a{place}")
    kind = kind_of(method_types(reached.method.descriptor)[1])
    result = f"%value = call {IR_TYPES[kind]}" if kind else "call void"
    return [*lines, *guarded([f"{result} @{reached.symbol}({', '.join(given)})"], "call"), "  ret void", "}"]
