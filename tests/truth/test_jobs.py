"""Several workers find what one finds: the same paths, coverage, bugs and claim, also when workers are killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from sampling import first, sampled

from veer.campaign.session import Earlier, Report, Session, silent
from veer.frontends.c import build as front_end
from veer.model.options import STRATEGIES, BuildOptions, SearchOptions
from veer.model.progress import Progress
from veer.model.result import Ending
from veer.search.census import Census
from veer.search.ending import ending
from veer.search.parallel.merge import new_paths
from veer.search.settings import configure
from veer.toolchain import compiler
from veer.wire.forgotten import Forgotten
from veer.wire.layout import State
from veer.wire.shared import Shared

SOURCE = """
struct node { int value; struct node *next; };
int walk(const char *s, struct node *list, int a, int b)
{
    int n = 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] == 'a')
            n++;
        else if (s[i] == 'b')
            n += 2;
    }
    if (list && list->next && list->next->value == n)
        n += 3;
    if (n == 7)
        return 1 / (n - 7);
    return a - b == 1001 && a > n ? n : -n;
}
"""


@dataclass(frozen=True)
class Searched:
    """What a search found, and how."""

    ending: Ending
    paths: frozenset[int]
    count: int
    edges: bytes
    bugs: frozenset[tuple[int, int]]
    runs: int
    left: int
    states: bytes
    forgotten: int


def search(tmp_path: Path, options: SearchOptions, on_progress: Report = silent) -> Searched:
    """One search; several workers take over as soon as there are four open branches for each."""
    source = tmp_path / "walk.c"
    source.write_text(SOURCE)
    asked = BuildOptions((source,), "walk", max_length=4, graph_depth=2)
    toolchain = compiler.find(None)
    program = front_end.build(asked, toolchain)
    with Shared() as shared:
        configure(shared, program, asked, options)
        one = Session(shared, program, options, progress=on_progress, alone_seconds=0.0).run(Earlier())
        reports = shared.published("reports")
        census = one.census or Census.of(shared, 2 * len(program.sites))
        return Searched(
            ending(one.kind, shared, program, options, one.census),
            frozenset(new_paths(shared).tolist()),
            one.paths,
            shared.published("edge_seen").tobytes(),
            frozenset(zip(reports["outcome"].tolist(), reports["site"].tolist(), strict=True)),
            shared.counts.runs,
            census.open_branches,
            census.table[:, : State.ELSEWHERE].tobytes(),
            shared.control(Forgotten).forgotten_paths,
        )


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    return search(tmp_path_factory.mktemp("alone"), SearchOptions(criterion="path", budget=60.0))


@pytest.mark.parametrize(
    ("strategy", "jobs"),
    sampled(product(STRATEGIES, [1, 2, 3]), lambda case: case[1] == 2 or case[0] == "coverage"),
)
def test_the_same_paths_whatever_the_strategy_and_however_many_workers(
    alone: Searched, strategy: str, jobs: int, tmp_path: Path
) -> None:
    assert alone.ending.claim == "paths" and len(alone.paths) > 300
    found = search(tmp_path, SearchOptions(strategy=strategy, jobs=jobs, criterion="path", budget=60.0))
    assert (found.ending, found.paths, found.count) == (alone.ending, alone.paths, alone.count)
    assert (found.edges, found.bugs, found.left) == (alone.edges, alone.bugs, 0)
    assert found.runs == alone.runs, "no target is handed out twice"


@pytest.mark.parametrize("seed", first(2, 4))
def test_killed_workers_are_replaced_and_nothing_is_lost_or_counted_twice(
    alone: Searched, seed: int, tmp_path: Path
) -> None:
    chance, killed = random.Random(seed), []

    def kill(_: Progress) -> None:
        workers = multiprocessing.active_children()
        if workers and len(killed) < 4:
            victim = chance.choice(workers).pid
            assert victim is not None
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    found = search(tmp_path, SearchOptions(jobs=2, criterion="path", seed=seed, budget=60.0), kill)
    assert killed
    assert (found.ending, found.paths, found.count) == (alone.ending, alone.paths, alone.count)
    assert (found.edges, found.bugs) == (alone.edges, alone.bugs)


def test_an_executor_that_dies_before_the_first_run_loses_nothing(alone: Searched, tmp_path: Path) -> None:
    source, options = tmp_path / "walk.c", SearchOptions(criterion="path", budget=60.0)
    source.write_text(SOURCE)
    asked = BuildOptions((source,), "walk", max_length=4, graph_depth=2)
    program = front_end.build(asked, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, asked, options)
        session = Session(shared, program, options)
        with contextlib.closing(session.executor()) as executor:
            os.kill(shared.command.executor, signal.SIGKILL)
            ended = session.explorer(executor).explore()
        assert ended == alone.ending
        assert frozenset(new_paths(shared).tolist()) == alone.paths


def test_max_runs_holds_for_all_workers_together(alone: Searched, tmp_path: Path) -> None:
    limit = alone.runs // 2
    found = search(tmp_path, SearchOptions(jobs=3, max_runs=limit, criterion="path", budget=60.0))
    assert found.ending.kind == "max_runs" and found.ending.claim == "none"
    assert found.runs <= limit and found.left > 0


def test_a_plateau_is_so_many_runs_without_anything_new(alone: Searched, tmp_path: Path) -> None:
    found = search(tmp_path, SearchOptions(plateau=100, strategy="dfs", budget=60.0))
    assert (found.ending.kind, found.ending.claim) == ("plateau", "none")
    assert 100 <= found.runs < alone.runs and found.left > 0


def test_coverage_of_all_ends_all(alone: Searched, tmp_path: Path) -> None:
    found = search(tmp_path, SearchOptions(jobs=3, keep_going=False, strategy="dfs", budget=60.0))
    assert found.ending.kind == "covered"
    assert found.runs <= alone.runs
