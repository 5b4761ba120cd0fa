"""Registers at fixed addresses: what veer says against every answer that a small device can give.

The brute force compiles the same drivers with RD and WR as functions of its own, that take values from a script; veer
sees volatile accesses. Behind the last read of a script a register keeps its value.
"""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from suite_builds import build_suite, compilations, zig_command
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.program import DEVICE_LOG
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.suite.c import plain

SEEN_BY_VEER = """
#define RD(bits, a) (*(volatile uint##bits##_t *)(a))
#define WR(bits, a, v) (*(volatile uint##bits##_t *)(a) = (v))
"""
BRUTE = """
extern unsigned long rd(unsigned long a);
extern void wr(unsigned long a, unsigned long v);
#define RD(bits, a) ((uint##bits##_t)rd((unsigned long)(a)))
#define WR(bits, a, v) wr((unsigned long)(a), (uint##bits##_t)(v))
unsigned long script[16], scripted, taken, kept, log_[256], logged;
unsigned long rd(unsigned long a) { (void)a; if (taken < scripted) kept = script[taken++]; return kept; }
void wr(unsigned long a, unsigned long v) { log_[2 * logged] = a; log_[2 * logged++ + 1] = v; }
"""
DRIVERS = {
    "a bit that is set and read back": (
        "int f(int n) { WR(32, 0x40021000, RD(32, 0x40021000) | 1u << (n & 1));"
        " return RD(32, 0x40021000) & 2 ? 0 : -5; }",
        (0, 1, 2, 3),
    ),
    "a wait that ends by its counter": (
        "int f(int n) { unsigned t = 100; while (!(RD(16, 0x40013800) & 1)) if (!--t) return -1;"
        " WR(16, 0x40013804, n); return 0; }",
        (0, 1),
    ),
    "a status that decides twice": (
        "int f(int n) { uint8_t s = RD(8, 0xE000E010u); if (s & 1) { WR(8, 0xE000E010u, s & ~1); return 1; }"
        " if (s & 2 && n > 0) return RD(8, 0xE000E010u) == 3 ? 2 : 3; return 0; }",
        (0, 1, 2, 3),
    ),
    "registers below every page": (
        "int f(int n) { WR(8, 0x25, RD(8, 0x25) | 4); if (RD(8, 0x25) & 2) return n; return 7; }",
        (0, 1, 2, 3),
    ),
    "registers where veer has its heap": (
        "int f(int n) { char *p = malloc(80); if (!p) return 9; p[0] = 1; WR(32, 0x20000010, 5);"
        " int r = RD(32, 0x20000010) == 3 ? 1 : 2; r += p[0] - 1; free(p); return r; }",
        (0, 1, 2, 3),
    ),
    "a base that the caller gives": (
        "static int put(uintptr_t base, int n) { if (RD(32, base + 12) & 1) return -1; WR(32, base + 4, n);"
        " for (int t = 9; t; t--) if (RD(8, base) == 3) return 1; return 0; }"
        " int f(int n) { return put(0x40004400, n); }",
        (1, 2, 3),
    ),
    "a block of registers behind a pointer": (
        "struct uart { volatile uint32_t sr, dr; }; static int put(struct uart *u, int c) {"
        " if (!(RD(32, &u->sr) & 1)) return -1; WR(32, &u->dr, c); return 0; }"
        " int f(int n) { return put((struct uart *)0x40011000, n); }",
        (0, 1),
    ),
}
Seen = tuple[int, tuple[tuple[int, int], ...]]
"""What a driver returns, and what it writes where."""


