"""How many mutants of a unit its suite notices: boundaries, relations, constants, operators, removed statements.

All mutants of six units are built with their plain suite. What survives is equivalent (no input shows it), or wants an
input that the branch criterion has no need for: a list of two entries, the other edge of a range.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from mutation import mutants
from sampling import sampled

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

SUBJECTS = Path(__file__).parent / "subjects"


@dataclass(frozen=True)
class Unit:
    """`first`: the line where its code begins; `least`: the share of mutants that must be noticed."""

    file: str
    entry: str
    first: int
    least: float


UNITS = {
    "numbers": Unit("grade.c", "grade", 8, 0.8),
    "parser": Unit("parse_setting.c", "parse_setting", 9, 0.9),
    "memory graph": Unit("sorted_list.c", "put", 5, 0.8),
    "calls of what is defined nowhere": Unit("sensor.c", "mean", 8, 0.75),
    "conditions that mask each other": Unit("advice.c", "advise", 5, 0.9),
    "memory graph, bit-fields, globals": Unit("history.c", "touch", 15, 0.75),
}
_QUICK = ("memory graph", "calls of what is defined nowhere")
SAMPLE = sampled(UNITS, lambda name: name in _QUICK)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_suite_notices_mutants(name: str, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    unit = UNITS[name]
    text = (SUBJECTS / unit.file).read_text()
    source = tmp_path / unit.file
    source.write_text(text)
    result = campaign.run(
        BuildOptions(sources=(source,), entry=unit.entry, no_checks=("overflow",)), SearchOptions(budget=10.0)
    )
    assert not result.bugs and result.ending.claim == "paths"
    suite = tmp_path / f"test_{unit.entry}.c"
    for file, data in plugins.find("veer.suites", "plain").files(result).items():
        (tmp_path / file).write_bytes(data)
    assert passes(suite)
    survived, count = [], 0
    for mutant in mutants(text, unit.first):
        source.write_text(mutant.text)
        noticed = not passes(suite)
        count += 1
        survived += [] if noticed else [mutant.about]
    assert count >= 10
    assert 1 - len(survived) / count >= unit.least, survived


def passes(suite: Path) -> bool:
    """Builds and runs a suite."""
    program = suite.with_suffix("")
    built = subprocess.run(
        ["gcc", "-w", "-std=gnu11", str(suite), "-lm", "-o", str(program)], capture_output=True, text=True, timeout=60
    )
    assert built.returncode == 0, built.stderr
    return subprocess.run([str(program)], capture_output=True, timeout=60).returncode == 0
