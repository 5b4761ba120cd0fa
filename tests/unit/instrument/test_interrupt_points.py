"""Where interrupts may come, in the text of IR."""

from __future__ import annotations

import itertools

from veer.instrument.interrupts import POINT, has_points, with_interrupts

ACCESSES = """
@ticks = global i32 0
define i32 @f(ptr %0) !dbg !3 {
  %own = alloca i32, align 4
  store volatile i32 1, ptr %own, align 4
  %2 = load volatile i32, ptr @ticks, align 4, !dbg !7
  store volatile i32 %2, ptr %0, align 4, !dbg !8
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 @ticks, i64 4, i1 true), !dbg !9
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 @ticks, i64 4, i1 false), !dbg !10
  %3 = load i32, ptr @ticks, align 4, !dbg !11
  ret i32 %3
}
"""


def test_a_point_stands_before_each_access_that_others_see() -> None:
    lines = with_interrupts(ACCESSES).splitlines()
    behind = [following for line, following in itertools.pairwise(lines) if f"@{POINT}()" in line]
    assert [line.split("!dbg ")[1] for line in behind if "!dbg" in line] == ["!7", "!8", "!9"]
    assert f"  call void @{POINT}(), !dbg !8" in lines
    assert lines[-1] == f"declare void @{POINT}()"


def test_text_without_such_an_access_stays() -> None:
    plain = ACCESSES.replace("volatile ", "").replace("i1 true", "i1 false")
    assert with_interrupts(plain) == plain
    assert not has_points(plain)
    assert has_points(ACCESSES)
