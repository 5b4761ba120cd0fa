"""The compiler's IR as the instrumenter takes it."""

from __future__ import annotations

from veer.frontends.zig.ir import ADAPTER, LONGEST_MESSAGE, prepared, variables_of
from veer.frontends.zig.traps import NUMBERS, TRAPS

IR = f"""\
; ModuleID = 'BitcodeBuffer'
target triple = "x86_64-unknown-linux6.1-gnu2.28.0"
@text = internal unnamed_addr constant [4 x i8] c"odd\\00", align 1
@{ADAPTER} = alias void (ptr), ptr @root_1.{ADAPTER}
define internal void @root_1.{ADAPTER}(ptr %0) unnamed_addr #0 !dbg !1 {{
Entry:
  call fastcc void @list.sum(ptr %0), !dbg !2
  ret void, !dbg !2
}}
define internal fastcc void @list.sum(ptr %0) unnamed_addr #0 !dbg !3 {{
Entry:
  br i1 %1, label %Ok, label %Fail, !dbg !4
Fail:
  call void @llvm.assume(i1 true) [ "cold"() ], !dbg !4
  call fastcc void @veer.panic.integerOverflow(), !dbg !4
  unreachable, !dbg !4
Odd:
  call fastcc void @veer.panic.call(ptr nonnull readonly align 1 @text, i64 3, ptr nonnull align 8 @none), !dbg !4
  unreachable, !dbg !4
Told:
  call fastcc void @veer.panic.call(ptr nonnull readonly align 1 %2, i64 %3, ptr @none), !dbg !4
  unreachable, !dbg !4
Ok:
  call fastcc void @list.memcpy(), !dbg !4
  call fastcc void @veer.panic.inactiveUnionField__func_4(i8 1, i8 2), !dbg !4
  unreachable, !dbg !4
}}
define internal fastcc void @list.memcpy() !dbg !5 {{
  ret void
}}
declare ptr @memcpy(ptr, ptr, i64)
define internal fastcc void @veer.panic.integerOverflow() unnamed_addr #3 !dbg !6 {{
Entry:
  call void @llvm.trap(), !dbg !6
  unreachable, !dbg !6
}}
!3 = distinct !DISubprogram(name: "sum", linkageName: "list.sum", line: 9)
!5 = distinct !DISubprogram(name: "memcpy", linkageName: "list.memcpy", line: 9)
"""


def test_panics_are_traps_and_their_blocks_hold_nothing_else() -> None:
    text = prepared(IR, "list")
    trap = f"Fail:\n  call void @llvm.ubsantrap(i8 {NUMBERS['integerOverflow']}), !dbg !4\n  unreachable"
    assert trap in text
    assert f"call void @llvm.ubsantrap(i8 {NUMBERS['inactiveUnionField']}), !dbg !4" in text
    assert "veer.panic" not in text
    assert TRAPS[NUMBERS["integerOverflow"]] == "integer overflow"


def test_a_panics_message_is_copied_by_straight_code() -> None:
    text = prepared(IR, "list")
    for message, length in (("@text", "3"), ("%2", "%3")):
        assert f"call i64 @llvm.umin.i64(i64 {length}, i64 {LONGEST_MESSAGE - 1}), !dbg !4" in text
        assert f"@llvm.memcpy.p0.p0.i64(ptr @veer.message, ptr {message}, i64 %veer.size." in text
    assert text.count("call void @veer_error(ptr @veer.message), !dbg !4") == 2
    assert text.count("declare i64 @llvm.umin.i64") == 1


def test_functions_have_the_names_of_the_source_unless_those_are_taken() -> None:
    text = prepared(IR, "list")
    assert "define internal fastcc void @sum(ptr %0)" in text
    assert 'linkageName: "sum"' in text
    assert "call fastcc void @sum(ptr %0), !dbg !2" in text
    assert "define internal fastcc void @list.memcpy()" in text
    assert 'linkageName: "list.memcpy"' in text


def test_a_table_of_the_root_is_seen_by_the_harness_and_code_tells_of_variables() -> None:
    ir = """\
@list.count = internal unnamed_addr global i32 0, align 4
@list.most = internal unnamed_addr global i32 9, align 4
@list.limit = internal unnamed_addr constant i32 7, align 4
@root.veer_variables = internal unnamed_addr constant [1 x ptr] [ptr @list.most], align 8
@veer_variables = alias [1 x ptr], ptr @root.veer_variables
define internal fastcc void @list.step() {
  store i32 1, ptr @list.count, align 4
  %1 = load i32, ptr @list.limit, align 4
  ret void
}
"""
    text = prepared(ir, "list")
    assert "\n@veer_variables = unnamed_addr constant [1 x ptr]" in text
    assert variables_of(text, "list") == ["list.count"]


def test_the_adapter_is_no_alias() -> None:
    text = prepared(IR, "list")
    assert f"define void @{ADAPTER}(ptr %0)" in text
    assert " alias " not in text
