"""Where branches join, and loops: graphs drawn by hand."""

from __future__ import annotations

from veer.instrument.controlflow import control_flow, dominators


def test_the_sides_of_a_diamond_meet_behind_it() -> None:
    found = control_flow([[1, 2], [3], [3], []], ["br", "br", "br", "ret"])
    assert found.join == {0: 3}
    assert found.region(0) == {1, 2, 3}


def test_an_early_return_joins_at_the_end_of_the_function() -> None:
    found = control_flow([[1, 2], [], []], ["br", "ret", "ret"])
    assert found.join == {0: -1}


def test_a_side_that_only_ends_the_run_is_no_control_edge() -> None:
    """if (!x) abort(); ...: what follows does not depend on x."""
    found = control_flow([[1, 2], [], [3], []], ["br", "unreachable", "br", "ret"])
    assert found.join == {0: 2}


def test_branches_within_a_side_that_ends_the_run_meet_nowhere() -> None:
    found = control_flow([[1, 4], [2, 3], [], [], []], ["br", "br", "unreachable", "unreachable", "ret"])
    assert found.join == {0: 4, 1: -1}


def test_a_loop_joins_behind_itself() -> None:
    """while (x) { if (y) a; }: 1 header, 2 body, 3 a, 4 latch, 5 behind."""
    found = control_flow([[1], [2, 5], [3, 4], [4], [1], []], ["br"] * 5 + ["ret"])
    assert found.join == {1: 5, 2: 4}
    assert found.loop == (-1, 1, 1, 1, 1, -1)
    assert found.headers == {1: frozenset({4})}
    assert found.common_loop(2, 4) == 1
    assert found.common_loop(1, 5) == -1


def test_loops_lie_within_each_other() -> None:
    """1 outer header, 2 inner header, 3 inner body, 4 outer latch, 5 behind."""
    found = control_flow([[1], [2, 5], [3, 4], [2], [1], []], ["br"] * 5 + ["ret"])
    assert found.loop == (-1, 1, 2, 2, 1, -1)
    assert found.outer == {2: 1, 1: -1}


def test_a_loop_without_an_end_is_taken_to_end() -> None:
    """for (;;) { if (x) a; }, in a function that returns elsewhere."""
    found = control_flow([[1, 5], [2, 3], [4], [4], [1], []], ["br"] * 5 + ["ret"])
    assert found.join[1] == 4
    assert found.join[0] == -1


def test_a_function_that_never_returns_has_joins() -> None:
    found = control_flow([[1], [2, 3], [4], [4], [1]], ["br"] * 5)
    assert found.join == {1: 4}


def test_dominators_of_a_loop_with_two_entries() -> None:
    assert dominators([[1, 2], [2], [1, 3], []]) == [0, 0, 0, 2]
    assert control_flow([[1, 2], [2], [1, 3], []], ["br", "br", "br", "ret"]).headers == {}
