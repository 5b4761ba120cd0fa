"""veer against brute force: the same paths, outcomes and return values, and a claim that is exactly right."""

from __future__ import annotations

from pathlib import Path

import brute_force
import brute_header
import pytest
from brute_force import Row
from brute_header import Expectation
from sampling import sampled
from veer_side import Replayed, as_seen, explore_all, losses, replay_tests

from veer.model.outcome import outcome_of
from veer.model.result import Result

SLOW = (
    "tree_depth",
    "list_length",
    "libc_strtof",
    "struct_large",
    "lose_index",
    "lose_text",
    "wide_division",
    "wide_modulus",
    "libc_wide_bases",
    "libc_wide_strings",
    "symbolic_buckets",
)
"""graph_tree, list_sum, libc_strtod, struct_by_value_large, lose_output and wide_signed are like them, and take less
time; wide_division takes z3 and cvc5 more than a test's budget.
"""
PROGRAMS = sampled(sorted((Path(__file__).parent.parent / "programs").glob("*.c")), lambda path: path.stem not in SLOW)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_veer_finds_what_brute_force_finds(program: Path) -> None:
    expectation, result = compare(program)
    if expectation.claim == "paths":
        assert not losses(result)
        assert result.ending.claim == "paths", result.ending
    if expectation.claim == "none":
        assert losses(result) or result.diverged
        assert result.ending.claim == "none"
        assert result.ending.lost_by


def compare(program: Path) -> tuple[Expectation, Result]:
    """veer's result for a program with a header, when brute force agrees with each test and with what is claimed."""
    expectation = brute_header.read(program)
    executable = brute_force.build(expectation)
    rows = brute_force.feasible(executable)
    result = explore_all(expectation)
    replayed = replay_tests(executable, result.tests)
    check_each_test(expectation, replayed, rows)
    check_claim(result)
    if result.ending.claim == "paths":
        check_completeness(result, replayed, rows)
    return expectation, result


def check_each_test(expectation: Expectation, replayed: list[Replayed], rows: list[Row]) -> None:
    """Every test behaves in the independent executable as veer says, and belongs to a path that exists."""
    known = {(row.path, row.outcome) for row in rows}
    exact = {(row.path, row.outcome, row.result) for row in rows}
    for case in replayed:
        test, row = case.test, case.row
        about = f"{test.name}: {test.inputs}"
        assert case.missing == 0, f"the program reads inputs that the test does not have: {about}"
        assert row.outcome == as_seen(test.outcome), about
        if test.outcome.key == "returned" and not expectation.is_harness:
            assert row.result == test.returned, about
        if test.outcome.key == "exited":
            assert row.result == (test.exit_code or 0).to_bytes(4, "little"), about
        assert (row.path, row.outcome) in known, about
        if expectation.has_full_domains:
            assert (row.path, row.outcome, row.result) in exact, about


def check_claim(result: Result) -> None:
    """`paths` exactly when the search was spent and nothing was lost."""
    is_exact = result.ending.kind == "exhausted" and not losses(result) and not result.diverged
    assert (result.ending.claim == "paths") == is_exact, (result.ending, result.ledger)


def check_completeness(result: Result, replayed: list[Replayed], rows: list[Row]) -> None:
    """What `paths` means: all paths, all outcomes, none counted twice."""
    paths = {row.path for row in rows}
    found = {case.row.path for case in replayed}
    missed = [row for row in rows if row.path not in found]
    assert not missed, f"paths that veer has not found: {missed[:5]}"
    assert result.paths == len(paths)
    outcomes = {row.outcome for row in rows}
    assert {as_seen(case.test.outcome) for case in replayed} == outcomes
    assert {as_seen(bug.outcome) for bug in result.bugs} == {key for key in outcomes if outcome_of(key).is_bug}
