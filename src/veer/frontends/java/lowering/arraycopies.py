"""Copies between arrays, in LLVM IR: element by element, so that lengths may be inputs."""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.lowering.cuts import IMPLICIT, STRING_BOUNDS, THROWABLE
from veer.frontends.java.lowering.identity import same
from veer.frontends.java.lowering.layout import MEMORY_TYPES, Layouts, size_of
from veer.frontends.java.lowering.tables import Tables

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
  %from.length.at = getelementptr i8, ptr %a0, i64 8
  %from.length = load i32, ptr %from.length.at
  %to.length.at = getelementptr i8, ptr %a2, i64 8
  %to.length = load i32, ptr %to.length.at
  %from.least = sext i32 %a1 to i64
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
_KINDS = "ZBCSIJFD"


def arraycopy(tables: Tables) -> list[str]:
    """The body of System.arraycopy."""
    kinds = ["0"] * tables.layouts.count
    for name, number in tables.layouts.numbers.items():
        if name.startswith("["):
            kinds[number] = str(1 + (_KINDS + name[1]).index(name[1])) if name[1] in _KINDS else "9"
    tables.table("kinds", "i8", kinds)
    numbers = {name: str(number) for number, name in enumerate(IMPLICIT, 1)}
    text = _ARRAYCOPY.replace("STORE", numbers["java/lang/ArrayStoreException"])
    text = text.replace("NOWHERE", numbers["java/lang/NullPointerException"])
    return text.replace("BOUNDS", numbers["java/lang/ArrayIndexOutOfBoundsException"]).splitlines()


def copies(tables: Tables) -> str:
    """What copies elements of arrays, and what throws as the runtime's own code does."""
    layouts = tables.layouts
    rows = [(number, element) for number, element in arrays(layouts) if element in MEMORY_TYPES]
    cases = " ".join(f"i32 {number}, label %{MEMORY_TYPES[element]}" for number, element in rows)
    loops = _LOOP.replace("NAME", "reference").replace("TYPE", "ptr").replace("SIZE", "8")
    for type_, size in dict.fromkeys((MEMORY_TYPES[element], size_of(element)) for _, element in rows):
        loops += _LOOP.replace("NAME", type_).replace("TYPE", type_).replace("SIZE", str(size))
    size = max(layouts.shape(name).size for name in (*IMPLICIT, STRING_BOUNDS))
    text = _COPY.replace("CASES", cases).replace("LOOPS", loops).replace("SIZE", str(size))
    text = text.replace("STORE", str(IMPLICIT.index("java/lang/ArrayStoreException") + 1))
    text = text.replace("UNKNOWN_AT", str(layouts.offset(THROWABLE, "isUnknown", "Z")))
    return text.replace("ELEMENTS", tables.elements()) + same(layouts)


def arrays(layouts: Layouts) -> Iterator[tuple[int, str]]:
    """Number and element type of each class of arrays."""
    return ((number, name[1:]) for name, number in layouts.numbers.items() if name.startswith("["))
