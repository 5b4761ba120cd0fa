"""`==` of references, in LLVM IR: boxes of small numbers that valueOf made are one object, as the JVM caches them; a
constant of an enum and an input that is a copy of it are."""

from __future__ import annotations

from veer.frontends.java.lowering.layout import MEMORY_TYPES, Layouts

_SAME = """\
define i1 @veer_call_java_same(ptr %one, ptr %other) {
  %same = icmp eq ptr %one, %other
  br i1 %same, label %yes, label %apart
yes:
  ret i1 true
apart:
  %one.null = icmp eq ptr %one, null
  %other.null = icmp eq ptr %other, null
  %is_null = or i1 %one.null, %other.null
  br i1 %is_null, label %no, label %objects
no:
  ret i1 false
objects:
  %one.class = load i32, ptr %one
  %other.class = load i32, ptr %other
  %alike = icmp eq i32 %one.class, %other.class
  br i1 %alike, label %kinds, label %no
kinds:
  switch i32 %one.class, label %boxes [ ENUMS ]
constants:
  %one.ordinal.at = getelementptr i8, ptr %one, i64 ORDINAL
  %one.ordinal = load i32, ptr %one.ordinal.at
  %other.ordinal.at = getelementptr i8, ptr %other, i64 ORDINAL
  %other.ordinal = load i32, ptr %other.ordinal.at
  %same.constant = icmp eq i32 %one.ordinal, %other.ordinal
  ret i1 %same.constant
boxes:
  %one.mark.at = getelementptr i8, ptr %one, i64 4
  %one.mark = load i32, ptr %one.mark.at
  %other.mark.at = getelementptr i8, ptr %other, i64 4
  %other.mark = load i32, ptr %other.mark.at
  %marks = and i32 %one.mark, %other.mark
  %is_made = icmp eq i32 %marks, 1
  br i1 %is_made, label %values, label %no
values:
  switch i32 %one.class, label %no [ CASES ]
BODIES}
"""
_CACHED = (
    *(("java/lang/Integer", "I", -128, 127), ("java/lang/Long", "J", -128, 127), ("java/lang/Short", "S", -128, 127)),
    *(("java/lang/Byte", "B", -128, 127), ("java/lang/Character", "C", 0, 127), ("java/lang/Boolean", "Z", 0, 1)),
)
"""Boxes that valueOf makes once: of these numbers."""


def same(layouts: Layouts) -> str:
    """Whether two references are of one object, where valueOf of the JVM gives the same one for small numbers."""
    cases, bodies = "", ""
    enums = {number for name in layouts.world.copied for number in layouts.subtypes(name)}
    constants = " ".join(f"i32 {number}, label %constants" for number in sorted(enums))
    ordinal = str(layouts.offset("java/lang/Enum", "ordinal", "I"))
    text = _SAME.replace("ENUMS", constants).replace("ORDINAL", ordinal)
    for name, type_, least, most in _CACHED:
        number = layouts.numbers.get(name)
        if number is None:
            continue
        memory, at = MEMORY_TYPES[type_], layouts.offset(name, "value", type_)
        cases += f"i32 {number}, label %{type_} "
        compare = "u" if type_ in "CZ" else "s"
        bodies += (
            f"{type_}:\n  %{type_}.one.at = getelementptr i8, ptr %one, i64 {at}\n"
            f"  %{type_}.one = load {memory}, ptr %{type_}.one.at\n"
            f"  %{type_}.other.at = getelementptr i8, ptr %other, i64 {at}\n"
            f"  %{type_}.other = load {memory}, ptr %{type_}.other.at\n"
            f"  %{type_}.least = icmp {compare}ge {memory} %{type_}.one, {least}\n"
            f"  %{type_}.most = icmp {compare}le {memory} %{type_}.one, {most}\n"
            f"  %{type_}.small = and i1 %{type_}.least, %{type_}.most\n"
            f"  %{type_}.equal = icmp eq {memory} %{type_}.one, %{type_}.other\n"
            f"  %{type_}.both = and i1 %{type_}.small, %{type_}.equal\n  ret i1 %{type_}.both\n"
        )
    return text.replace("CASES", cases).replace("BODIES", bodies)
