"""Single instructions of compiled functions, lifted, beside an emulator on random states."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest
from sampling import IS_LONG, sampled

from veer.toolchain import compiler

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pypcode", "unicorn", "elftools")),
    reason="the extra `machine` is not installed (it needs Python 3.12)",
)
UNIT = """\
unsigned mixed(unsigned a, unsigned b, unsigned char *p) {
    unsigned h = a * 33 ^ (b >> (a & 31)) ^ (b << 7 | b >> 25);
    for (unsigned i = 0; i < 4; i++) h = (h ^ p[i]) + (a < b ? h >> 3 : ~b & a);
    return h - (int)a / 8;
}
"""
TARGETS = {"arm": "arm-linux-musleabi", "riscv32": "riscv32-linux-musl", "aarch64": "aarch64-linux-musl"}


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "arm"))
def test_instructions_do_on_random_states_what_the_emulator_does(name: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text(UNIT)
    zig = compiler.find().command[0]
    flags = ("-Os", "-fno-sanitize=all", "-fno-stack-protector", "-c")
    subprocess.run([zig, "cc", "-target", TARGETS[name], *flags, source, "-o", output], check=True)
    image = load(output, compiler.find())
    opcodes = Opcodes(image, list(instructions_of(image, 1)))
    assert len(opcodes.instructions) - len(opcodes.refused) > 10
    assert differences(opcodes, 200 if IS_LONG else 20) == {}
