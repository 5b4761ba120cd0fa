"""Changed inputs between the concolic runs change no claim: brute force agrees, as with the search without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from test_paths import PROGRAMS, compare, losses
from veer_side import explore

from veer.execution.executor import PersistentExecutor
from veer.execution.protocol import Work
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.search import hybrid
from veer.search.hybrid import Hybrid
from veer.wire.layout import State

FEW = (
    *(
        "bounds_heap",
        "buffer_length",
        "division",
        "graph_callback",
        "graph_list",
        "libc_strtol",
        "list_sum",
        "lose_hash",
    ),
    *("pointers_equal", "qsort_own", "recursion"),
)
CHOSEN = sampled(PROGRAMS, lambda path: path.stem in FEW)

DEEP = """
int items[20], top;
int nested(const char *text) {
    top = 0;
    for (; *text; text++) {
        if (*text == '(') items[top++] = 1;
        else if (*text == ')' && top) top--;
        else return -1;
    }
    return top;
}
"""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of mutated runs from the first round on, each a few hundred runs."""
    monkeypatch.setattr(hybrid, "_BEGINS", 0.0)
    monkeypatch.setattr(hybrid, "_MOST_RUNS", 400)
    monkeypatch.setattr(Hybrid, "_cost_of_a_run", lambda self: 1e-4)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("program", CHOSEN, ids=lambda path: path.stem)
def test_with_changed_inputs_veer_finds_what_brute_force_finds(program: Path) -> None:
    expectation, result = compare(program)
    assert result.mutated_runs or result.runs < 3
    if expectation.claim == "paths":
        assert not losses(result)
        assert result.ending.claim == "paths", result.ending
    if expectation.claim == "none":
        assert result.ending.claim == "none"


@pytest.mark.usefixtures("eager")
def test_a_turn_that_closes_branches_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(self: PersistentExecutor, runs: int, *, deadline: float | None = None) -> Work:
        states = self._shared.tree("state")
        states[states == State.OPEN] = State.INFEASIBLE
        return Work()

    monkeypatch.setattr(PersistentExecutor, "mutate", lie)
    program = next(path for path in PROGRAMS if path.stem == CHOSEN[0].stem)
    with pytest.raises(AssertionError):
        compare(program)


def deep(folder: Path, **options: object) -> Result:
    source = folder / "deep.c"
    source.write_text(DEEP)
    build = BuildOptions(sources=(source,), entry="nested", max_length=40)
    return explore(build, SearchOptions(max_runs=3000, growing=(), budget=600.0, **options))  # type: ignore[arg-type]


@pytest.mark.usefixtures("eager")
def test_what_lies_deep_is_met_by_counts(tmp_path: Path) -> None:
    found, without = deep(tmp_path), deep(tmp_path, hybrid=False)
    assert [bug.outcome.key for bug in found.bugs if bug.line == 6]
    assert not [bug for bug in without.bugs if bug.line == 6]
    assert found.runs <= 3000
    assert without.mutated_runs == 0


NAMED = """
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc < 2 || argv[1][0] != 'x') return 1;
    FILE *input = fopen(argv[1], "r");
    if (!input) return 2;
    int a = fgetc(input), b = fgetc(input);
    fclose(input);
    return a == 'h' ? (b == 'i' ? 3 : 4) : 5;
}
"""


@pytest.mark.usefixtures("eager")
def test_inputs_are_called_after_no_name_that_is_an_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate, grown = PersistentExecutor.mutate, []

    def watched(self: PersistentExecutor, runs: int, *, deadline: float | None = None) -> Work:
        before = self._shared.counts.name_bytes
        work = mutate(self, runs, deadline=deadline)
        grown.append(self._shared.counts.name_bytes - before)
        return work

    monkeypatch.setattr(PersistentExecutor, "mutate", watched)
    source = tmp_path / "named.c"
    source.write_text(NAMED)
    build = BuildOptions(sources=(source,), entry="main")
    result = explore(build, SearchOptions(max_runs=600, growing=()))
    assert result.mutated_runs > 100
    assert max(grown) < 200, grown  # each name in turn would be an input of its own
    assert {test.returned for test in result.tests} >= {bytes((k, 0, 0, 0)) for k in (1, 2, 3, 4, 5)}


LONG = """
int checked(const char *text) {
    unsigned hash = 7;
    for (int k = 0; k < 3000; k++) hash = (hash ^ (unsigned char)text[0]) * 16777619;
    if ((hash >> 9) % 64 == 5) return 1;
    return 0;
}
"""


@pytest.mark.usefixtures("eager")
def test_what_takes_too_long_concolically_is_a_test_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A concolic run of a changed input is given up, a concrete one is its path: none is lost or counts twice."""
    monkeypatch.setattr(hybrid, "_WORK_OF_A_FIND", 500)
    source = tmp_path / "long.c"
    source.write_text(LONG)
    build = BuildOptions(sources=(source,), entry="checked", max_length=2)
    result = explore(build, SearchOptions(max_runs=30, growing=(), restarts=0, budget=60.0))
    assert {branch.state for branch in result.branches} == {"covered"}
    tests = [test for test in result.tests if test.outcome.key == "returned"]
    assert {int.from_bytes(test.returned or b"", "little") for test in tests} == {0, 1}
    assert {test.replayed for test in tests} == {"same"}
    assert result.paths == 3 and result.ending.claim == "paths"  # the ladder inverts the hash of one byte, later


@pytest.mark.usefixtures("eager")
def test_the_same_seed_gives_the_same_search(tmp_path: Path) -> None:
    one, two = deep(tmp_path), deep(tmp_path)
    assert (one.runs, one.paths, one.mutated_runs) == (two.runs, two.paths, two.mutated_runs)
    assert one.tests == two.tests


def test_a_named_strategy_has_none(tmp_path: Path) -> None:
    assert deep(tmp_path, strategy="rarest").mutated_runs == 0
