"""Native methods of the runtime, in LLVM IR: arrays are copied element by element, so that lengths may be inputs."""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.lowering.cuts import IMPLICIT, STRING_BOUNDS
from veer.frontends.java.lowering.layout import Layouts, size_of

OTHER_CLASSES = "System.arraycopy between arrays of two classes"
NO_ARRAY = "java.lang.Object.clone of what is no array"
CLASSES = "@veer_call_java_classes"
"""What all objects of java.lang.Class are."""
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
  %same = icmp eq i32 %from.class, %to.class
  br i1 %same, label %sized, label %refused
refused:
  call void @veer_refuse(ptr OTHER)
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
  call void @veer_call_java_copy(ptr %a0, i32 %a1, ptr %a2, i32 %a3, i32 %a4)
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
define internal void @veer_call_java_thrown_by_runtime(i32 %number) {
  %made = call ptr @veer_call_java_new(i64 SIZE, i32 %number)
  store ptr %made, ptr @veer_call_java_pending
  ret void
}
define internal void @veer_call_java_copy(ptr %from, i32 %first, ptr %to, i32 %place, i32 %count) {
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
_TYPES = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}


def arraycopy(other: str) -> list[str]:
    """The body of System.arraycopy. `other`: the constant with OTHER_CLASSES."""
    numbers = {name: str(number) for number, name in enumerate(IMPLICIT, 1)}
    text = _ARRAYCOPY.replace("LENGTHS", _LENGTHS).replace("OTHER", other)
    text = text.replace("NOWHERE", numbers["java/lang/NullPointerException"])
    return text.replace("BOUNDS", numbers["java/lang/ArrayIndexOutOfBoundsException"]).splitlines()


def check(name: str, layouts: Layouts) -> list[str]:
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
        f"  call void @veer_call_java_thrown_by_runtime(i32 {layouts.numbers[STRING_BOUNDS]})",
        "  ret void",
        "good:",
        "  ret void",
    ]


def new_bytes(layouts: Layouts) -> list[str]:
    """The body of StringConcatHelper.newArray: as many bytes as so many characters (lower half) of a coder take."""
    return [
        "  %coder = lshr i64 %a0, 32",
        "  %shifted = shl i64 %a0, %coder",
        "  %count = trunc i64 %shifted to i32",
        f"  %made = call ptr @veer_call_java_array(i32 %count, i64 1, i32 {layouts.numbers['[B']})",
        "  ret ptr %made",
    ]


def clone(layouts: Layouts, other: str) -> list[str]:
    """The body of Object.clone, for arrays alone. `other`: the constant with NO_ARRAY."""
    rows = list(_arrays(layouts))
    made = ""
    for number, element in rows:
        made += (
            f"array{number}:\n  %length.at{number} = getelementptr i8, ptr %a0, i64 8\n"
            f"  %length{number} = load i32, ptr %length.at{number}\n"
            f"  %made{number} = call ptr @veer_call_java_array"
            f"(i32 %length{number}, i64 {size_of(element)}, i32 {number})\n"
            f"  call void @veer_call_java_copy(ptr %a0, i32 0, ptr %made{number}, i32 0, i32 %length{number})\n"
            f"  ret ptr %made{number}\n"
        )
    cases = " ".join(f"i32 {number}, label %array{number}" for number, _ in rows)
    head = _CLONE.replace("CASES", cases).replace("OTHER", other)
    return (head + made).splitlines()


def copies(layouts: Layouts) -> str:
    """What copies elements of arrays of one class, and what throws as the runtime's own code does."""
    rows = [(number, element) for number, element in _arrays(layouts) if element in _TYPES]
    cases = " ".join(f"i32 {number}, label %{_TYPES[element]}" for number, element in rows)
    loops = _LOOP.replace("NAME", "reference").replace("TYPE", "ptr").replace("SIZE", "8")
    for type_, size in dict.fromkeys((_TYPES[element], size_of(element)) for _, element in rows):
        loops += _LOOP.replace("NAME", type_).replace("TYPE", type_).replace("SIZE", str(size))
    size = max(layouts.shape(name).size for name in IMPLICIT)
    return _COPY.replace("CASES", cases).replace("LOOPS", loops).replace("SIZE", str(size))


def _arrays(layouts: Layouts) -> Iterator[tuple[int, str]]:
    """Number and element type of each class of arrays."""
    return ((number, name[1:]) for name, number in layouts.numbers.items() if name.startswith("["))
