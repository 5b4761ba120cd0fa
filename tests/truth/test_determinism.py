"""An exhausted search finds the same on a slow machine, by any number of workers, and with whatever caches there are.

VEER_LONG=1 takes more generated programs.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import pytest
from jobs_side import Searched, search
from sampling import IS_LONG
from scale.generator import generate

from veer.campaign import run as campaign
from veer.campaign.session import searched as searched_by_options
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared

SEEDS = range(7000, 7040 if IS_LONG else 7001)
HOURS = 1e6


def runs_of(source: Path, jobs: int) -> tuple[Any, ...]:
    """Every run of a search that takes workers when it costs a little, with its input; what it claims."""
    toolchain = compiler.find(None)
    build = BuildOptions((source,), "f", max_length=4)
    options = SearchOptions(budget=HOURS, jobs=jobs, growing=(), max_runs=3000)
    program = front_end.build(build, toolchain)
    with Shared() as shared:
        configure(shared, program, build, options)
        found = searched_by_options(replace(local_scene(shared, program, options), alone_cost=1500.0))
        inputs = [shared.input_of(path) for path in range(shared.count("paths"))]
        return found.kind, found.paths, shared.counts.runs, shared.published("edge_seen").tobytes(), inputs


@pytest.mark.parametrize(("seed", "jobs"), list(itertools.product(SEEDS, (1, 2))))
def test_a_machine_that_is_slow_makes_the_same_runs(
    seed: int, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "p.c"
    source.write_text(generate(seed).text)
    calm = runs_of(source, jobs)
    began, clock = time.monotonic(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: began + 40 * (clock() - began))
    assert runs_of(source, jobs) == calm


def test_workers_at_any_time_find_the_same(tmp_path: Path) -> None:
    found = [search(tmp_path, SearchOptions(jobs=jobs, budget=HOURS)) for jobs in (1, 2, 3)]
    assert [_told(each) for each in found[1:]] == [_told(found[0])] * 2


def _told(found: Searched) -> tuple[Any, ...]:
    return found.ending, found.count, found.edges, found.bugs, found.runs, found.states


CALLS = """
static int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }
static int grade(int x) { if (x > 90) return 'a'; if (x > 50) return 'b'; return 'c'; }
int f(int a, int b) { int n = sign(a) + grade(b); if (n == 'a' + 1) return 1 / (a - 7); return n; }
"""


@pytest.mark.parametrize("kind", ["compositional", "plain", "partitioned"])
def test_what_a_cache_holds_changes_no_test(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "calls.c"
    source.write_text(CALLS)
    build, options = BuildOptions((source,), "f"), SearchOptions(budget=60.0, search=kind)
    first, second = (campaign.run(build, options) for _ in range(2))
    assert _all_of(first) == _all_of(second)


def _all_of(result: Result) -> tuple[Any, ...]:
    """What a result says of the program, times aside."""
    bugs = [replace(bug, seconds=0.0) for bug in result.bugs]
    return result.ending, result.runs, result.paths, result.tests, bugs, result.branches, result.ledger
