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


BEHIND_A_CALL = f"""{HEAD}
  store i64 %in.r10.enter, ptr %place, align 1
  %pushed = add i64 %in.sp.enter, -24
  store i64 %pushed, ptr @veer.register.sp, align 8
  call void @g()
  %in.sp.c1 = load i64, ptr @veer.register.sp, align 8
  %in.r20.c1 = load i64, ptr @veer.register.r20, align 8
  %same = inttoptr i64 %in.sp.c1 to ptr
  %held = load i64, ptr %same, align 1
  %read = inttoptr i64 %held to ptr
  %number = load i64, ptr %read, align 1
  %other = inttoptr i64 %in.r20.c1 to ptr
  %beside = load i64, ptr %other, align 1
  %is.null = icmp eq i64 %TESTED, 0
  ret void
}}
define void @g() {{
begin:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("tested", "popped", "is_asked"),
    [("beside", 8, False), ("held", 8, True), ("beside", 0, False), ("held", 0, False)],
)
def test_behind_a_call_the_stack_is_where_it_was(tested: str, popped: int, is_asked: bool) -> None:
    lifting = Lifting(BEHIND_A_CALL.replace("TESTED", tested), "@f", {}, "sp", popped)
    assert _asks(lifting, _Parameter("f", "r10", is_pointer=True)) is is_asked


TOLD = f"""{HEAD}
  store i64 %in.r10.enter, ptr %place, align 1
  store i64 %in.sp.enter, ptr @veer.register.sp, align 8
  store i64 %ADDRESS, ptr @veer.register.r7, align 8
  call void @g()
  %in.r0.c1 = load i64, ptr @veer.register.r0, align 8
  %other = inttoptr i64 %in.r0.c1 to ptr
  %loaded = load i64, ptr %other, align 1
  %is.null = icmp eq i64 %loaded, 0
  ret void
}}
define void @g() {{
begin:
  ret void
}}
"""


def test_what_is_told_where_it_lies_may_come_back_with_it() -> None:
    for address, is_asked in (("down", True), ("in.r20.enter", False)):
        lifting = Lifting(TOLD.replace("ADDRESS", address), "@f", {}, "sp", 0, frozenset(("r7",)))
        assert _asks(lifting, _Parameter("f", "r10", is_pointer=True)) is is_asked, address


KEPT = f"""{HEAD}
  store i64 %in.sp.enter, ptr @veer.register.sp, align 8
  call void @g()
  %in.r0.c1 = load i64, ptr @veer.register.r0, align 8
  %is.null = icmp eq i64 %in.r0.c1, 0
  ret void
}}
define void @g() {{
begin:
  %in.sp.enter = load i64, ptr @veer.register.sp, align 8
  %in.r10.enter = load i64, ptr @veer.register.r10, align 8
  %down = add i64 %in.sp.enter, -8
  %place = inttoptr i64 %down to ptr
  store i64 %in.r10.enter, ptr %place, align 1
  %again = load i64, ptr %place, align 1
  store i64 %again, ptr @veer.register.GOAL, align 8
  ret void
}}
"""


def test_a_callee_that_only_keeps_a_register_does_not_give_it_back_as_its_result() -> None:
    for goal, is_asked in (("r10", False), ("r0", True)):
        lifting = Lifting(KEPT.replace("GOAL", goal), "@f", {}, "sp")
        assert _asks(lifting, _Parameter("f", "r10", is_pointer=True)) is is_asked, goal


MIXED = f"""{HEAD}
  br label %loop
loop:
  %sum = phi i64 [ %in.r10.enter, %begin ], [ %next, %loop ]
  %next = xor i64 %sum, %in.r20.enter
  %is.same = icmp eq i64 %next, NUMBER
  br i1 %is.same, label %loop, label %end
end:
  ret void
}}
"""


def test_a_register_that_also_holds_a_sum_is_compared_where_that_is() -> None:
    for number, is_asked in (("%in.r20.enter", False), ("0", True)):
        lifting = Lifting(MIXED.replace("NUMBER", number), "@f", {}, "sp")
        assert _asks(lifting, _Parameter("f", "r10", is_pointer=True)) is is_asked, number


TABLE = f"""{HEAD}
  switch i64 %in.r20.enter, label %a1.other [
    i64 16, label %a10KIND
    i64 32, label %a20KIND
  ]
a1.other:
  call void @veer_unknown_target(i64 1, i64 %in.r20.enter, i64 0)
  unreachable
a10KIND:
  ret void
a20KIND:
  ret void
}}
"""


def test_further_targets_of_a_jump_table_are_like_those_that_were_found() -> None:
    for kind, is_asked in (("", False), (".to10", True)):
        lifting = Lifting(TABLE.replace("KIND", kind), "@f", {}, "sp")
        assert _asks(lifting, _Parameter("f", "r10", is_pointer=True)) is is_asked, kind
