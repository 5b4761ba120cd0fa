"""Variables of a thread in shared libraries: where they lie a dynamic linker says, and a function that it brings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """
__thread int counter = 5;
static __thread unsigned char last[3] = {1, 2, 3};
__thread int errors;
int step(signed char n) {
    counter += n;
    last[1] ^= (unsigned char)n;
    if (counter == 47) return 1;
    if (last[1] == 9) return 2;
    errors++;
    return errors > 1 ? 4 : 3 + last[2] - last[0] + counter;
}
"""
TARGETS = {
    "x86-64": "x86_64-linux-musl",
    "arm": "arm-linux-musleabihf",
    "aarch64": "aarch64-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "powerpc": "powerpc-linux-musleabi",
}


def returned(n: int) -> int:
    """What a call with that number returns."""
    if 5 + n == 47:
        return 1
    return 2 if 2 ^ (n & 255) == 9 else 3 + 3 - 1 + 5 + n


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("arm", "powerpc")))
def test_variables_of_a_thread_in_a_shared_library(name: str, tmp_path: Path) -> None:
    """aarch64 has a function of its own for them, riscv64 counts from 0x800 behind their begin,
    and powerpc asks by a call where its code lies."""
    source, library = tmp_path / "unit.c", tmp_path / "unit.so"
    source.write_text(UNIT)
    zig = compiler.find().command[0]
    options = ["-O2", "-shared", "-fPIC", "-nostdlib", "-Wl,-z,undefs"]
    subprocess.run([zig, "cc", "-target", TARGETS[name], *options, source, "-o", library], check=True)
    build = BuildOptions((library,), "step", prototype="int step(signed char n)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=30, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert len(result.tests) == 3
    for test in result.tests:
        (cell,) = next(root.cells for root in test.inputs.roots if root.name == "n")
        bits = cell.value.bits
        assert int.from_bytes(test.returned or b"", "little") == returned(bits - 256 if bits > 127 else bits)
