"""Native methods of the runtime, in LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.lowering.arraycopies import arraycopy, arrays
from veer.frontends.java.lowering.cuts import STRING_BOUNDS, THROWABLE
from veer.frontends.java.lowering.layout import MEMORY_TYPES, Layouts, size_of
from veer.frontends.java.lowering.tables import Tables
from veer.frontends.java.lowering.world import CLASS, ELEMENTS_AT
from veer.wire.layout import Loss

_BOXES = ("java/lang/Number", "java/lang/Character", "java/lang/Boolean")
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
    "nobody": """\
  ret ptr NOBODY
""",
    "array_base": f"""\
  ret TYPE {ELEMENTS_AT}
""",
    "array_scale": """\
  ret i32 8
""",
    "compare_and_set": """\
  %place = getelementptr i8, ptr %a1, i64 %a2
  %found = load TYPE, ptr %place
  %is_same = icmp eq TYPE %found, %a3
  br i1 %is_same, label %same, label %other
same:
  store TYPE %a4, ptr %place
  ret i32 1
other:
  ret i32 0
""",
    "get_and_add": """\
  %place = getelementptr i8, ptr %a1, i64 %a2
  %found = load i32, ptr %place
  %sum = add i32 %found, %a3
  store i32 %sum, ptr %place
  ret i32 %found
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
  %size.at = getelementptr i64, ptr @java.table.sizes, i64 %wide
  %size = load i64, ptr %size.at
  %made = call ptr @veer_call_java_array(i32 %a1, i64 %size, i32 %array)
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


def body(how: str, tables: Tables) -> list[str]:
    """The body of a method that is replaced in this way (cuts.REPLACED)."""
    if how == "arraycopy":
        return arraycopy(tables)
    if how == "clone":
        return _clone(tables)
    if how == "bytes":
        return _new_bytes(tables.layouts)
    if how == "bytes of a length":
        return _made_bytes("%a0", tables.layouts)
    how, _, type_ = how.partition(":")
    text = _BODIES[how].replace("TYPE", type_)
    if how == "identity":
        text = text.replace("ARBITRARY", str(int(Loss.ARBITRARY)))
        text = text.replace("IDENTITY", tables.text("the identity hash code of a box or an exception"))
        table = {number for name in (*_BOXES, THROWABLE) for number in tables.layouts.subtypes(name)}
        tables.table("nameless", "i8", [str(int(number in table)) for number in range(tables.layouts.count)])
    if "NUMBER_AT" in text:
        text = text.replace("NUMBER_AT", str(tables.layouts.offset(CLASS, "classRedefinedCount", "I")))
    if how == "nobody":  # an object of no class: calls that nothing stands for are refused
        text = text.replace("NOBODY", tables.table("nobody", "i32", ["0", "0"]))
    text = text.replace("MOST", str(tables.layouts.count - 1))
    if "NO_CLASS" in text:
        text = text.replace("NO_CLASS", tables.text("an array of a class of which veer made none"))
    return text.splitlines()


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
        *_made_bytes("%count", layouts),
    ]


def _made_bytes(count: str, layouts: Layouts) -> list[str]:
    """Gives so many bytes."""
    return [
        f"  %made = call ptr @veer_call_java_array(i32 {count}, i64 1, i32 {layouts.numbers['[B']})",
        "  ret ptr %made",
    ]


def _clone(tables: Tables) -> list[str]:
    """The body of Object.clone: arrays, and objects of classes that may be cloned, field by field."""
    layouts = tables.layouts
    made, numbers = "", []
    for number, element in arrays(layouts):
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
