"""The brute force itself: it finds what the headers say, and its replay follows the same paths."""

from __future__ import annotations

from pathlib import Path

import brute_force
import brute_header
import brute_rewrite
import pytest

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("*.c"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_brute_force_finds_what_the_header_says(program: Path) -> None:
    expectation = brute_header.read(program)
    rows = brute_force.feasible(brute_force.build(expectation))
    assert {row.outcome for row in rows} == expectation.outcomes
    if expectation.paths is not None:
        assert len({row.path for row in rows}) == expectation.paths


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_replayed_witness_takes_its_own_path(program: Path) -> None:
    executable = brute_force.build(brute_header.read(program))
    rows = brute_force.run_all(executable)
    cases = [[token.replace(",", " ") for token in row.witness.split()] for row in rows]
    for row, (again, missing) in zip(rows, brute_force.replay(executable, cases), strict=True):
        assert (again.path, again.outcome, again.result, missing) == (row.path, row.outcome, row.result, 0)


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 40


def test_types_are_split_from_what_follows() -> None:
    assert brute_rewrite.split_type("i32 3, align 4") == ("i32", "3, align 4")
    assert brute_rewrite.split_type("{ i32, [3 x i8] } zeroinitializer") == ("{ i32, [3 x i8] }", "zeroinitializer")
    assert brute_rewrite.split_type("%struct.s, ptr %p") == ("%struct.s", ", ptr %p")


def test_a_constant_condition_is_no_branch() -> None:
    text = "define void @f() {\n  br i1 true, label %a, label %a\na:\n  ret void\n}"
    assert "call void @bf_branch" not in brute_rewrite.rewrite(text)


def test_domains_are_parsed() -> None:
    values = brute_header._values("-1..3, 'x' 0x10", "int")
    assert values.ranges == ((-1, 3), (120, 120), (16, 16))
    with pytest.raises(ValueError, match="empty"):
        brute_header._values(" ", "int")
