"""Several workers find what one finds: the same paths, coverage, bugs and claim, also when workers are killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
from itertools import product
from pathlib import Path

import pytest
from jobs_side import Searched, built, search
from sampling import first, sampled

from veer import plugins
from veer.model.ending import EndingKind
from veer.model.progress import Progress
from veer.model.searchoptions import SearchOptions
from veer.search.explorer import Explorer, Pause
from veer.search.memory import BoundedSearch
from veer.search.parallel import coordinator, worker
from veer.search.parallel.findings import new_paths
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.wire.shared import Shared

STRATEGIES = plugins.own_names("veer.strategies")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    return search(tmp_path_factory.mktemp("alone"), SearchOptions(criterion="path", budget=60.0))


KEPT = (("coverage", 1), ("coverage", 3), ("random-path", 2), ("dfs", 2))


@pytest.mark.parametrize(("strategy", "jobs"), sampled(product(STRATEGIES, [1, 2, 3]), lambda case: case in KEPT))
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
    options = SearchOptions(criterion="path", budget=60.0)
    program, asked = built(tmp_path)
    with Shared() as shared:
        configure(shared, program, asked, options)
        scene = local_scene(shared, program, options)
        with contextlib.closing(scene.executor()) as executor:
            os.kill(shared.command.executor, signal.SIGKILL)
            ended = Explorer.of(scene, executor).explore()
        assert ended == alone.ending
        assert frozenset(new_paths(shared).tolist()) == alone.paths


def test_max_runs_holds_for_all_workers_together(alone: Searched, tmp_path: Path) -> None:
    limit = alone.runs // 2
    found = search(tmp_path, SearchOptions(jobs=3, max_runs=limit, criterion="path", budget=60.0))
    assert found.ending.kind == "max_runs" and found.ending.claim == "none"
    assert found.runs <= limit and found.left > 0


def test_a_limit_of_runs_gives_the_same_search_again(alone: Searched, tmp_path: Path) -> None:
    options = SearchOptions(jobs=3, max_runs=alone.runs * 2 // 3, criterion="path", budget=60.0)
    once, again = (search(tmp_path, options) for _ in range(2))
    assert once == again and once.ending.kind is EndingKind.MAX_RUNS and once.left
    assert once.runs == options.max_runs


def test_a_plateau_is_so_many_runs_without_anything_new(alone: Searched, tmp_path: Path) -> None:
    found = search(tmp_path, SearchOptions(plateau=100, strategy="dfs", budget=60.0))
    assert (found.ending.kind, found.ending.claim) == ("plateau", "none")
    assert 100 <= found.runs < alone.runs and found.left > 0


def test_coverage_of_all_ends_all(alone: Searched, tmp_path: Path) -> None:
    found = search(tmp_path, SearchOptions(jobs=3, keep_going=False, strategy="dfs", budget=60.0))
    assert found.ending.kind == "covered"
    assert found.runs <= alone.runs


def test_a_worker_whose_solver_does_not_return_is_ended(
    alone: Searched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stuck(BoundedSearch):
        def search(self, pause: Pause) -> EndingKind | None:
            signal.pause()
            return None

    monkeypatch.setattr(worker, "BoundedSearch", Stuck)
    monkeypatch.setattr(coordinator, "_SECONDS_TO_STOP", 0.0)
    found = search(tmp_path, SearchOptions(jobs=2, criterion="path", budget=1.0))
    assert found.ending.kind is EndingKind.BUDGET and found.left and found.paths < alone.paths
