"""Machine code over small domains: what veer claims against every input of the same file on an emulator.

Zig's compiler makes the files, for any machine. The functions give each path a result of its own.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <stdint.h>
static const int8_t weights[8] = {3, -1, 4, 1, -5, 9, 2, 6};
static int depth(int8_t x) { return x < 0 ? -x : x; }
/* Numbers: signed and unsigned comparisons, a table, a call, a loop, a division. */
int grade(uint8_t a, int8_t b, _Bool strict) {
    if (strict && b < -100) return 1000;
    int sum = weights[a & 7];
    if (a > 200 && b == 5) return 2000 + a / 10;
    for (int i = 0; i < (b & 3); i++) sum += i * a;
    return depth(b) > 64 ? sum : -sum;
}
"""
TARGETS = {
    "arm": "arm-linux-musleabi",
    "thumb": "thumb-linux-musleabi",
    "x86-64": "x86_64-linux-musl",
    "powerpc": "powerpc-linux-musleabi",
    "riscv32": "riscv32-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "aarch64": "aarch64-linux-musl",
}
IN_EACH_CHECK = ("thumb", "powerpc")
_FLAGS = ("-fno-sanitize=all", "-fno-stack-protector", "-c")


def compiled(name: str, text: str, level: str, folder: Path) -> Path:
    """An object for that machine."""
    source, output = folder / "unit.c", folder / f"unit-{name}{level}.o"
    source.write_text(text)
    zig = compiler.find().command[0]
    subprocess.run([zig, "cc", "-target", TARGETS[name], level, *_FLAGS, source, "-o", output], check=True)
    return output


def explored(path: Path, entry: str, prototype: str) -> Result:
    """A campaign over all paths."""
    build = BuildOptions((path,), entry, prototype=prototype)
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_results_over_all_inputs_are_those_of_the_emulator(name: str, tmp_path: Path) -> None:
    path = compiled(name, UNIT, "-O1", tmp_path)
    result = explored(path, "grade", "int grade(uint8_t a, int8_t b, _Bool strict)")
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED}
    image = load(path, compiler.find())
    machine = Machine(image, named(image, "grade"), (1, 1, 1))
    inputs = list(itertools.product(range(0, 256, 5), range(-128, 128, 3), (0, 1)))
    answers = machine.run([Case(each, {}) for each in inputs], 5.0)
    addresses = {address for answer in answers if answer is not None for address in answer.ran}
    assert addresses, "the emulator ran"
    tested = {address for test in result.tests for address in _ran(machine, test.inputs.roots)}
    assert addresses <= tested, "an input runs an instruction that no test runs"


OWN_ATOI = """
int atoi(const char *s) {
    int n = 0, is_negative = *s == '-';
    if (is_negative) s++;
    while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0');
    return is_negative ? -n : n;
}
int main(int x) { return x > 100 ? atoi("7") : x; }
"""


@pytest.mark.parametrize("name", ["arm", "x86-64"])
def test_functions_may_be_called_as_the_librarys_are(name: str, tmp_path: Path) -> None:
    """Firmware has a library of its own; inside they have other names, which nobody sees."""
    path = compiled(name, OWN_ATOI, "-O1", tmp_path)
    for entry, parameter in (("atoi", "const char *s"), ("main", "int x")):
        build = BuildOptions((path,), entry, prototype=f"int {entry}({parameter})", max_length=2)
        result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
        assert result.ending.claim == "paths", result.ending
        assert {test.replayed for test in result.tests} == {"same"}
        assert not [site for site in result.program.sites if "." in site.function]
        function = result.program.function(entry)
        assert function is not None and [each.name for each in function.parameters] == [
            parameter.split("*")[-1].split()[-1]
        ]


UNDEFINED = """
unsigned outside(unsigned);
unsigned last(unsigned x) { return x > 3 ? 5 : outside(x + 1); }
unsigned middle(unsigned x) { return x > 3 ? 5 : outside(x + 1) + 1; }
"""


@pytest.mark.parametrize("entry", ["last", "middle"])
@pytest.mark.parametrize("name", ["arm", "x86-64"])
def test_a_function_that_the_file_does_not_define_is_named(name: str, entry: str, tmp_path: Path) -> None:
    """Where it is called, and where a compiler makes a jump of a call."""
    path = compiled(name, UNDEFINED, "-O2", tmp_path)
    result = explored(path, entry, f"unsigned {entry}(unsigned x)")
    assert f"{entry} calls outside, which the file does not define" in result.ending.lost_by[0]
    assert [test.returned for test in result.tests if test.outcome is Outcome.RETURNED] == [(5).to_bytes(4, "little")]


def _ran(machine: Machine, roots: object) -> set[int]:
    cells = {root.name: root.cells[0].value.number for root in roots}  # type: ignore[attr-defined]
    (answer,) = machine.run([Case((cells["a"], cells["b"], cells["strict"]), {})], 5.0)
    assert answer is not None
    return {*answer.ran}


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
