"""Why a side is not covered: what veer says, against all inputs, and each reason that a search of its own can show."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Branch
from veer.model.searchoptions import SearchOptions

# Conditions that C and Python read alike, over two signed chars.
CONDITIONS = """
int f(signed char a, signed char b) {
    if (a > 10) {
        if (b < 5) {
            if (a + b == 3)
                return 1;
            if (a < 7)
                return 2;
            if (a == b)
                return 3;
            if (a - b <= 5)
                return 4;
        }
        if (a * 2 < b - 106)
            return 5;
    } else if (a + 3 * b == 1000) {
        return 6;
    } else if (b > 100) {
        if (a == 2 * b)
            return 7;
        if (a > b - 91)
            return 8;
    }
    if (a > 200)
        return 9;
    return 0;
}
"""
ARRAY = "int f(const int *v, int n) { if (n > 4) { if (n == 9) return 2; return v[4]; } return 0; }"
CONTRADICTORY = """
int f(signed char n) {
    if (n > 2)
        if (n < 1)
            return -1;
    return 0;
}
"""
CONCRETE = """
int f(int a) {
    int steps = 3;
    if (steps > 5) {
        if (a == 2)
            return 1;
    }
    return 0;
}
"""
NESTED = """
int f(int a, int b) {
    if (a == 5)
        if (b == 7)
            return 1;
    return 0;
}
"""
DECISION = re.compile(r"`([^`]+)` is (true|false) \(line \d+\)")


def branches(text: str, folder: Path, search: SearchOptions) -> tuple[Branch, ...]:
    source = folder / "reasons.c"
    source.write_text(text)
    return campaign.run(BuildOptions(sources=(source,), entry="f"), search).branches


def is_satisfiable(decisions: list[tuple[str, str]]) -> bool:
    """Whether some pair of signed chars makes all of these conditions what they are said to be."""
    test = " and ".join(f"({text}) == {side == 'true'}" for text, side in decisions)
    holds = eval(f"lambda a, b: {test}")  # our own text above
    return any(holds(a, b) for a, b in itertools.product(range(-128, 128), repeat=2))


def test_an_infeasible_side_names_conditions_that_contradict_it_and_none_too_many(tmp_path: Path) -> None:
    found = branches(CONDITIONS, tmp_path, SearchOptions(budget=20.0))
    infeasible = [branch for branch in found if branch.state != "covered"]
    assert {(branch.text, branch.side) for branch in infeasible} == {
        ("a < 7", "true"),
        ("a == b", "true"),
        ("a - b <= 5", "true"),
        ("a > b - 91", "true"),
        ("a * 2 < b - 106", "true"),
        ("a + 3 * b == 1000", "true"),
        ("a == 2 * b", "true"),
        ("a > 200", "true"),
    }
    for branch in infeasible:
        assert branch.state == "infeasible"
        named = DECISION.findall(branch.reason)
        own = (branch.text, branch.side)
        if branch.text in ("a + 3 * b == 1000", "a > 200"):
            assert not named
            assert "types" in branch.reason or "settles" in branch.reason
            assert not is_satisfiable([own])
            continue
        assert named, branch.reason
        assert not is_satisfiable([*named, own])
        for spared in named:
            assert is_satisfiable([*(each for each in named if each != spared), own])


_CONTRACT = "max-array 4, v is not NULL (the code never tests it), v has n elements (the names)"
_WITHIN = f"no input within the bounds ({_CONTRACT})"


@pytest.mark.parametrize(
    ("text", "search", "condition", "state", "reason"),
    [
        (NESTED, SearchOptions(max_runs=1), "a == 5", "unreached", "out of budget: the last run was spent"),
        (NESTED, SearchOptions(max_runs=1), "b == 7", "unreached", "no run reached it"),
        (NESTED, SearchOptions(max_branches=1), "b == 7", "pruned", "beyond a bound"),
        (CONCRETE, SearchOptions(), "steps > 5", "infeasible", "settles its condition"),
        (CONTRADICTORY, SearchOptions(), "n < 1", "infeasible", "it contradicts `n > 2` is true (line 3)"),
        (CONCRETE, SearchOptions(), "a == 2", "infeasible", "no input reaches it"),
        (
            ARRAY,
            SearchOptions(),
            "n > 4",
            "infeasible",
            f"{_WITHIN} takes it",
        ),
        (
            ARRAY,
            SearchOptions(),
            "n == 9",
            "infeasible",
            f"{_WITHIN} reaches it",
        ),
    ],
)
def test_reasons(text: str, search: SearchOptions, condition: str, state: str, reason: str, tmp_path: Path) -> None:
    found = {(b.text, b.side): b for b in branches(text, tmp_path, search)}
    branch = found[condition, "true"]
    assert branch.state == state
    assert reason in branch.reason
