"""Which pointers lifted code never compares with null, where compilers give a place of the stack to several values."""

from __future__ import annotations

import pytest

from veer.frontends.machine.parameterfacts import Lifting, _asks, _Parameter

HEAD = """
define void @f() {
begin:
  %in.r10.enter = load i64, ptr @veer.register.r10, align 8
  %in.r20.enter = load i64, ptr @veer.register.r20, align 8
  %in.sp.enter = load i64, ptr @veer.register.sp, align 8
  %down = add i64 %in.sp.enter, -16
  %place = inttoptr i64 %down to ptr
"""
IN_TURN = f"""{HEAD}
  store i64 %in.r10.enter, ptr %place, align 1
  call void @veer.import.strlen()
  %first = load i64, ptr %place, align 1
  %read = inttoptr i64 %first to ptr
  %number = load i32, ptr %read, align 1
  store i64 %in.r20.enter, ptr %place, align 1
  br label %after
after:
  %second = load i64, ptr %place, align 1
  %is.null = icmp eq i64 %second, 0
  ret void
}}
"""
AROUND = f"""{HEAD}
  store i64 %in.r20.enter, ptr %place, align 1
  br label %loop
loop:
  %held = load i64, ptr %place, align 1
  %is.null = icmp eq i64 %held, 0
  store i64 %in.r10.enter, ptr %place, align 1
  br i1 %is.null, label %loop, label %end
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("text", "asked"),
    [(IN_TURN, {"r20"}), (AROUND, {"r10", "r20"})],
    ids=["one after the other", "around a loop"],
)
def test_a_place_of_the_stack_holds_what_was_stored_last(text: str, asked: set[str]) -> None:
    lifting = Lifting(text, "@f", {}, "sp")
    found = {each for each in ("r10", "r20") if _asks(lifting, _Parameter("f", each, is_pointer=True))}
    assert found == asked
