"""What lowered methods call, written in LLVM IR: small functions for every world.

Their names begin as those of harnesses do, so that no bug is said to be in them.
"""

from __future__ import annotations

from veer.frontends.java.lowering.cuts import THROWABLE
from veer.frontends.java.lowering.layout import Layouts
from veer.frontends.java.traps import Check, trap_number

DECLARED = """\
declare void @llvm.ubsantrap(i8 immarg)
declare void @veer_error(ptr)
declare void @veer_refuse(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @veer_calloc(i64, i64)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.rint.f64(double)
declare void @veer_assume(i32)
declare void @_exit(i32)
declare void @veer_unsupported(i32, i32)
@veer_call_java_pending = global ptr null
@veer_call_java_guarded = global i32 0
@veer_call_java_place = internal global ptr null
@veer_call_java_classes = global i64 0
@veer_call_java_identities = internal global i32 0
@veer_call_java_failed = internal constant [35 x i8] c"java.lang.AssertionError is thrown\\00"
"""
_OBJECTS = """\
define ptr @veer_call_java_new(i64 %size, i32 %number) {
  %place = load ptr, ptr @veer_call_java_place
  %is_anywhere = icmp eq ptr %place, null
  br i1 %is_anywhere, label %anywhere, label %look
look:
  %wanted = load i32, ptr %place
  %is_wanted = icmp eq i32 %wanted, %number
  br i1 %is_wanted, label %there, label %anywhere
there:
  store ptr null, ptr @veer_call_java_place
  ret ptr %place
anywhere:
  %made = call ptr @veer_calloc(i64 1, i64 %size)
  store i32 %number, ptr %made
  ret ptr %made
}
define ptr @veer_call_java_array(i32 %count, i64 %size, i32 %number) {
  %wide = zext i32 %count to i64
  %elements = mul i64 %wide, %size
  %whole = add i64 %elements, 16
  %made = call ptr @veer_calloc(i64 1, i64 %whole)
  store i32 %number, ptr %made
  %length = getelementptr i8, ptr %made, i64 8
  store i32 %count, ptr %length
  ret ptr %made
}
define ptr @veer_call_java_arrays(ptr %counts, ptr %numbers, i64 %size, i32 %left) {
  %count = load i32, ptr %counts
  %number = load i32, ptr %numbers
  %is_last = icmp eq i32 %left, 1
  br i1 %is_last, label %last, label %more
last:
  %one = call ptr @veer_call_java_array(i32 %count, i64 %size, i32 %number)
  ret ptr %one
more:
  %made = call ptr @veer_call_java_array(i32 %count, i64 8, i32 %number)
  %counts_below = getelementptr i8, ptr %counts, i64 4
  %numbers_below = getelementptr i8, ptr %numbers, i64 4
  %left_below = sub i32 %left, 1
  br label %head
head:
  %at = phi i32 [ 0, %more ], [ %next, %body ]
  %is_left = icmp ult i32 %at, %count
  br i1 %is_left, label %body, label %end
body:
  %below = call ptr @veer_call_java_arrays(ptr %counts_below, ptr %numbers_below, i64 %size, i32 %left_below)
  %wide = zext i32 %at to i64
  %offset = mul i64 %wide, 8
  %first = getelementptr i8, ptr %made, i64 16
  %place = getelementptr i8, ptr %first, i64 %offset
  store ptr %below, ptr %place
  %next = add i32 %at, 1
  br label %head
end:
  ret ptr %made
}
define i32 @veer_call_java_class(ptr %value) {
  %is_null = icmp eq ptr %value, null
  br i1 %is_null, label %none, label %some
none:
  ret i32 0
some:
  %number = load i32, ptr %value
  ret i32 %number
}
define i1 @veer_call_java_storable(ptr %array, ptr %value, ptr %table) {
  %number = call i32 @veer_call_java_class(ptr %value)
  %is_null = icmp eq i32 %number, 0
  br i1 %is_null, label %fits, label %ask
fits:
  ret i1 true
ask:
  %of = load i32, ptr %array
  %row = mul i32 %of, COUNT
  %place = add i32 %row, %number
  %wide = zext i32 %place to i64
  %entry = getelementptr i8, ptr %table, i64 %wide
  %found = load i8, ptr %entry
  %may = icmp ne i8 %found, 0
  ret i1 %may
}
define i8 @veer_call_java_byte(ptr %array, i8 %value) {
  %number = load i32, ptr %array
  %is_boolean = icmp eq i32 %number, BOOLEANS
  br i1 %is_boolean, label %one, label %whole
one:
  %bit = and i8 %value, 1
  ret i8 %bit
whole:
  ret i8 %value
}
"""
_EXCEPTIONS = """\
define void @veer_call_java_throw(i32 %check, i32 %index, i32 %length) {
  %made = call ptr @veer_call_java_new(i64 SIZE, i32 %check)
  %reason = getelementptr i8, ptr %made, i64 4
  store i32 %check, ptr %reason
  %index.at = getelementptr i8, ptr %made, i64 INDEX_AT
  store i32 %index, ptr %index.at
  %length.at = getelementptr i8, ptr %made, i64 LENGTH_AT
  store i32 %length, ptr %length.at
  store ptr %made, ptr @veer_call_java_pending
  ret void
}
define void @veer_call_java_thrown(ptr %value, ptr %assertions) {
  %guards = load i32, ptr @veer_call_java_guarded
  %is_free = icmp eq i32 %guards, 0
  br i1 %is_free, label %look, label %end
look:
  call void @veer_call_java_uncaught(ptr %value, ptr %assertions)
  ret void
end:
  ret void
}
define void @veer_call_java_uncaught(ptr %value, ptr %assertions) {
  %number = load i32, ptr %value
  %wide = zext i32 %number to i64
  %entry = getelementptr i8, ptr %assertions, i64 %wide
  %found = load i8, ptr %entry
  %is_assertion = icmp ne i8 %found, 0
  br i1 %is_assertion, label %failed, label %other
failed:
  call void @veer_error(ptr @veer_call_java_failed)
  unreachable
other:
  %place = getelementptr i8, ptr %value, i64 4
  %reason = load i32, ptr %place
  switch i32 %reason, label %end [ CASES ]
end:
  ret void
TRAPS}
define void @veer_call_java_nobody() {
  call void @veer_refuse(ptr @veer_call_java_no_object)
  ret void
}
@veer_call_java_no_object = internal constant [54 x i8] c"a call of a method of a class that veer has no object\\00"
"""


def helpers(layouts: Layouts) -> str:
    """The helpers of a world."""
    cases = " ".join(f"i32 {check.value}, label %c{check.value}" for check in Check)
    traps = "".join(
        f"c{check.value}:\n  call void @llvm.ubsantrap(i8 {trap_number(check)})\n  unreachable\n" for check in Check
    )
    size = max(layouts.shape(name).size for name in list(layouts.numbers)[: len(Check)])
    text = _OBJECTS.replace("COUNT", str(layouts.count)).replace("BOOLEANS", str(layouts.numbers.get("[Z", 0)))
    text += _EXCEPTIONS.replace("SIZE", str(size)).replace("CASES", cases).replace("TRAPS", traps)
    for name in ("INDEX", "LENGTH"):
        text = text.replace(f"{name}_AT", str(layouts.offset(THROWABLE, name.lower(), "I")))
    return DECLARED + text
