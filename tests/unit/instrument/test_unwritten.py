"""The first values of local variables: shown before SROA, dropped behind it where nobody looks at them."""

from __future__ import annotations

import re

from veer.instrument.codegen import prepare
from veer.instrument.unwritten import MOST_BYTES, SYMBOL, drop_unused, show_unwritten

HEAD = 'target triple = "x86_64-unknown-linux-gnu"\n%struct.pair = type { i32, i8, i64 }\n'
SET_ON_ONE_PATH = """
define i32 @f(i32 %n) {
entry:
  %r = alloca TYPE, align 8
  %is = icmp sgt i32 %n, 3
  br i1 %is, label %yes, label %end

yes:
  store i32 1, ptr %r, align 4
  br label %end

end:
  %value = load i32, ptr %r, align 4
  ret i32 %value
}
"""


RETURNED = "  %v = load i32, ptr %r, align 4\n  ret i32 %v"


def function(body: str) -> str:
    return f"{HEAD}\ndeclare void @out(ptr)\n\ndefine i32 @f(i32 %n) {{\nentry:\n{body}\n}}\n"


def first_values(text: str) -> list[str]:
    """The loads of memory that nobody wrote, by their type."""
    return re.findall(rf"= load (\w+), [^\n]*@{SYMBOL}", prepare(text))


def test_a_variable_that_one_path_does_not_set_has_a_first_value() -> None:
    text = prepare(HEAD + SET_ON_ONE_PATH.replace("TYPE", "i32"))
    assert re.search(rf"(%\S+) = load i32, ptr @{SYMBOL}, .*phi i32 .*\1", text, re.DOTALL)
    assert "undef" not in text


def test_so_has_a_member_of_a_struct_and_an_element() -> None:
    for type_ in ("%struct.pair", "[3 x i32]"):
        assert first_values(HEAD + SET_ON_ONE_PATH.replace("TYPE", type_)) == ["i32"]


def test_a_variable_that_is_set_first_has_none() -> None:
    body = "  %r = alloca i32, align 4\n  store i32 %n, ptr %r, align 4\n  %v = load i32, ptr %r, align 4\n  ret i32 %v"
    assert first_values(function(body)) == []


def test_the_first_value_is_dropped_where_every_path_sets_the_variable() -> None:
    text = HEAD + SET_ON_ONE_PATH.replace("TYPE", "i32").replace("label %end\n\nyes", "label %no\n\nyes")
    text = text.replace("end:", "no:\n  store i32 2, ptr %r, align 4\n  br label %end\n\nend:")
    assert SYMBOL in show_unwritten(text)
    assert first_values(text) == []


def test_a_variable_that_stays_in_memory_has_no_copy() -> None:
    for type_ in ("i32", "%struct.pair"):
        body = (
            f"  %r = alloca {type_}, align 8\n  call void @out(ptr %r)\n  %v = load i32, ptr %r, align 4\n  ret i32 %v"
        )
        prepared = prepare(function(body))
        assert first_values(function(body)) == []
        assert "call void @llvm.memcpy" not in prepared
        assert "alloca" in prepared


def test_large_variables_and_those_of_varying_size_are_left_to_their_frame() -> None:
    for type_ in (f"[{MOST_BYTES + 1} x i8]", "[4 x i8], i64 %long", "%struct.unknown"):
        body = f"  %long = zext i32 %n to i64\n  %r = alloca {type_}, align 8\n  ret i32 0"
        assert SYMBOL not in show_unwritten(function(body))


def test_the_result_of_a_function_that_returns_none_is_not_asked_for() -> None:
    falls_off = function("  %result = alloca i32, align 4\n  %v = load i32, ptr %result, align 4\n  ret i32 %v")
    assert first_values(falls_off) == []
    declared = falls_off.replace("  %v =", "    #dbg_declare(ptr %result, !1, !DIExpression(), !2)\n  %v =")
    assert SYMBOL in show_unwritten(declared)


def test_what_was_made_of_a_first_value_for_nobody_goes_with_it() -> None:
    used = f"  %a = load i64, ptr @{SYMBOL}, align 1\n  %b = lshr i64 %a, 32\n  %c = trunc i64 %b to i32\n"
    kept = drop_unused(f"define i32 @f() {{\n{used}  ret i32 %c\n}}")
    gone = drop_unused(f"define i32 @f() {{\n{used}    #dbg_value(i32 %c, !1, !DIExpression(), !2)\n  ret i32 0\n}}")
    assert used in kept
    assert gone == "define i32 @f() {\n  ret i32 0\n}"


def test_a_load_through_a_pointer_that_was_never_set_is_never_dropped() -> None:
    loads = f"  %a = load ptr, ptr @{SYMBOL}, align 1\n  %b = load i32, ptr %a, align 4\n"
    text = f"define i32 @f() {{\n{loads}  ret i32 0\n}}"
    assert drop_unused(text) == text
