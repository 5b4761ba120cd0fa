"""The function through which the harness calls an entry: it takes the addresses of the arguments and of the result.

result    value at 0, number of the class that was thrown at 8 (0: none)
"""

from __future__ import annotations

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.calls import once_symbol
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import ASSERTION, LENGTH_AT, Reached
from veer.frontends.java.types import INITIALISER

ADAPTER = "veer_call_java"
VALUE_AT, THROWN_AT, RESULT_SIZE = 0, 8, 16
_LONGEST = 64
"""Longer arrays keep a length that is an input."""
_MEMORY = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}


def adapter(entry: Reached, module: Module) -> str:
    """The adapter, and the functions that write the classes of new input arrays."""
    types, result = method_types(entry.method.descriptor)
    lines = [f"define void @{ADAPTER}({''.join(f'ptr %p{place}, ' for place in range(len(types)))}ptr %result) {{"]
    lines.append("  store ptr null, ptr @veer_call_java_pending")
    for each in module.world.superclasses(entry.owner.name):
        if each.name in module.world.initialised:
            lines.append(f"  call void @{once_symbol(each)}()")
            break
    given = []
    for place, type_ in enumerate(types):
        kind, memory = IR_TYPES[kind_of(type_)], _MEMORY.get(type_, "ptr")
        lines.append(f"  %m{place} = load {memory}, ptr %p{place}")
        if memory in ("i8", "i16"):
            lines.append(f"  %a{place} = {'zext' if type_ in 'ZC' else 'sext'} {memory} %m{place} to i32")
        given.append(f"{kind} %{'a' if memory in ('i8', 'i16') else 'm'}{place}")
    kind = kind_of(result)
    call = f"@{entry.symbol}({', '.join(given)})"
    lines.append(f"  %value = call {IR_TYPES[kind]} {call}" if kind else f"  call void {call}")
    lines += [*_kept(result), *_thrown(module)]
    return "\n".join([*lines, *_initialisers(module)]) + "\n"


def _kept(result: str) -> list[str]:
    """Numbers are kept; of references nothing is."""
    memory = _MEMORY.get(result, "")
    if not memory:
        return []
    if memory in ("i8", "i16"):
        return [f"  %narrow = trunc i32 %value to {memory}", f"  store {memory} %narrow, ptr %result"]
    return [f"  store {memory} %value, ptr %result"]


def _thrown(module: Module) -> list[str]:
    return [
        "  %pending = load ptr, ptr @veer_call_java_pending",
        "  %is_whole = icmp eq ptr %pending, null",
        "  br i1 %is_whole, label %end, label %thrown",
        "thrown:",
        f"  call void @veer_call_java_uncaught(ptr %pending, ptr {module.subtypes(ASSERTION)})",
        "  %number = load i32, ptr %pending",
        f"  %place = getelementptr i8, ptr %result, i64 {THROWN_AT}",
        "  store i32 %number, ptr %place",
        "  br label %end",
        "end:",
        "  ret void",
        "}",
    ]


def _initialisers(module: Module) -> list[str]:
    lines = []
    for name, number in module.layouts.numbers.items():
        if len(name) == 2 and name.startswith("["):
            lines += [
                f"define void @{INITIALISER}{name[1]}(ptr %made) {{",
                f"  store i32 {number}, ptr %made",
                *_LENGTHS,
                "}",
            ]
    return lines


def _known_lengths() -> list[str]:
    """How many elements there are is decided when an array is made: from then on its length is a constant."""
    cases = " ".join(f"i32 {length}, label %l{length}" for length in range(_LONGEST + 1))
    made = [
        f"  %place = getelementptr i8, ptr %made, i64 {LENGTH_AT}",
        "  %length = load i32, ptr %place",
        f"  switch i32 %length, label %end [ {cases} ]",
    ]
    for length in range(_LONGEST + 1):
        made += [f"l{length}:", f"  store i32 {length}, ptr %place", "  br label %end"]
    return [*made, "end:", "  ret void"]


_LENGTHS = _known_lengths()
