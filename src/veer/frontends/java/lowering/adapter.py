"""The function through which the harness calls an entry: it takes the addresses of the arguments and of the result.

result    value at 0, number of the class that was thrown at 8 (0: none)
"""

from __future__ import annotations

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.calls import once_symbol
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.layout import size_of
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import ASSERTION, LENGTH_AT, STRING, Reached
from veer.frontends.java.types import INITIALISER
from veer.frontends.java.types import STRING as STRING_TYPE

ADAPTER = "veer_call_java"
VALUE_AT, THROWN_AT, RESULT_SIZE = 0, 8, 16
_LONGEST = 64
"""Longer arrays keep a length that is an input."""
_MEMORY = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}


def adapter(
    entry: Reached, module: Module, constructor: Reached | None = None, arguments: Reached | None = None
) -> str:
    """The adapter, and the functions that write the classes of new input arrays.

    An entry that is a constructor gets a new object; `constructor` makes the object that an instance method is called
    on, of what lies where its first argument does; `arguments` makes those of a program.
    """
    types, result = method_types(entry.method.descriptor)
    types = () if arguments is not None else types
    has_object = constructor is not None
    count = len(types) + has_object
    lines = [f"define void @{ADAPTER}({''.join(f'ptr %p{place}, ' for place in range(count))}ptr %result) {{"]
    lines.append("  store ptr null, ptr @veer_call_java_pending")
    lines += _initialised(entry, module)
    given = []
    if not entry.method.is_static:
        name = entry.owner.name
        size, number = module.layouts.shape(name).size, module.layouts.numbers[name]
        lines.append(f"  %object = call ptr @veer_call_java_new(i64 {size}, i32 {number})")
        given.append("ptr %object")
    strings = _Strings(module)
    if constructor is not None:
        lines += _constructed(constructor, strings)
    for place, type_ in enumerate(types):
        lines += strings.loaded(type_, f"%p{place + has_object}", f"%a{place}")
        given.append(f"{IR_TYPES[kind_of(type_)]} %a{place}")
    if arguments is not None:
        lines.append(f"  %arguments = call ptr @{arguments.symbol}()")
        given.append("ptr %arguments")
    kind = kind_of(result)
    call = f"@{entry.symbol}({', '.join(given)})"
    lines.append(f"  %value = call {IR_TYPES[kind]} {call}" if kind else f"  call void {call}")
    lines += [*_kept(result), *_thrown(module)]
    return "\n".join([*lines, *_initialisers(module)]) + "\n"


def _initialised(entry: Reached, module: Module) -> list[str]:
    """The class that the entry is of is used."""
    classes = module.world.superclasses(entry.owner.name)
    first = next((each for each in classes if each.name in module.world.initialised), None)
    return [f"  call void @{once_symbol(first)}()"] if first is not None else []


def _constructed(constructor: Reached, strings: _Strings) -> list[str]:
    """The object is made; what the constructor throws ends the call."""
    lines, given, end = [], ["ptr %object"], 0
    for place, type_ in enumerate(method_types(constructor.method.descriptor)[0]):
        size = size_of(type_)
        end = -(-end // size) * size
        lines.append(f"  %at{place} = getelementptr i8, ptr %p0, i64 {end}")
        lines += strings.loaded(type_, f"%at{place}", f"%n{place}")
        given.append(f"{IR_TYPES[kind_of(type_)]} %n{place}")
        end += size
    return [
        *lines,
        f"  call void @{constructor.symbol}({', '.join(given)})",
        "  %failed = load ptr, ptr @veer_call_java_pending",
        "  %is_made = icmp eq ptr %failed, null",
        "  br i1 %is_made, label %made, label %look",
        "made:",
    ]


class _Strings:
    """Arguments as methods take them. An input that is a string is an array of its characters: its object is made here,
    one for each array."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._made: list[tuple[str, str]] = []  # arrays, strings

    def loaded(self, type_: str, place: str, name: str) -> list[str]:
        """The argument that lies at a place."""
        memory = _MEMORY.get(type_, "ptr")
        if type_ == STRING_TYPE:
            return self._string(place, name)
        if memory not in ("i8", "i16"):
            return [f"  {name} = load {memory}, ptr {place}"]
        wider = "zext" if type_ in "ZC" else "sext"
        return [f"  {name}.m = load {memory}, ptr {place}", f"  {name} = {wider} {memory} {name}.m to i32"]

    def _string(self, place: str, name: str) -> list[str]:
        layouts = self._module.layouts
        value, size = layouts.offset(STRING, "value", "[B"), layouts.shape(STRING).size
        lines = [
            f"  {name}.array = load ptr, ptr {place}",
            f"  {name}.new = call ptr @veer_call_java_new(i64 {size}, i32 {layouts.numbers[STRING]})",
            f"  {name}.value = getelementptr i8, ptr {name}.new, i64 {value}",
            f"  store ptr {name}.array, ptr {name}.value",
        ]
        last = f"{name}.new"
        for number, (array, string) in enumerate(self._made):
            lines += [
                f"  {name}.is{number} = icmp eq ptr {name}.array, {array}",
                f"  {name}.or{number} = select i1 {name}.is{number}, ptr {string}, ptr {last}, !nosanitize !0",
            ]
            last = f"{name}.or{number}"
        self._made.append((f"{name}.array", name))
        return [
            *lines,
            f"  {name}.null = icmp eq ptr {name}.array, null",
            f"  {name} = select i1 {name}.null, ptr null, ptr {last}, !nosanitize !0",
        ]


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
        "  br label %look",
        "look:",
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
