"""Sides of conditional jumps are told as the emulator takes them, though LLVM turns comparisons round."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import TARGETS, compiled

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.frontends.machine.sides import CARRIED_OUT, GOES_ON, PASSED_OVER
from veer.model.buildoptions import BuildOptions
from veer.model.ending import BranchState
from veer.model.result import Branch, Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
volatile int out;
void tell(int a, unsigned b) {
    if (a == 3) out = 1;
    if (a != 1000) out = 2;
    if (a < 50) out = 3;
    if (a >= -70) out = 4;
    if (b < 90u) out = 5;
    if (b >= 20u) out = 6;
    if (b > 4000000000u) out = 7;
    if (a > 7 && b <= 11u) out = 8;
    if ((a & 8) || !(b & 1)) out = 9;
}
"""
IN_EACH_CHECK = ("arm", "x86-64")
_ADDRESS = re.compile(r"^    ([0-9a-f]{8}): ", re.MULTILINE)
_TO = "to 0x"


def explored(path: Path, seed: int) -> Result:
    build = BuildOptions((path,), "tell", prototype="void tell(int a, unsigned b)")
    return campaign.run(build, SearchOptions(criterion="path", max_runs=1, budget=60, shrink=False, seed=seed))


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_sides_are_those_that_the_emulator_takes(name: str, level: str, tmp_path: Path) -> None:
    path = compiled(name, UNIT, level, tmp_path)
    image = load(path, compiler.find())
    machine = Machine(image, named(image, "tell"), (4, 4))
    compared = 0
    for seed in range(4):
        result = explored(path, seed)
        words = {GOES_ON, PASSED_OVER, CARRIED_OUT}
        assert all(each.side in words or each.side.startswith(_TO) for each in result.branches)
        (test,) = result.tests
        given = tuple(cell.value.number for root in test.inputs.roots for cell in root.cells)
        (answer,) = machine.run([Case(given, {})], 5.0)
        assert answer is not None
        addresses = [int(each, 16) for each in _ADDRESS.findall(Path(result.branches[0].file).read_text())]
        covered = {(_at(each), each.side) for each in result.branches if each.state is BranchState.COVERED}
        for jump in (each for each in result.branches if each.side.startswith(_TO)):
            at = _at(jump)
            goes_on = min(each for each in addresses if each > at) in answer.ran
            jumps = int(jump.side.removeprefix("to "), 16) in answer.ran
            if at in answer.ran and goes_on != jumps:  # else one of them was come to by another way
                assert ((at, GOES_ON) in covered, (at, jump.side) in covered) == (goes_on, jumps), jump
                compared += 1
        conditional = {at for at, side in covered if side == CARRIED_OUT} - {
            at for at, side in covered if side == PASSED_OVER
        }
        assert conditional <= set(answer.ran)
    assert compared


def _at(branch: Branch) -> int:
    """The address of a branch's instruction."""
    return int(branch.text.split()[0], 16)
