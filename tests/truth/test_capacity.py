"""Each fixed table, made far too small: veer says that it does not know, and never says anything wrong.

Capacities are constants of the wire, so a copy of veer with a smaller one is made and run in a process of its own.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import brute_force
import brute_header
import pytest
from sampling import sampled
from test_paths import check_claim, check_completeness, check_each_test
from veer_side import explore_all, losses, replay_tests

import veer
from veer.model.result import Result

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "programs"

CASES = (
    # region, capacity, program whose campaign needs more
    ("nodes", 24, "string_walk"),
    ("supports", 2, "two_strings"),
    ("leaves", 3, "string_walk"),
    ("objects", 2, "list_sum"),
    ("names", 2, "early_return"),
    ("contexts", 2, "nested_calls"),
    ("trace", 3, "loop_bounded"),
    ("tree", 20, "string_walk"),
    ("paths", 4, "string_walk"),
    ("inputs", 48, "string_walk"),
    ("path_table", 8, "string_walk"),
    ("queue", 1, "wide_modulus"),
    ("interesting", 2, "short_circuits"),
    ("reports", 1, "division_wide"),
)
# Each wants a whole runtime of its own, which is not optimised: that would take three times as long to compile.
SAMPLE = sampled(CASES, lambda case: case[0] == "queue")


def shrunk(region: str, capacity: int, home: Path) -> Path:
    """A copy of veer whose region holds that many records, with a runtime that is not optimised; for PYTHONPATH."""
    source = Path(veer.__file__).parent
    shutil.copytree(source, home / "veer", ignore=shutil.ignore_patterns("__pycache__"))
    pattern = re.compile(rf'Region\((f?"{region}(?:_{{name}})?"), ([^,]+), 1 << \d+')
    declaring = [path for path in (home / "veer" / "wire").glob("*.py") if pattern.search(path.read_text())]
    assert len(declaring) == 1, (region, declaring)
    text, count = pattern.subn(rf"Region(\1, \2, {capacity}", declaring[0].read_text())
    assert count == 1, region
    declaring[0].write_text(text)
    compiler = home / "veer" / "toolchain" / "compiler.py"
    flags = compiler.read_text()
    optimised = 'RUNTIME_FLAGS = (\n    "-O2",'
    assert flags.count(optimised) == 1
    compiler.write_text(flags.replace(optimised, optimised.replace("-O2", "-O0")))
    header = home / "veer" / "runtime" / "include" / "veer_wire.h"
    command = [sys.executable, "-m", "veer.wire.header"]
    done = subprocess.run(command, env=environment(home), check=True, capture_output=True, text=True, timeout=60)
    header.write_text(done.stdout)
    return home


def environment(home: Path) -> dict[str, str]:
    """The environment in which `import veer` finds the copy."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(home), str(HERE)))}


@pytest.mark.parametrize(("region", "capacity", "name"), SAMPLE, ids=[case[0] for case in SAMPLE])
def test_a_full_table_means_do_not_know(region: str, capacity: int, name: str, tmp_path: Path) -> None:
    program = PROGRAMS / f"{name}.c"
    home, out = shrunk(region, capacity, tmp_path / "copy"), tmp_path / "result"
    command = [sys.executable, str(HERE / "capacity_child.py"), str(program), str(out)]
    done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result: Result = pickle.loads(out.read_bytes())
    expectation = brute_header.read(program)
    executable = brute_force.build(expectation)
    rows = brute_force.feasible(executable)
    replayed = replay_tests(executable, result.tests)
    complete = [case for case in replayed if case.test.outcome.key != "capacity"]
    check_each_test(expectation, complete, rows)
    check_claim(result)
    assert any(text.startswith("capacity ") for text in losses(result)), (result.ending, result.ledger)
    assert result.ending.claim == "none"
    assert any("full" in reason for reason in result.ending.lost_by), result.ending


def test_80_equalities_and_a_comparison_have_82_paths() -> None:
    """The first capacity test of the main job: more holes in one domain than a small table holds."""
    expectation = brute_header.read(PROGRAMS / "equalities.c")
    executable = brute_force.build(expectation)
    rows = brute_force.run_all(executable)
    result = explore_all(expectation)
    assert result.paths == len(rows) == 82
    assert result.ending.claim == "paths"
    check_completeness(result, replay_tests(executable, result.tests), rows)
