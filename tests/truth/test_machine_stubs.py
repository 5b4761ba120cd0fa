"""Blocks that begin like the stub of a procedure linkage table, and are none: calls through words that a dynamic linker
writes (`-fno-plt`), and jumps there behind which nothing is left to do."""

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
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
int abs(int);
int atoi(const char *);
int calls(signed char n) {
    if (n > 100) return (int)strlen("abc") + n;
    if (n == 7) return abs(-6) * 2 + n;
    return n;
}
int jumps(signed char n) {
    if (n == 3) return abs(-30);
    if (n < 0) return atoi("77");
    return 2;
}
"""
TARGETS = {
    "x86-64": "x86_64-linux-musl",
    "aarch64": "aarch64-linux-musl",
    "riscv64": "riscv64-linux-musl",
    "arm": "arm-linux-musleabihf",
}


def returned(entry: str, n: int) -> int:
    """What a call with that number returns."""
    if entry == "jumps":
        return 30 if n == 3 else 77 if n < 0 else 2
    return 3 + n if n > 100 else 19 if n == 7 else n


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("x86-64", "aarch64")))
@pytest.mark.parametrize("entry", ["calls", "jumps"])
def test_a_block_that_begins_with_a_call_is_no_stub(name: str, entry: str, tmp_path: Path) -> None:
    source, library = tmp_path / "unit.c", tmp_path / "unit.so"
    source.write_text(UNIT)
    zig = compiler.find().command[0]
    options = ["-O2", "-shared", "-fPIC", "-fno-plt", "-fno-builtin", "-nostdlib", "-Wl,-z,undefs"]
    subprocess.run([zig, "cc", "-target", TARGETS[name], *options, source, "-o", library], check=True)
    build = BuildOptions((library,), entry, prototype=f"int {entry}(signed char n)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=30, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert result.bugs == ()
    assert {test.replayed for test in result.tests} == {"same"}
    results = set[int]()
    for test in result.tests:
        (cell,) = next(root.cells for root in test.inputs.roots if root.name == "n")
        bits = cell.value.bits
        number = int.from_bytes(test.returned or b"", "little", signed=True)
        assert number == returned(entry, bits - 256 if bits > 127 else bits)
        results.add(number)
    assert len(results) == 3, results
    assert not [each for each in result.branches if each.side == "another target"]
