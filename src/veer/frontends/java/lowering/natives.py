"""Native methods of the runtime, in LLVM IR: arrays are copied element by element, so that lengths may be inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from veer.frontends.java.lowering.cuts import IMPLICIT, STRING_BOUNDS, THROWABLE
from veer.frontends.java.lowering.identity import same
from veer.frontends.java.lowering.layout import MEMORY_TYPES, Layouts, size_of
from veer.frontends.java.lowering.world import CLASS, PRIMITIVE
from veer.wire.layout import Loss

_BOXES = ("java/lang/Number", "java/lang/Character", "java/lang/Boolean")
_LENGTHS = """\
  %from.length.at = getelementptr i8, ptr %a0, i64 8
  %from.length = load i32, ptr %from.length.at
  %to.length.at = getelementptr i8, ptr %a2, i64 8
  %to.length = load i32, ptr %to.length.at
"""
_ARRAYCOPY = """\
  %none = icmp eq ptr %a0, null
  %nowhere = icmp eq ptr %a2, null
  %is_null = or i1 %none, %nowhere
  br i1 %is_null, label %null, label %some
null:
  call void @veer_call_java_thrown_by_runtime(i32 NOWHERE)
  ret void
some:
  %from.class = load i32, ptr %a0
  %to.class = load i32, ptr %a2
  %from.kind.at = getelementptr i8, ptr @java.table.kinds, i32 %from.class
  %from.kind = load i8, ptr %from.kind.at
  %to.kind.at = getelementptr i8, ptr @java.table.kinds, i32 %to.class
  %to.kind = load i8, ptr %to.kind.at
  %same = icmp eq i8 %from.kind, %to.kind
  %is_array = icmp ne i8 %from.kind, 0
  %fits = and i1 %same, %is_array
  br i1 %fits, label %sized, label %other
other:
  call void @veer_call_java_thrown_by_runtime(i32 STORE)
  ret void
sized:
LENGTHS  %from.least = sext i32 %a1 to i64
  %to.least = sext i32 %a3 to i64
  %count = sext i32 %a4 to i64
  %from.all = sext i32 %from.length to i64
  %to.all = sext i32 %to.length to i64
  %from.end = add i64 %from.least, %count
  %to.end = add i64 %to.least, %count
  %bad.from = icmp sgt i64 %from.end, %from.all
  %bad.to = icmp sgt i64 %to.end, %to.all
  %signs = or i32 %a1, %a3
  %all.signs = or i32 %signs, %a4
  %negative = icmp slt i32 %all.signs, 0
  %outside = or i1 %bad.from, %bad.to
  %is_bad = or i1 %outside, %negative
  br i1 %is_bad, label %bounds, label %copy
bounds:
  call void @veer_call_java_thrown_by_runtime(i32 BOUNDS)
  ret void
copy:
  %same.class = icmp eq i32 %from.class, %to.class
  br i1 %same.class, label %alike, label %checked
alike:
  call void @veer_call_java_copy(ptr %a0, i32 %a1, ptr %a2, i32 %a3, i32 %a4)
  ret void
checked:
  call void @veer_call_java_copy_checked(ptr %a0, i32 %a1, ptr %a2, i32 %a3, i32 %a4)
  ret void
"""
_CLONE = """\
  %class = load i32, ptr %a0
  switch i32 %class, label %refused [ CASES ]
refused:
  call void @veer_refuse(ptr OTHER)
  ret ptr null
