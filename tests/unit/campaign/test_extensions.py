"""A strategy, a report and a format of suites of another package serve a campaign by their names alone.

Others have tests of their own: searches (tests/truth/test_searches.py), solvers (tests/conformance/
test_solver_from_outside.py), workers (tests/truth/test_workers.py), oracles and languages (beside this file).
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from outside import install

from veer.campaign import run as campaign
from veer.cli.app import main
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

SOURCE = "int sign(int a) { if (a < 0) return -1; return a > 0; }\n"
STRATEGIES = """
import numpy as np

ASKED = []

class Oldest:
    def __init__(self, state, scene):
        self.state, self.waiting = state, []

    def add(self, tree, ids):
        self.waiting += [int(each) for each in ids]

    def pick(self, tree, k):
        ASKED.append(k)
        chosen = [each for each in self.waiting if tree.state[each] == int(self.state)][:k]
        self.waiting = [each for each in self.waiting if each not in chosen]
        return np.array(chosen, np.int64)

    def __len__(self):
        return len(self.waiting)
"""
REPORT = """
from veer.report.protocol import Format

TALLY = Format("tally.txt", lambda result: f"{len(result.tests)} tests of {result.program.entry}\\n")
"""
SUITE = """
from veer.suite.protocol import SuiteFormat

def files(result):
    return {"inputs.txt": "".join(f"{test.name} {dict(test.shown)}\\n" for test in result.tests).encode()}

INPUTS = SuiteFormat(files)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A function with two paths."""
    file = tmp_path / "sign.c"
    file.write_text(SOURCE)
    return file


def test_a_strategy_ranks_the_open_branches(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "oldest", STRATEGIES, group="veer.strategies", name="oldest", object="Oldest")
    found = campaign.run(BuildOptions((source,), "sign"), SearchOptions(strategy="oldest"))
    assert (found.paths, found.ending.claim, found.strategy) == (2, "paths", "oldest")
    assert import_module("oldest").ASKED


def test_a_report_is_written_beside_the_others(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "tally", REPORT, group="veer.reports", name="tally", object="TALLY")
    out = tmp_path / "out"
    assert main(["test", str(source), "--entry", "sign", "--out", str(out), "--format", "tally", "--quiet"]) == 0
    tests = json.loads((out / "summary.json").read_text())["tests"]
    assert (out / "tally.txt").read_text() == f"{len(tests)} tests of sign\n"


def test_a_format_of_suites_holds_the_tests(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "listed", SUITE, group="veer.suites", name="inputs", object="INPUTS")
    out = tmp_path / "out"
    assert main(["test", str(source), "--entry", "sign", "--out", str(out), "--format", "inputs", "--quiet"]) == 0
    lines = (out / "suite" / "inputs" / "inputs.txt").read_text().splitlines()
    assert len(lines) == len(json.loads((out / "summary.json").read_text())["tests"])
    assert lines[0].startswith("test_001 {'a': ")
