"""The whole loop with the real engine and tracer, on a unit that was instrumented by hand: nothing that a run does to
its process loses a path."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.findings.rerun import Recorded, record_tests
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Ending
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program, Site, SiteKind
from veer.model.searchoptions import SearchOptions
from veer.model.types import Type
from veer.oracles.bugs import suspects
from veer.search.explorer import Explorer
from veer.search.selection import kept_paths
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link
from veer.toolchain.runtime import INCLUDE, runtime_objects
from veer.wire.control import Counts
from veer.wire.shared import Shared

UNIT = Path(__file__).with_name("explorer") / "hostile.c"
LINK = ("-no-pie", "-Wl,--image-base=0x1000000", "-Wl,--no-gc-sections", "-lm")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("hostile")
    chain = toolchain()
    said = compile_object(chain, UNIT, folder / "unit.o", ("-O1", "-std=gnu11", "-I", str(INCLUDE)))
    assert said.code == 0, said.messages
    said = link(chain, [folder / "unit.o", *runtime_objects(chain)], folder / "unit", LINK)
    assert said.code == 0, said.messages
    sites = tuple(
        Site(k, SiteKind.BRANCH, "hostile.c", k + 1, 1, "f", f"b == {11 * k + 11}", items=(2 * k, 2 * k + 1))
        for k in range(6)
    )
    call = Site(6, SiteKind.CALL, "hostile.c", 9, 1, "f", "kill")
    entry = Function("f", "hostile.c", 1, (Parameter("b", 0),), 1, False)
    types = (Type(0, "unsigned", "unsigned char", 1), Type(1, "signed", "int", 4, 4))
    return Program("f", HarnessKind.FUNCTION, (), folder / "unit", (entry,), types, (*sites, call))


def explore(program: Program, options: SearchOptions) -> tuple[Ending, Recorded, dict[str, int]]:
    """The search, then the kept paths from a fresh process; and some counts."""
    build, limits = BuildOptions((), "f"), ExecutorLimits(timeout=options.timeout, slack=0.1)
    with Shared() as shared:
        configure(shared, program, build, options)
        scene = local_scene(shared, program, options)
        executor = PersistentExecutor(program.executable, shared, limits)
        ending = Explorer.of(scene, executor).explore()
        counts = {field.name: shared.value(field) for field in (Counts.runs, Counts.distinct_paths, Counts.diverged)}
        counts["restarts"] = executor.restarts
        executor.close()
        found = suspects(shared, program)
        fresh = PersistentExecutor(program.executable, shared, limits)
        kept = kept_paths(shared, found, all_paths=False)
        made = record_tests(shared, fresh, program, kept, found)
        fresh.close()
    return ending, made, counts


@pytest.mark.parametrize(("strategy", "batch"), [("dfs", 1), ("rarest", 64)])
def test_nothing_is_lost_whatever_a_run_does_to_its_process(program: Program, strategy: str, batch: int) -> None:
    options = SearchOptions(strategy=strategy, batch=batch, timeout=0.2, restarts=0)
    ending, made, counts = explore(program, options)
    assert ending.kind == "exhausted"
    assert ending.claim == "none"  # the clock struck
    assert any("clock" in reason for reason in ending.lost_by)
    assert (counts["runs"], counts["diverged"]) == (7, 0)
    assert counts["restarts"] >= 3
    shown = {_value(test): test.outcome for test in made.tests}
    assert shown == {
        0: Outcome.RETURNED,
        11: Outcome.KILLED,
        22: Outcome.EXITED,
        44: Outcome.SEGFAULT_NULL,
        55: Outcome.HANG,
        66: Outcome.RETURNED,
    }
    assert {test.returned for test in made.tests if test.outcome is Outcome.RETURNED} == {b"\1\0\0\0", b"\2\0\0\0"}
    assert sorted((bug.outcome.key, bug.confirmed) for bug in made.bugs) == [
        ("hang", "checked"),
        ("killed", "checked"),
        ("null-dereference", "checked"),
    ]


def test_two_searches_are_the_same(program: Program) -> None:
    options = SearchOptions(timeout=0.2, restarts=0, max_runs=3)
    first, second = explore(program, options), explore(program, options)
    assert first[2] == second[2]
    assert [_value(test) for test in first[1].tests] == [_value(test) for test in second[1].tests]


def _value(test) -> int:
    (root,) = test.inputs.roots
    value = root.cells[0].value
    assert isinstance(value, Scalar)
    return value.bits