"""
CHECKS = {
    "checkIndex": ("slt i32 %a0, 0", "sge i32 %a0, %a1"),
    "checkOffset": ("slt i32 %a0, 0", "sgt i32 %a0, %a1"),
    "checkBoundsOffCount": ("slt i32 %a0, 0", "slt i32 %a1, 0", "sgt i32 %a0, %left"),
    "checkBoundsBeginEnd": ("slt i32 %a0, 0", "sgt i32 %a0, %a1", "sgt i32 %a1, %a2"),
}
"""What String's checks of indices ask: one of these holds where they throw."""
_COPY = """\
define void @veer_call_java_thrown_by_runtime(i32 %number) {
  %made = call ptr @veer_call_java_new(i64 SIZE, i32 %number)
  %unknown = getelementptr i8, ptr %made, i64 UNKNOWN_AT
  store i8 1, ptr %unknown
  store ptr %made, ptr @veer_call_java_pending
  ret void
}
define void @veer_call_java_copy_checked(ptr %from, i32 %first, ptr %to, i32 %place, i32 %count) {
  br label %head
head:
  %at = phi i32 [ 0, %0 ], [ %next, %store ]
  %is_left = icmp slt i32 %at, %count
  br i1 %is_left, label %body, label %end
body:
  %from.index = add i32 %at, %first
  %from.wide = zext i32 %from.index to i64
  %from.offset = mul i64 %from.wide, 8
  %from.elements = getelementptr i8, ptr %from, i64 16
  %from.place = getelementptr i8, ptr %from.elements, i64 %from.offset
  %value = load ptr, ptr %from.place
  %fits = call i1 @veer_call_java_storable(ptr %to, ptr %value, ptr ELEMENTS)
  br i1 %fits, label %store, label %throw
throw:
  call void @veer_call_java_thrown_by_runtime(i32 STORE)
  ret void
store:
  %to.index = add i32 %at, %place
  %to.wide = zext i32 %to.index to i64
  %to.offset = mul i64 %to.wide, 8
  %to.elements = getelementptr i8, ptr %to, i64 16
  %to.place = getelementptr i8, ptr %to.elements, i64 %to.offset
  store ptr %value, ptr %to.place
  %next = add i32 %at, 1
  br label %head
end:
  ret void
}
define void @veer_call_java_copy(ptr %from, i32 %first, ptr %to, i32 %place, i32 %count) {
  %is_same = icmp eq ptr %from, %to
  %is_later = icmp slt i32 %first, %place
  %is_down = and i1 %is_same, %is_later
  %last = sub i32 %count, 1
  %start = select i1 %is_down, i32 %last, i32 0, !nosanitize !0
  %step = select i1 %is_down, i32 -1, i32 1, !nosanitize !0
  %class = load i32, ptr %from
  switch i32 %class, label %reference [ CASES ]
LOOPS}
"""
_LOOP = """\
NAME:
  br label %NAME.head
NAME.head:
  %NAME.done = phi i32 [ 0, %NAME ], [ %NAME.next, %NAME.body ]
  %NAME.at = phi i32 [ %start, %NAME ], [ %NAME.then, %NAME.body ]
  %NAME.is_left = icmp slt i32 %NAME.done, %count
  br i1 %NAME.is_left, label %NAME.body, label %NAME.end
NAME.body:
  %NAME.from = add i32 %NAME.at, %first
  %NAME.from.wide = zext i32 %NAME.from to i64
  %NAME.from.offset = mul i64 %NAME.from.wide, SIZE
  %NAME.from.elements = getelementptr i8, ptr %from, i64 16
  %NAME.from.place = getelementptr i8, ptr %NAME.from.elements, i64 %NAME.from.offset
  %NAME.value = load TYPE, ptr %NAME.from.place
  %NAME.to = add i32 %NAME.at, %place
  %NAME.to.wide = zext i32 %NAME.to to i64
  %NAME.to.offset = mul i64 %NAME.to.wide, SIZE
  %NAME.to.elements = getelementptr i8, ptr %to, i64 16
  %NAME.to.place = getelementptr i8, ptr %NAME.to.elements, i64 %NAME.to.offset
  store TYPE %NAME.value, ptr %NAME.to.place
  %NAME.next = add i32 %NAME.done, 1
  %NAME.then = add i32 %NAME.at, %step
  br label %NAME.head
NAME.end:
  ret void
"""


