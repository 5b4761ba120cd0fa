"""`veer compare` against the truth: pairs that are known, and random ones of which all inputs are run."""

from __future__ import annotations

from pathlib import Path

import pytest
from compare_pairs import DIFFERENT, EQUIVALENT, Pair
from sampling import first
from versions_program import differing, versions

from veer.campaign.compare import compare
from veer.model.buildoptions import BuildOptions
from veer.model.comparison import Comparison
from veer.model.inputs import Scalar
from veer.model.result import Confirmation
from veer.model.searchoptions import SearchOptions

MAX_STEPS = SearchOptions().max_steps
CHECKED_ALONE = "int f(int n) { return n << 1; }", "int f(int n) { return n * 2; }"


def compared(folder: Path, old: str, new: str, budget: float = 60, max_steps: int = MAX_STEPS) -> Comparison:
    sources = folder / "old.c", folder / "new.c"
    for source, text in zip(sources, (old, new), strict=True):
        source.write_text(f"{text}\n")
    build = BuildOptions((sources[0],), "f", against=(sources[1],))
    return compare(build, SearchOptions(budget=budget, max_steps=max_steps), ("old", "new"))


@pytest.mark.parametrize("pair", EQUIVALENT, ids=lambda pair: pair.name)
def test_equivalent_versions_have_no_difference(tmp_path: Path, pair: Pair) -> None:
    found = compared(tmp_path, *pair.texts())
    assert not found.differences and not found.unconfirmed
    assert found.ending.claim == "paths", found.ending


@pytest.mark.parametrize("pair", DIFFERENT, ids=lambda pair: pair.name)
def test_a_difference_in_a_corner_is_found(tmp_path: Path, pair: Pair) -> None:
    found = compared(tmp_path, *pair.texts())
    assert any(pair.where in each.told.what for each in found.differences), found.differences
    assert {each.confirmed for each in found.differences} == {Confirmation.PLAIN}
    assert not found.unconfirmed


@pytest.mark.parametrize("seed", first(8, 120))
def test_verdicts_are_those_of_all_inputs(tmp_path: Path, seed: int) -> None:
    pair = versions(seed)
    truth = differing(pair, tmp_path)
    found = compared(tmp_path, pair.old, pair.new)
    assert found.ending.claim == "paths" and not found.unconfirmed, (found.ending, found.unconfirmed)
    assert bool(found.differences) is bool(truth)
    for each in found.differences:
        values = {root.name: root.cells[0].value for root in each.test.inputs.roots}
        numbers = tuple(value.bits for name in "ab" if isinstance(value := values[name], Scalar))
        assert numbers in truth, (each.told, numbers)


def test_what_only_the_checks_see_is_told_as_such(tmp_path: Path) -> None:
    found = compared(tmp_path, *CHECKED_ALONE)
    assert [(each.kind, each.confirmed) for each in found.differences] == [("broken", Confirmation.CHECKED)]
    assert "overflowed" in found.differences[0].told.new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # which function a pointer leads to that is returned
        ("int a(void) { return 1; }\nint (*f(int n))(void) { (void)n; return a; }",) * 2,
        # a member of a type that is not compared
        (
            "struct s { long double wide; int n; };\nstruct s f(int n) { struct s r = {1, n}; return r; }",
            "struct s { long double wide; int n; };\nstruct s f(int n) { struct s r = {2, n}; return r; }",
        ),
    ],
)
def test_what_cannot_be_compared_takes_the_claim(tmp_path: Path, old: str, new: str) -> None:
    found = compared(tmp_path, old, new)
    assert found.differences or found.ending.claim != "paths", found.ending


def test_what_is_printed_is_compared_where_it_was_run(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint f(int n) { printf("%s", n > 5 ? "much" : "FEW"); return n; }'
    found = compared(tmp_path, text.replace("FEW", "few"), text.replace("FEW", "less"))
    assert found.ending.claim != "paths" and any("prints" in each for each in found.unconfirmed)
    same = compared(tmp_path, text, text + "\n")
    assert any("printed" in each for each in same.ending.within)


def test_steps_that_run_out_are_no_difference(tmp_path: Path) -> None:
    """Another version of a loop takes other steps, so that one of the two is cut ahead of what both do."""
    body = "int f(int n) { int a[2] = {0}; if (n == 5) { LOOP a[n] = 1; } return a[0]; }"
    old, new = (body.replace("LOOP", loop) for loop in ("", "for (volatile int i = 0; i < 20000; i++) ;"))
    found = compared(tmp_path, old, new, max_steps=1000)
    assert not found.differences and found.ending.claim != "paths"
