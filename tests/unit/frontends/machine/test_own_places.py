"""Debug locations of cleaned code: a block tells of its own instructions alone."""

from __future__ import annotations

from veer.frontends.machine.ownplaces import Lines, with_own_places

TEXT = """\
define void @"f"() !dbg !5 {
enter:
  br label %a100, !dbg !8
a100:
  %v1 = add i32 1, 2, !dbg !10
  %v2 = add i32 %v1, 2, !dbg !12
  br label %a108, !dbg !11
a108:
  %v3 = add i32 %v1, 3, !dbg !10
  br label %a108.behind
a108.behind:
  ret void, !dbg !12
}
!8 = !DILocation(line: 4, column: 5, scope: !5)
!10 = !DILocation(line: 5, column: 5, scope: !5)
!11 = !DILocation(line: 6, column: 5, scope: !5)
!12 = !DILocation(line: 7, column: 5, scope: !5)
"""
LINES = {"f": Lines({0x100: 5, 0x108: 7}, [5, 6, 7])}


def test_an_instruction_of_another_block_gets_a_line_of_its_own() -> None:
    rows = with_own_places(TEXT, LINES).split("\n")
    assert rows[4] == "  %v1 = add i32 1, 2, !dbg !10"
    assert rows[5] == "  %v2 = add i32 %v1, 2, !dbg !10", "the line before it"
    assert rows[6] == "  br label %a108, !dbg !11"
    assert rows[8] == "  %v3 = add i32 %v1, 3, !dbg !12", "the first line of its block"
    assert rows[11] == "  ret void, !dbg !12"


def test_other_functions_stay_as_they_are() -> None:
    assert with_own_places(TEXT, {}) == TEXT


def test_what_moved_before_the_first_instruction_has_the_line_of_the_functions_name() -> None:
    moved = TEXT.replace("enter:\n", "enter:\n  %v0 = freeze i32 %in, !dbg !12\n")
    rows = with_own_places(moved, LINES).split("\n")
    assert rows[2] == "  %v0 = freeze i32 %in, !dbg !8", "no line of a block that may never run"
    assert rows[3:] == with_own_places(TEXT, LINES).split("\n")[2:]