def brute(text: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / "brute.c", folder / "brute.so"
    source.write_text(f"#include <stdint.h>\n#include <stdlib.h>\n{BRUTE}{text}\n")
    command = [*zig_command(), "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return ctypes.CDLL(str(library))


def run(library: ctypes.CDLL, argument: int, reads: tuple[int, ...]) -> tuple[Seen, int]:
    """What one run does, and how many of the reads it takes."""
    script = (ctypes.c_ulong * 16).in_dll(library, "script")
    script[: len(reads)] = reads
    for name, value in (("scripted", len(reads)), ("taken", 0), ("kept", 0), ("logged", 0)):
        ctypes.c_ulong.in_dll(library, name).value = value
    returned = library.f(argument)
    log = (ctypes.c_ulong * 256).in_dll(library, "log_")
    count = ctypes.c_ulong.in_dll(library, "logged").value
    writes = tuple((log[2 * k], log[2 * k + 1]) for k in range(count))
    return (returned, writes), ctypes.c_ulong.in_dll(library, "taken").value


def every_run(library: ctypes.CDLL, values: tuple[int, ...]) -> Iterator[Seen]:
    for argument in (-1, 0, 1):
        for reads in itertools.product(values, repeat=4 if len(values) == 2 else 3):
            yield run(library, argument, reads)[0]


def explored(text: str, folder: Path, **options: object) -> Result:
    source = folder / "driver.c"
    source.write_text(f"#include <stdint.h>\n#include <stdlib.h>\n{SEEN_BY_VEER}{text}\n")
    return explore(BuildOptions((source,), "f", **options), SearchOptions(criterion="path", budget=30.0))


def of_test(test: Test) -> tuple[int, tuple[int, ...], Seen]:
    """Argument, reads in their order (of one register), and what it does, as veer says."""
    scalars = {root.name: root for root in test.inputs.roots}
    reads = [root for root in test.inputs.roots if root.name.startswith("read")]
    numbers = [number(root.cells[0].value) for root in sorted(reads, key=lambda root: root.occurrence)]
    log = next((each.after for each in test.outputs if each.name == DEVICE_LOG), bytes(8))
    words = [int.from_bytes(log[k : k + 8], "little") for k in range(0, len(log), 8)]
    writes = tuple((words[1 + 2 * k], words[2 + 2 * k]) for k in range(words[0]))
    argument = number(scalars["n"].cells[0].value) if "n" in scalars else 0
    assert test.returned is not None
    return argument, tuple(numbers), (int.from_bytes(test.returned, "little", signed=True), writes)


def number(value: object) -> int:
    assert isinstance(value, Scalar)
    return value.number


@pytest.mark.parametrize("name", DRIVERS)
def test_veer_finds_what_a_device_can_bring_about_and_the_suite_holds(name: str, tmp_path: Path) -> None:
    text, values = DRIVERS[name]
    library, result = brute(text, tmp_path), explored(text, tmp_path)
    assert result.ending.claim == Claim.PATHS and not result.bugs and result.tests
    found = set()
    for test in result.tests:
        assert test.outcome is Outcome.RETURNED and test.replayed == "same"
        argument, reads, said = of_test(test)
        assert run(library, argument, reads)[0] == said, test.inputs
        found.add((said[0], tuple(address for address, _ in said[1])))
    expected = {(returned, tuple(address for address, _ in writes)) for returned, writes in every_run(library, values)}
    of_n = {seen for seen in expected if not (name == "registers below every page" and seen[0] in (-1, 0, 1))}
    assert of_n <= found  # n itself is returned there: any number is as good
    check_suite_on_the_real_machine(result, tmp_path)


def check_suite_on_the_real_machine(result: Result, tmp_path: Path) -> None:
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for command in compilations():
        built = build_suite(tmp_path, plain.file_name(result.program), suite, command)
        assert built.run().returncode == 0, (command, built.run().stdout)


def test_a_suite_notices_another_write(tmp_path: Path) -> None:
    text = DRIVERS["a bit that is set and read back"][0]
    result = explored(text, tmp_path)
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    source = tmp_path / "driver.c"
    for good, bad in (("| 1u <<", "& 1u <<"), ("| 1u << (n & 1));", "| 1u << (n & 1)); WR(32, 0x40021004, 0);")):
        assert good in text
        source.write_text(f"#include <stdint.h>\n#include <stdlib.h>\n{SEEN_BY_VEER}{text.replace(good, bad)}\n")
        assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 1, bad


def test_a_claim_names_the_reads_where_a_run_came_to_their_bound(tmp_path: Path) -> None:
    once = explored(DRIVERS["registers below every page"][0], tmp_path)
    polled = explored(DRIVERS["a wait that ends by its counter"][0], tmp_path)
    assert [words for words in once.ending.within if "register" in words] == []
    assert [words for words in polled.ending.within if "register" in words] == ["register-reads 4"]


def test_a_loop_that_waits_for_ever_is_no_bug(tmp_path: Path) -> None:
    result = explored("int f(int n) { while (!(RD(32, 0x40013800) & 2)) ; WR(32, 0x40013804, n); return 1; }", tmp_path)
    assert not result.bugs and result.paths == 4
    assert {branch.state for branch in result.branches} == {"covered"}


def test_a_null_pointer_to_registers_is_none(tmp_path: Path) -> None:
    text = "struct u { volatile uint32_t sr; }; int f(struct u *u) { WR(8, 0x25, 1); return u->sr & 1; }"
    result = explored(text, tmp_path)
    assert [bug.outcome for bug in result.bugs] == [Outcome.SEGFAULT_NULL]


def test_an_address_that_the_code_does_not_name_is_a_bug_until_a_region_is_given(tmp_path: Path) -> None:
    port = "#include <string.h>\nstatic volatile uint32_t *port(void) {"
    port += " uintptr_t n = 0x40000008; volatile uint32_t *p; memcpy(&p, &n, sizeof p); return p; }"
    text = port + " int f(int n) { WR(32, 0x50000000, 1); if (*port() == 3) return 1; return 0; }"
    assert [bug.outcome for bug in explored(text, tmp_path).bugs] == [Outcome.SEGFAULT_WILD]
    with_region = explored(text, tmp_path, regions=("0x40000000:0x100",))
    assert not with_region.bugs and with_region.ending.claim == Claim.PATHS
    assert {test.returned for test in with_region.tests} == {bytes(4), bytes((1, 0, 0, 0))}


COMPUTED = """
int f(uint32_t base, int n) {
    WR(32, base + 12, RD(32, base + 12) | 8);
    if (RD(32, base) & 1) return n;
    if (RD(8, base + 4) == 5) return -7;
    return -9;
}
"""


def test_a_number_that_is_cast_to_an_address_is_that_of_a_register(tmp_path: Path) -> None:
    result = explored(COMPUTED, tmp_path)
    assert not result.bugs and result.paths == 3 and result.ending.claim == Claim.PATHS
    assert "numbers that are cast to volatile addresses are those of registers" in result.ending.within
    reads = {root.name for test in result.tests for root in test.inputs.roots} - {"base", "n"}
    assert reads == {"read32(address 1)", "read32(address 2)", "read8(address 3)"}
    assert {test.replayed for test in result.tests} == {"same"}
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for command in ((*zig_command(), "-O2"), (*zig_command(), "-O0")):
        assert build_suite(tmp_path, plain.file_name(result.program), suite, command).run().returncode == 0


OBJECTS = "static int table[4] = {1, 2, 3, 4}; static int at(uintptr_t a) { return *(volatile int *)a; }\n"
WRONG = {
    "behind an object, by a constant": ("uintptr_t a = (uintptr_t)table + 16; return n == 3 ? at(a) : 0;", 3),
    "behind an object, by an index": (
        "return n < 0 || n > 9 ? 0 : *(volatile int *)((uintptr_t)table + 4u * n);",
        None,
    ),
    "far behind an object": ("return n == 3 ? *(volatile int *)((uintptr_t)table + 90000) : 0;", 3),
    "before an object": ("return n == 3 ? at((uintptr_t)table - 8) : 0;", 3),
    "one of two objects": (
        "static int one[2]; static const uintptr_t all[2] = {(uintptr_t)table, (uintptr_t)one};"
        " return n < 0 || n > 1 ? 0 : *(volatile int *)(all[n] + 12);",
        1,
    ),
    "in a block that is freed": (
        "int *p = malloc(4); if (!p) return 0; uintptr_t a = (uintptr_t)p; free(p); return n == 3 ? at(a) : 0;",
        3,
    ),
    "behind a block that is freed": (
        "int *p = malloc(8); if (!p) return 0; uintptr_t a = (uintptr_t)p; free(p); return n == 3 ? at(a + 8) : 0;",
        3,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_number_that_comes_from_an_object_is_not_that_of_a_register(name: str, tmp_path: Path) -> None:
    body, argument = WRONG[name]
    result = explored(f"{OBJECTS}int f(int n) {{ {body} }}", tmp_path)
    (outcome,) = (bug.outcome for bug in result.bugs)
    assert outcome in (Outcome.BOUNDS_READ, Outcome.USE_AFTER_FREE, Outcome.SEGFAULT_WILD)
    shown = next(test for test in result.tests if test.name == result.bugs[0].test)
    given = number(next(root for root in shown.inputs.roots if root.name == "n").cells[0].value)
    assert given == argument if argument is not None else 4 <= given <= 9
    assert not [root for test in result.tests for root in test.inputs.roots if root.name.startswith("read")]
    assert {test.replayed for test in result.tests} <= {"same"} and result.ending.claim == Claim.PATHS


def test_a_number_within_an_object_is_a_place_in_it(tmp_path: Path) -> None:
    text = f"{OBJECTS}int f(int n) {{ return n < 0 || n > 3 ? 9 : *(volatile int *)((uintptr_t)table + 4u * n); }}"
    result = explored(text, tmp_path)
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == Claim.PATHS
    for test in result.tests:
        argument, reads, (returned, writes) = of_test(test)
        assert (reads, writes) == ((), ()) and returned == (argument + 1 if 0 <= argument <= 3 else 9)


def test_a_table_of_devices_is_no_table_of_objects(tmp_path: Path) -> None:
    text = "static const uint32_t base[2] = {0x40004400, 0x40013800};"
    text += " int f(int n) { return n < 0 || n > 1 ? 9 : RD(32, base[n] + 4) & 1 ? 1 : 2; }"
    result = explored(text, tmp_path)
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    returned = {(number(test.inputs.roots[0].cells[0].value), of_test(test)[2][0]) for test in result.tests}
    assert {code for argument, code in returned if argument in (0, 1)} == {1, 2}
    assert {code for argument, code in returned if argument not in (0, 1)} == {9}


def test_registers_can_be_switched_off(tmp_path: Path) -> None:
    result = explored(DRIVERS["registers below every page"][0], tmp_path, register_reads=0)
    assert result.bugs and not [test for test in result.tests if test.outcome is Outcome.RETURNED]


def test_writes_of_calls_before_the_entry_are_none_of_its_own(tmp_path: Path) -> None:
    text = "static int full; void isr(void) { WR(8, 0x88, 3); full = 1; } int f(int n) { return full ? n : -1; }"
    source = tmp_path / "driver.c"
    source.write_text(f"#include <stdint.h>\n{SEEN_BY_VEER}{text}\n")
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=30.0, growing=("calls-before",)))
    assert {branch.state for branch in result.branches} == {"covered"}
    assert [test.replayed for test in result.tests] == ["same"] * len(result.tests)
