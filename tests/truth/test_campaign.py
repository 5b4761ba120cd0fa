"""Whole campaigns: the same twice, several in one process, what is counted, and Ctrl-C wherever it comes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import brute_header
import msgspec
import pytest
from veer_side import build_options, explore

from veer.model.buildoptions import BuildOptions
from veer.model.result import Operations, Result
from veer.model.searchoptions import SearchOptions
from veer.store.records import summary

PROGRAMS = Path(__file__).parent.parent / "programs"
MIXED = """
int mixed(int a, int b, const char *text)
{
    int n = 0;
    for (int i = 0; text[i]; i++)
        n = n * 3 + text[i];
    if (n * 7 == a * b + 1 && a > 2 && b > 2)
        return 1;
    if (a * a - b == 77)
        return 100 / (n - 200);
    return n > a + b;
}
"""
REACH = """
#include <stdlib.h>
static int by_table(int x) { if (x > 3) return 1; return 2; }
static int other(int x) { if (x == 7) return 3; return 4; }
static int (*const table[])(int) = { by_table, other };
static int compare(const void *a, const void *b) { if (*(const int *)a < *(const int *)b) return -1; return 1; }
static int helper(int x) { if (x > 10) return 1; return 0; }
int direct(int x) { return helper(x); }
int through_table(unsigned x) { return table[x & 1]((int)x); }
int sorts(int a, int b) { int v[2] = { a, b }; qsort(v, 2, sizeof *v, compare); return v[0]; }
"""
SHARE = """
#include <math.h>
int share(unsigned x)
{
    if (x + 1 == 5)
        return 2 * x;
    return erf(x ^ 3) > 0;
}
"""
ENDLESS = "int endless(const char *s) { int n = 0; while (*s) { if (*s++ == 'a') n++; } return n; }\n"
COMMAND = """
import sys
from veer.campaign import run as campaign
from veer.cli.app import main
original, wanted = campaign.run, sys.argv.pop(1)
def run(build, search, progress, **more):
    def tell(said):
        progress(said)
        if said.phase == wanted and said.runs >= (wanted == "explore"):
            print("NOW", file=sys.stderr, flush=True)
    return original(build, search, tell, **more)
campaign.run = run
sys.exit(main())
"""


def same(result: Result) -> dict[str, Any]:
    """summary.json without times."""
    found: dict[str, Any] = msgspec.to_builtins(summary(result))
    del found["seconds"]
    for bug in found["bugs"]:
        del bug["found"]["seconds"]
    return found


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("name", ["list_sum", "string_search", "mixed"])
def test_the_same_seed_and_options_give_the_same_summary(name: str, tmp_path: Path) -> None:
    if name == "mixed":
        source = tmp_path / "mixed.c"
        source.write_text(MIXED)
        # Whether a product of 64 bits overflows is asked to the solver's limit of time, where answers may differ.
        build = BuildOptions((source,), name, max_length=3, no_checks=("overflow",))
    else:
        build = build_options(brute_header.read(PROGRAMS / f"{name}.c"))
    search = SearchOptions(seed=3, max_runs=600, budget=60.0)
    first, second = (explore(build, search, tmp_path / str(k)) for k in range(2))
    assert first.queries.answered_by.get(os.environ.get("VEER_SOLVER", "bitwuzla"), 0) or name != "mixed"
    assert same(first) == same(second)
    tests = [sorted((tmp_path / str(k) / "tests").glob("*.json")) for k in range(2)]
    assert tests[0] and [path.read_text() for path in tests[0]] == [path.read_text() for path in tests[1]]


@pytest.mark.parametrize(
    ("entry", "functions"),
    [("direct", {"helper"}), ("through_table", {"by_table", "other"}), ("sorts", {"compare", "by_table", "other"})],
)
def test_branches_that_the_entry_cannot_reach_are_not_counted(entry: str, functions: set[str], tmp_path: Path) -> None:
    source = tmp_path / "reach.c"
    source.write_text(REACH)
    result = explore(BuildOptions((source,), entry), SearchOptions(budget=20.0))
    assert {branch.function for branch in result.branches} == functions
    assert result.coverage.branches is not None
    assert result.coverage.branches.total == len(result.branches) == 2 * len(functions)
    left = 4 - len(functions)
    where = "a function" if left == 1 else f"{left} functions"
    assert f"{2 * left} branches lie in {where} that {entry} never calls; not counted" in result.program.notes


def test_operations_on_symbolic_data_are_counted(tmp_path: Path) -> None:
    """Two paths with a sum and a comparison each; a product; an exclusive or as a double, and a call that loses it.

    The harness takes the parameter out of its input with one operation a run."""
    source = tmp_path / "share.c"
    source.write_text(SHARE)
    result = explore(BuildOptions((source,), "share"), SearchOptions(budget=20.0, restarts=0))
    assert (result.runs, result.operations) == (2, Operations(symbolic=9, pinned=0, concretised=1))
    assert result.operations.fixed_share == 1 / 10


@pytest.mark.parametrize("phase", ["explore", "replay"])
def test_ctrl_c_ends_a_step_and_everything_is_written(phase: str, tmp_path: Path) -> None:
    source, out = tmp_path / "endless.c", tmp_path / "out"
    source.write_text(ENDLESS)
    call = ["test", str(source), "--entry", "endless", "--max-length", "40", "--out", str(out)]
    limits = ["--budget", "120s"] if phase == "explore" else ["--max-runs", "50"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, phase, *call, *limits],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        said = next((line for line in process.stderr if line == "NOW\n"), "")
        assert said, "the campaign ended before it was interrupted"
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, printed
    written = json.loads((out / "summary.json").read_text())
    assert written["ending"]["kind"] == "stopped"
    assert written["runs"] > 0
    assert (out / "suite" / "test_endless.c").exists()
    if phase == "explore":
        assert written["tests"] and written["coverage"]["branches"]["covered"]
