"""Programs of sdcc for the 8051: what veer claims against every input of the same file on sdcc's simulator."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.frontends.machine.places import places
from veer.frontends.machine.prototype import parsed
from veer.frontends.machine.raw import Given
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = [
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("pypcode", "elftools")),
        reason="the extra `machine` is not installed (it needs Python 3.12)",
    ),
    pytest.mark.skipif(
        not shutil.which("sdcc") or not shutil.which("s51"), reason="sdcc and its simulator are not installed"
    ),
]
UNIT = """\
unsigned char limit = 9; __xdata unsigned char seen[3]; __code const signed char weights[4] = {3, -1, 4, -7};
static signed char half(signed char x) { return x < 0 ? -(-x / 2) : x / 2; }
/* Numbers of one and two bytes, a table in code, external memory, multiplications, a switch. */
int rate(unsigned char a, signed char b) {
    int sum = weights[a & 3] * b;
    if (a > limit && b == -5) return 1000 + a;
    seen[a & 1] = b;
    switch (a >> 5) {
    case 0: sum += 500; break;
    case 1: sum -= 500; break;
    case 2: sum = half(b); break;
    case 3: sum = sum * 2; break;
    case 4: sum = seen[1] + a; break;
    case 5: sum ^= 0x155; break;
    }
    return sum < -100 ? -100 : sum;
}
void main(void) { rate(1, 2); }
"""
PROTOTYPE = "int rate(unsigned char a, signed char b); unsigned char limit"


def test_results_over_many_inputs_are_those_of_the_simulator(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text(UNIT)
    subprocess.run(["sdcc", "-mmcs51", "--model-small", "unit.c", "-o", "unit.ihx"], cwd=tmp_path, check=True)
    path, given = tmp_path / "unit.ihx", Given("8051")
    build = BuildOptions((path,), "rate", prototype=PROTOTYPE, arch="8051")
    result = campaign.run(build, SearchOptions(budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert sum(branch.state == "covered" for branch in result.branches) > 20

    image = load(path, compiler.find(), given)
    code = named(image, "rate")
    put = places(image, code, parsed(PROTOTYPE, image.architecture, build))
    machine = Machine(image, code, (1, 1, 1), places=put)
    cases = [(a, b, 9) for a in range(0, 256, 37) for b in range(-128, 128, 51)]
    answers = machine.run([Case(each, {}) for each in cases], 5.0)
    listing = Path(result.branches[0].file).read_text()
    instructions = {int(address, 16) for address in re.findall(r"^ *([0-9a-f]{8}): ", listing, re.MULTILINE)}
    ran = {address for answer in answers if answer is not None for address in answer.ran}
    ran &= instructions  # the simulator tells reads of the table as well
    inputs = [tuple(cell.value.number for root in test.inputs.roots for cell in root.cells) for test in result.tests]
    tested = machine.run([Case(each, {}) for each in inputs], 5.0)
    assert ran, "the simulator ran"
    assert ran <= {address for answer in tested if answer is not None for address in answer.ran}