_CLASS_NUMBER = """\
  %number.at = getelementptr i8, ptr %a0, i64 NUMBER_AT
  %number = load i32, ptr %number.at
  %wide = zext i32 %number to i64
"""
_BODIES = {
    "of_object": """\
  %number = load i32, ptr %a0
  %wide = zext i32 %number to i64
  %place = getelementptr ptr, ptr @java.table.classes, i64 %wide
  %class = load ptr, ptr %place
  ret ptr %class
""",
    "class": """\
  ret ptr PRIMITIVE
""",
    "reason": """\
  %place = getelementptr i8, ptr %a0, i64 4
  %reason = load i32, ptr %place
  ret i32 %reason
""",
    "boxed": """\
  %place = getelementptr i8, ptr %a0, i64 4
  store i32 1, ptr %place
  ret ptr %a0
""",
    "same": """\
  %same = call i1 @veer_call_java_same(ptr %a0, ptr %a1)
  %wide = zext i1 %same to i32
  ret i32 %wide
""",
    "identity": """\
  %class = load i32, ptr %a0
  %wide = zext i32 %class to i64
  %entry = getelementptr i8, ptr @java.table.nameless, i64 %wide
  %found = load i8, ptr %entry
  %is_other = icmp ne i8 %found, 0
  br i1 %is_other, label %refused, label %ask
refused:
  call void @veer_refuse(ptr IDENTITY)
  ret i32 0
ask:
  %place = getelementptr i8, ptr %a0, i64 4
  %known = load i32, ptr %place
  call void @veer_unsupported(i32 0, i32 ARBITRARY)
  %is_new = icmp eq i32 %known, 0
  br i1 %is_new, label %first, label %again
first:
  %count = load i32, ptr @veer_call_java_identities
  %next = add i32 %count, 1
  store i32 %next, ptr @veer_call_java_identities
  %number = add i32 %next, 65536
  store i32 %number, ptr %place
  ret i32 %number
again:
  ret i32 %known
""",
    "enum_constants": _CLASS_NUMBER
    + """\
  %place = getelementptr ptr, ptr @java.table.enums, i64 %wide
  %values = load ptr, ptr %place
  %is_none = icmp eq ptr %values, null
  br i1 %is_none, label %none, label %some
none:
  ret ptr null
some:
  %once.at = getelementptr ptr, ptr @java.table.onces, i64 %wide
  %once = load ptr, ptr %once.at
  call void %once()
  %all = call ptr %values()
  ret ptr %all
""",
    "is_instance": _CLASS_NUMBER
    + """\
  %place = getelementptr ptr, ptr @java.table.subtypes, i64 %wide
  %table = load ptr, ptr %place
  %of = call i32 @veer_call_java_class(ptr %a1)
  %of.wide = zext i32 %of to i64
  %entry = getelementptr i8, ptr %table, i64 %of.wide
  %found = load i8, ptr %entry
  %is_one = zext i8 %found to i32
  ret i32 %is_one
""",
    "array_of": _CLASS_NUMBER
    + """\
  %is_none = icmp sgt i32 %number, MOST
  br i1 %is_none, label %refused, label %some
refused:
  call void @veer_refuse(ptr NO_CLASS)
  ret ptr null
some:
  %made = call ptr @veer_call_java_array(i32 %a1, i64 8, i32 %number)
  ret ptr %made
""",
    "array_of_component": _CLASS_NUMBER
    + """\
  %place = getelementptr i32, ptr @java.table.arrays, i64 %wide
  %array = load i32, ptr %place
  %is_none = icmp eq i32 %array, 0
  br i1 %is_none, label %refused, label %some
refused:
  call void @veer_refuse(ptr NO_CLASS)
  ret ptr null
some:
  %made = call ptr @veer_call_java_array(i32 %a1, i64 8, i32 %array)
  ret ptr %made
""",
    "superclass": _CLASS_NUMBER
    + """\
  %place = getelementptr ptr, ptr @java.table.supers, i64 %wide
  %class = load ptr, ptr %place
  ret ptr %class
""",
    "component": _CLASS_NUMBER
    + """\
  %place = getelementptr ptr, ptr @java.table.components, i64 %wide
  %class = load ptr, ptr %place
  ret ptr %class
""",
}
_KINDS = "ZBCSIJFD"


