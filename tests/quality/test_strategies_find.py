"""Discovery thresholds of the strategies: "covers this within N runs for at least M of 100 seeds", and look-ahead's."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from sampling import first

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.coverage import Items
from veer.search.explorer import Explorer
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared

SUBJECTS = Path(__file__).parent.parent.parent / "bench" / "subjects"
OSMOSE = ("check_pressure", "square3", "hysteresis", "merge", "triangle")


@dataclass(frozen=True)
class Found:
    """A search: its runs, the branches that it covered, the identities of its paths, its claim."""

    runs: int
    covered: frozenset[int]
    paths: frozenset[int]
    claim: str


@cache
def built(source: Path, entry: str) -> tuple[Program, BuildOptions]:
    build = BuildOptions(sources=(source,), entry=entry)
    return front_end.build(build, compiler.find(None)), build


def search(source: Path, entry: str, options: SearchOptions, seeds: range = range(1)) -> list[Found]:
    """A search for each seed, without replay."""
    program, build = built(source, entry)
    found = []
    for seed in seeds:
        own = replace(options, seed=seed)
        with Shared() as shared:
            scene = local_scene(shared, program, own)
            configure(shared, program, build, own)
            with contextlib.closing(scene.executor()) as executor:
                ended = Explorer.of(scene, executor).explore()
            covered = Items(program.sites).covered(shared.published("edge_seen"))
            paths = frozenset(shared.published("paths")["hash"].tolist())
            found.append(Found(shared.counts.runs, covered, paths, ended.claim))
    return found


@pytest.mark.parametrize(
    ("strategy", "max_runs", "branches", "at_least"),
    [
        ("coverage", 300, 82, 90),
        ("rarest", 300, 74, 90),
        ("generational", 300, 78, 90),
        ("priority", 300, 65, 90),
        ("random", 300, 52, 90),
        ("random-path", 300, 34, 90),
        ("bfs", 300, 36, 100),
        ("dfs", 300, 25, 100),
    ],
)
def test_branches_of_a_json_parser(strategy: str, max_runs: int, branches: int, at_least: int) -> None:
    """82 branches can be covered: the default must reach them all; of the others the bars are what they were measured
    to reach, so that a strategy that gets worse is seen."""
    options = SearchOptions(strategy=strategy, max_runs=max_runs)
    seeds = first(20, 100) if at_least < 100 else range(2)  # the last do not know seeds
    found = search(SUBJECTS / "json.c", "main", options, seeds)
    reached = sum(len(one.covered) >= branches for one in found)
    assert reached >= at_least * len(seeds) / 100, sorted(len(one.covered) for one in found)[:12]


@pytest.mark.parametrize("strategy", ["coverage", "rarest", "dfs", "bfs", "generational", "priority", "random-path"])
def test_exhaustive_searches_run_the_same_paths(strategy: str) -> None:
    options = SearchOptions(strategy=strategy, keep_going=True)
    one = search(SUBJECTS / "osmose" / "hysteresis.c", "hysteresis", options)[0]
    other = search(SUBJECTS / "osmose" / "hysteresis.c", "hysteresis", replace(options, strategy="random"))[0]
    assert one.claim == other.claim == "paths"
    assert one.paths == other.paths


@pytest.mark.parametrize(
    ("name", "branches", "functions", "depth"),
    [
        ("check_pressure", 10, 3, 1),
        ("square3", 46, 1, 0),
        ("square4", 46, 1, 0),
        ("hysteresis", 16, 2, 1),
        ("merge", 24, 3, 1),
        ("triangle", 38, 5, 3),
    ],
)
def test_osmoses_programs_have_the_sizes_of_the_slides(name: str, branches: int, functions: int, depth: int) -> None:
    entry = name.rstrip("34")
    program, _ = built(SUBJECTS / "osmose" / f"{name}.c", entry)
    calls = {function.name: function.calls for function in program.functions}

    def deepest(function: str) -> int:
        return max((1 + deepest(callee) for callee in calls[function] if callee in calls), default=0)

    assert (Items(program.sites).total, len(calls), deepest(entry)) == (branches, functions, depth)


@pytest.mark.parametrize("name", OSMOSE)
def test_look_ahead_runs_a_subset_of_the_paths_and_covers_the_same(name: str) -> None:
    source, entry = SUBJECTS / "osmose" / f"{name}.c", name.rstrip("3")
    plain = SearchOptions(strategy="dfs", batch=1, keep_going=True)
    every = search(source, entry, plain)[0]
    ahead = search(source, entry, replace(plain, look_ahead=True))[0]
    assert every.claim == "paths"
    assert ahead.claim in ("criterion", "paths")
    assert ahead.covered == every.covered
    assert ahead.paths <= every.paths
    assert ahead.runs <= every.runs


def test_max_call_depth_makes_no_claim() -> None:
    options = SearchOptions(strategy="dfs", keep_going=True, goal="entry", max_call_depth=0)
    found = search(SUBJECTS / "osmose" / "triangle.c", "triangle", options)[0]
    assert found.claim == "none"
