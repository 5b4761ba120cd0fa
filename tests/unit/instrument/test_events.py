"""Handlers of events in the text of LLVM IR."""

from __future__ import annotations

from veer.instrument.events import taken, with_events
from veer.model.specification import Watch

MODULE = """\
@table = global ptr @free
declare void @free(ptr noundef)
declare i32 @open(ptr noundef, i32 noundef, ...)
declare void @exit(i32 noundef) noreturn
define internal signext i8 @f(i32 noundef %0, ptr noundef %1) #0 !dbg !5 {
  %3 = alloca i32, align 4
    #dbg_value(i32 %0, !7, !DIExpression(), !8)
  %4 = icmp sgt i32 %0, 3, !dbg !9
  br i1 %4, label %5, label %6, !dbg !10

5:
  call void @free(ptr noundef %1), !dbg !11
  ret i8 1, !dbg !12

6:
  %7 = call i32 (ptr, i32, ...) @open(ptr noundef %1, i32 noundef 2, i32 noundef 438), !dbg !13
  %8 = trunc i32 %7 to i8
  call void @exit(i32 noundef 0), !dbg !15
  ret i8 %8, !dbg !14
}
"""
F = Watch("f", "call_f", "return_f", 2, has_result=True)
FREE = Watch("free", "call_free", "", 1)
OPEN = Watch("open", "", "return_open", 2, has_result=True)


def woven(*watches: Watch, end: str = "") -> list[str]:
    return [line.strip() for line in with_events(MODULE, watches, {"f"}, end).splitlines()]


def test_a_defined_function_has_handlers_within() -> None:
    lines = woven(F)
    begin = lines.index("call void @call_f(i32 %0, ptr %1), !dbg !9")
    assert lines[begin + 1].startswith("%4 = icmp")
    first = lines.index("call void @return_f(i32 %0, ptr %1, i8 signext 1), !dbg !12")
    assert lines[first + 1] == "ret i8 1, !dbg !12"
    assert "call void @return_f(i32 %0, ptr %1, i8 signext %8), !dbg !14" in lines
    assert "declare void @return_f(i32, ptr, i8 signext)" in lines


def test_others_have_handlers_around_their_calls() -> None:
    lines = woven(FREE, OPEN)
    assert (
        lines[lines.index("call void @free(ptr noundef %1), !dbg !11") - 1] == "call void @call_free(ptr %1), !dbg !11"
    )
    call = next(place for place, line in enumerate(lines) if line.startswith("%7 = call"))
    assert lines[call + 1] == "call void @return_open(ptr %1, i32 2, i32 %7), !dbg !13"


def test_the_end_comes_before_exit() -> None:
    lines = woven(end="the_end")
    assert lines[lines.index("call void @exit(i32 noundef 0), !dbg !15") - 1] == "call void @the_end(), !dbg !15"


def test_nothing_to_watch_changes_nothing() -> None:
    assert with_events(MODULE, [Watch("g", "call_g")], {"f", "g"}) == MODULE


def test_addresses_are_told_of() -> None:
    assert taken(MODULE, ["free", "open"]) == {"free"}
