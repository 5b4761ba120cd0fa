"""The function through which the harness calls an entry: it takes the addresses of the arguments and of the result.

result    value at 0, number of the class that was thrown at 8 (0: none)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.graphs import OBJECT, RESULT, Graphs
from veer.frontends.java.lowering.initialisers import Initialisers, guarded, initialised, loaded
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.layout import MEMORY_TYPES
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import ASSERTION, Reached
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.types import TypeTable

ADAPTER = "veer_call_java"
SELF = "veer_java_self"
"""Where the object is kept that calls before the entry have, too."""
VALUE_AT, THROWN_AT, RESULT_SIZE = 0, 8, 16
_REFUSING = "veer_java_refusing"
"""The rows of objects whose constructors do not take what nobody decides."""


class Made(Struct, frozen=True):
    """What the entry is called with beside its arguments.

    `constructor`: of the object, of what lies where its first argument does, at these offsets; `is_given`: the object
    is an input itself, of the class `number` where it might be of another one; `no_arguments`: what makes the empty
    array that a program gets which looks at no argument; `preconditions`: calls that have to hold, each with the places
    of what it is given; `has_begun`: the class is initialised and the object is made by `begin` (calledbefore.py),
    behind which other calls may have come.
    """

    constructor: Reached | None = None
    offsets: tuple[int, ...] = ()
    is_given: bool = False
    number: int = 0
    no_arguments: Reached | None = None
    preconditions: tuple[tuple[Reached, tuple[int, ...]], ...] = ()
    has_begun: bool = False


def adapter(entry: Reached, module: Module, table: TypeTable, made: Made) -> str:
    """The adapter, and the functions that make the objects of new inputs."""
    types, result = method_types(entry.method.descriptor)
    types = () if made.no_arguments is not None else types
    has_object = made.constructor is not None or made.is_given
    count = len(types) + has_object
    lines = [f"define void @{ADAPTER}({''.join(f'ptr %p{place}, ' for place in range(count))}ptr %result) {{"]
    if made.has_begun:
        lines += ready()
    else:
        lines.append("  store ptr null, ptr @veer_call_java_pending")
        if first := initialised(module, entry.owner.name):
            lines += [*first, *ready()]
    given = []
    if made.is_given:
        lines.append("  %object = load ptr, ptr %p0")
        given.append("ptr %object")
        if made.number:
            lines += [
                "  %object.class = load i32, ptr %object",
                f"  %object.fits = icmp eq i32 %object.class, {made.number}",
                "  %object.holds = zext i1 %object.fits to i32",
                "  call void @veer_assume(i32 %object.holds)",
            ]
    elif made.has_begun and made.constructor is not None:
        lines.append(f"  %object = load ptr, ptr @{SELF}")
        given.append("ptr %object")
    elif not entry.method.is_static:
        if made.constructor is None or not made.constructor.method.is_static:
            lines.append(new_object(module, entry.owner.name))
        given.append("ptr %object")
    if made.constructor is not None and not made.has_begun:
        lines += constructed(module, made.constructor, made.offsets)
    for place, type_ in enumerate(types):
        lines += loaded(type_, 0, f"%p{place + has_object}", f"%a{place}")
        given.append(f"{IR_TYPES[kind_of(type_)]} %a{place}")
    if made.no_arguments is not None:
        lines.append(f"  %arguments = call ptr @{made.no_arguments.symbol}()")
        given.append("ptr %arguments")
    for number, (each, places) in enumerate(made.preconditions):
        lines += _precondition(number, each, [given[place] for place in places])
    kind = kind_of(result)
    call = f"@{entry.symbol}({', '.join(given)})"
    lines.append(f"  store ptr null, ptr @{RESULT}")
    lines.append(f"  store ptr {'null' if entry.method.is_static else '%object'}, ptr @{OBJECT}")
    lines.append(f"  %value = call {IR_TYPES[kind]} {call}" if kind else f"  call void {call}")
    lines += [f"  store ptr %value, ptr @{RESULT}"] if kind == "A" else []
    rows = [row for row in table.rows if table.types[row].recipes and table.types[row].recipes[0].refuses]
    lines += [*_kept(result), *_thrown(module, rows, makes=entry.method.name == INIT)]
    return "\n".join([*lines, *_listed(rows), *Initialisers(module, table).text(), *Graphs(module).text()]) + "\n"


def _listed(rows: Sequence[int]) -> list[str]:
    if not rows:
        return []
    numbers = ", ".join(f"i32 {row}" for row in rows)
    return [
        f"@{_REFUSING} = internal constant [{len(rows)} x i32] [{numbers}]",
        "declare void @veer_make_asked(ptr, i32)",
    ]


def _making(rows: Sequence[int]) -> list[str]:
    """What the run knows to be there is made before it ends: a test has to make it, too."""
    if not rows:
        return []
    return [
        "  store ptr null, ptr @veer_call_java_pending",
        f"  call void @veer_make_asked(ptr @{_REFUSING}, i32 {len(rows)})",
        "  store ptr %pending, ptr @veer_call_java_pending",
    ]


def ready() -> list[str]:
    """Goes to the end where an exception is on its way."""
    return [
        "  %early = load ptr, ptr @veer_call_java_pending",
        "  %is_ready = icmp eq ptr %early, null",
        "  br i1 %is_ready, label %ready, label %look",
        "ready:",
    ]


def new_object(module: Module, name: str) -> str:
    """The object that the entry is called on, or makes, before its constructor."""
    size, number = module.layouts.shape(name).size, module.layouts.numbers[name]
    return f"  %object = call ptr @veer_call_java_new(i64 {size}, i32 {number})"


def constructed(module: Module, constructor: Reached, offsets: tuple[int, ...]) -> list[str]:
    """The object is made; what the constructor throws ends the call. What a static method makes counts where it is of
    the class itself."""
    is_static = constructor.method.is_static
    lines, given = list[str](), ([] if is_static else ["ptr %object"])
    for place, (type_, offset) in enumerate(zip(method_types(constructor.method.descriptor)[0], offsets, strict=True)):
        lines += loaded(type_, offset, "%p0", f"%n{place}")
        given.append(f"{IR_TYPES[kind_of(type_)]} %n{place}")
    result = "%object = call ptr" if is_static else "call void"
    return [
        *lines,
        f"  {result} @{constructor.symbol}({', '.join(given)})",
        "  %failed = load ptr, ptr @veer_call_java_pending",
        "  %is_made = icmp eq ptr %failed, null",
        "  br i1 %is_made, label %made, label %look",
        "made:",
        *(_of_class(module, constructor.owner.name) if is_static else []),
    ]


def _of_class(module: Module, name: str) -> list[str]:
    number = module.layouts.numbers[name]
    return [
        *_is_there("ptr %object", "object"),
        "  call void @veer_assume(i32 %object.some)",
        "  %object.class = load i32, ptr %object",
        f"  %object.is_own = icmp eq i32 %object.class, {number}",
        "  %object.counts = zext i1 %object.is_own to i32",
        "  call void @veer_assume(i32 %object.counts)",
    ]


def _precondition(number: int, reached: Reached, given: Sequence[str]) -> list[str]:
    """What is no boolean true is no input: nor is what it throws at."""
    name = f"pre{number}"
    call = f"%{name} = call i32 @{reached.symbol}({', '.join(given)})"
    lines = []
    if not reached.method.is_static:
        lines = [*_is_there(given[0], name), f"  call void @veer_assume(i32 %{name}.some)"]
    return [*lines, *guarded([call], name), f"  call void @veer_assume(i32 %{name})"]


def _is_there(object_: str, name: str) -> list[str]:
    return [f"  %{name}.there = icmp ne {object_}, null", f"  %{name}.some = zext i1 %{name}.there to i32"]


def _kept(result: str) -> list[str]:
    """Numbers are kept; of references nothing is."""
    memory = MEMORY_TYPES.get(result, "")
    if not memory:
        return []
    if memory in ("i8", "i16"):
        return [f"  %narrow = trunc i32 %value to {memory}", f"  store {memory} %narrow, ptr %result"]
    return [f"  store {memory} %value, ptr %result"]


def _thrown(module: Module, rows: Sequence[int], *, makes: bool) -> list[str]:
    """`rows`: of objects that have to be made; `makes`: the entry is a constructor, of which nobody has the object when
    it throws."""
    return [
        "  br label %look",
        "look:",
        "  %pending = load ptr, ptr @veer_call_java_pending",
        *_making(rows),
        "  %is_whole = icmp eq ptr %pending, null",
        "  br i1 %is_whole, label %end, label %thrown",
        "thrown:",
        *([f"  store ptr null, ptr @{OBJECT}"] if makes else []),
        f"  call void @veer_call_java_uncaught(ptr %pending, ptr {module.subtypes(ASSERTION)})",
        "  %number = load i32, ptr %pending",
        f"  %place = getelementptr i8, ptr %result, i64 {THROWN_AT}",
        "  store i32 %number, ptr %place",
        "  br label %end",
        "end:",
        "  ret void",
        "}",
    ]