class Tables(Protocol):
    """What bodies ask the module for."""

    @property
    def layouts(self) -> Layouts: ...

    def text(self, words: str) -> str:
        """A constant with this text."""
        ...

    def table(self, role: str, type_: str, rows: Sequence[str]) -> str:
        """A table of values."""
        ...

    def elements(self) -> str:
        """See ModuleNames."""
        ...

    def class_object(self, name: str) -> str:
        """See ModuleNames."""
        ...


def body(how: str, tables: Tables) -> list[str]:
    """The body of a method that is replaced in this way (cuts.REPLACED)."""
    if how == "arraycopy":
        return _arraycopy(tables)
    if how == "clone":
        return _clone(tables)
    if how == "bytes":
        return _new_bytes(tables.layouts)
    text = _BODIES[how]
    if how == "identity":
        text = text.replace("ARBITRARY", str(int(Loss.ARBITRARY)))
        text = text.replace("IDENTITY", tables.text("the identity hash code of a box or an exception"))
        table = {number for name in (*_BOXES, THROWABLE) for number in tables.layouts.subtypes(name)}
        tables.table("nameless", "i8", [str(int(number in table)) for number in range(tables.layouts.count)])
    if how == "class":
        text = text.replace("PRIMITIVE", tables.class_object(PRIMITIVE))
    if "NUMBER_AT" in text:
        text = text.replace("NUMBER_AT", str(tables.layouts.offset(CLASS, "classRedefinedCount", "I")))
    text = text.replace("MOST", str(tables.layouts.count - 1))
    if "NO_CLASS" in text:
        text = text.replace("NO_CLASS", tables.text("an array of a class of which veer made none"))
    return text.splitlines()


def _arraycopy(tables: Tables) -> list[str]:
    """The body of System.arraycopy."""
    kinds = ["0"] * tables.layouts.count
    for name, number in tables.layouts.numbers.items():
        if name.startswith("["):
            kinds[number] = str(1 + (_KINDS + name[1]).index(name[1])) if name[1] in _KINDS else "9"
    tables.table("kinds", "i8", kinds)
    numbers = {name: str(number) for number, name in enumerate(IMPLICIT, 1)}
    text = _ARRAYCOPY.replace("LENGTHS", _LENGTHS).replace("STORE", numbers["java/lang/ArrayStoreException"])
    text = text.replace("NOWHERE", numbers["java/lang/NullPointerException"])
    return text.replace("BOUNDS", numbers["java/lang/ArrayIndexOutOfBoundsException"]).splitlines()


def check(name: str, tables: Tables) -> list[str]:
    """The body of one of CHECKS."""
    lines = ["  %left = sub i32 %a2, %a1"] if name == "checkBoundsOffCount" else []
    last = "false"
    for number, test in enumerate(CHECKS[name]):
        lines += [f"  %c{number} = icmp {test}", f"  %bad{number} = or i1 {last}, %c{number}"]
        last = f"%bad{number}"
    return [
        *lines,
        f"  br i1 {last}, label %bounds, label %good",
        "bounds:",
        f"  call void @veer_call_java_thrown_by_runtime(i32 {tables.layouts.numbers[STRING_BOUNDS]})",
        "  ret void",
        "good:",
        "  ret void",
    ]


def _new_bytes(layouts: Layouts) -> list[str]:
    """The body of StringConcatHelper.newArray: as many bytes as so many characters (lower half) of a coder take."""
    return [
        "  %coder = lshr i64 %a0, 32",
        "  %shifted = shl i64 %a0, %coder",
        "  %count = trunc i64 %shifted to i32",
        f"  %made = call ptr @veer_call_java_array(i32 %count, i64 1, i32 {layouts.numbers['[B']})",
        "  ret ptr %made",
    ]


def _clone(tables: Tables) -> list[str]:
    """The body of Object.clone: arrays, and objects of classes that may be cloned, field by field."""
    layouts = tables.layouts
    made, numbers = "", []
    for number, element in _arrays(layouts):
        numbers.append(number)
        made += (
            f"array{number}:\n  %length.at{number} = getelementptr i8, ptr %a0, i64 8\n"
            f"  %length{number} = load i32, ptr %length.at{number}\n"
            f"  %made{number} = call ptr @veer_call_java_array"
            f"(i32 %length{number}, i64 {size_of(element)}, i32 {number})\n"
            f"  call void @veer_call_java_copy(ptr %a0, i32 0, ptr %made{number}, i32 0, i32 %length{number})\n"
            f"  ret ptr %made{number}\n"
        )
    for number in layouts.subtypes("java/lang/Cloneable"):
        name = layouts.name(number)
        if not name.startswith("["):
            numbers.append(number)
            size = layouts.shape(name).size
            made += f"array{number}:\n  %made{number} = call ptr @veer_call_java_new(i64 {size}, i32 {number})\n"
            for each, (offset, type_) in enumerate(_fields(layouts, name)):
                one = f"%f{number}.{each}"
                made += (
                    f"  {one}.at = getelementptr i8, ptr %a0, i64 {offset}\n  {one} = load {type_}, ptr {one}.at\n"
                    f"  {one}.to = getelementptr i8, ptr %made{number}, i64 {offset}\n"
                    f"  store {type_} {one}, ptr {one}.to\n"
                )
            made += f"  ret ptr %made{number}\n"
    cases = " ".join(f"i32 {number}, label %array{number}" for number in numbers)
    other = tables.text("java.lang.Object.clone of what may not be cloned")
    return (_CLONE.replace("CASES", cases).replace("OTHER", other) + made).splitlines()


def _fields(layouts: Layouts, name: str) -> Iterator[tuple[int, str]]:
    """Offset and IR type of each field."""
    shape = layouts.shape(name)
    for owner, each in shape.fields:
        yield shape.offsets[owner, each.name], MEMORY_TYPES.get(each.descriptor, "ptr")


def natives(tables: Tables) -> str:
    """What copies elements of arrays, and what throws as the runtime's own code does."""
    layouts = tables.layouts
    rows = [(number, element) for number, element in _arrays(layouts) if element in MEMORY_TYPES]
    cases = " ".join(f"i32 {number}, label %{MEMORY_TYPES[element]}" for number, element in rows)
    loops = _LOOP.replace("NAME", "reference").replace("TYPE", "ptr").replace("SIZE", "8")
    for type_, size in dict.fromkeys((MEMORY_TYPES[element], size_of(element)) for _, element in rows):
        loops += _LOOP.replace("NAME", type_).replace("TYPE", type_).replace("SIZE", str(size))
    size = max(layouts.shape(name).size for name in (*IMPLICIT, STRING_BOUNDS))
    text = _COPY.replace("CASES", cases).replace("LOOPS", loops).replace("SIZE", str(size))
    text = text.replace("STORE", str(IMPLICIT.index("java/lang/ArrayStoreException") + 1))
    text = text.replace("UNKNOWN_AT", str(layouts.offset(THROWABLE, "isUnknown", "Z")))
    return text.replace("ELEMENTS", tables.elements()) + same(layouts)


def _arrays(layouts: Layouts) -> Iterator[tuple[int, str]]:
    """Number and element type of each class of arrays."""
    return ((number, name[1:]) for name, number in layouts.numbers.items() if name.startswith("["))
