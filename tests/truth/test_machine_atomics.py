"""Loads and stores of machine code that belong together (`ldrex`, `strex`), against what they have to do.

A store is done where the last such load was of its address, and nothing of the kind came between.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine_library import given, zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
TARGETS = {
    "arm": "arm-linux-musleabi",
    "thumb": "thumb-linux-musleabi",
    "aarch64": "aarch64-linux-musl",
    "powerpc": "powerpc-linux-musleabi",
    "riscv32": "riscv32-linux-musl",
    "riscv64": "riscv64-linux-musl",
}
ALONE = """
static int a, b;
#if defined(__arm__)
#define LOAD(p) __asm__ volatile("ldrex r3, [%0]" : : "r"(p) : "r3", "memory")
#define FORGET() __asm__ volatile("clrex" : : : "memory")
#define STORE(failed, p, v) __asm__ volatile("strex %0, %2, [%1]" : "=&r"(failed) : "r"(p), "r"(v) : "memory")
#elif defined(__aarch64__)
#define LOAD(p) __asm__ volatile("ldaxr w3, [%0]" : : "r"(p) : "x3", "memory")
#define FORGET() __asm__ volatile("clrex" : : : "memory")
#define STORE(failed, p, v) __asm__ volatile("stxr %w0, %w2, [%1]" : "=&r"(failed) : "r"(p), "r"(v) : "memory")
#elif defined(__powerpc__)
#define LOAD(p) __asm__ volatile("lwarx 7, 0, %0" : : "b"(p) : "r7", "memory")
#define FORGET() __asm__ volatile("stwcx. %1, 0, %0" : : "b"(&elsewhere), "r"(0) : "cr0", "memory")
#define STORE(failed, p, v) __asm__ volatile( \\
    "stwcx. %2, 0, %1\\n mfcr %0\\n rlwinm %0, %0, 3, 31, 31\\n xori %0, %0, 1" \\
    : "=&r"(failed) : "b"(p), "r"(v) : "cr0", "memory")
static int elsewhere;
#else
#define LOAD(p) __asm__ volatile("lr.w t3, (%0)" : : "r"(p) : "t3", "memory")
#define FORGET() __asm__ volatile("sc.w t3, zero, (%0)" : : "r"(&elsewhere) : "t3", "memory")
#define STORE(failed, p, v) __asm__ volatile("sc.w %0, %2, (%1)" : "=&r"(failed) : "r"(p), "r"(v) : "memory")
static int elsewhere;
#endif
int alone(unsigned char k) {
    int failed, again;
    a = 1, b = 2;
    if (k & 1) LOAD(&a);
    if (k & 2) FORGET();
    if (k & 4) LOAD(&b);
    if (k & 8) STORE(failed, &b, 7); else STORE(failed, &a, 5);
    STORE(again, &a, 9);
    return (failed != 0) + 2 * (again != 0) + 4 * a + 64 * b;
}
"""


def expected(k: int) -> int:
    """What `alone` returns."""
    noted = "b" if k & 4 else "" if k & 2 else "a" if k & 1 else ""
    stored = "b" if k & 8 else "a"
    is_done = noted == stored
    a, b = 5 if is_done and stored == "a" else 1, 7 if is_done and stored == "b" else 2
    return int(not is_done) + 2 + 4 * a + 64 * b


LOOPS = """
int added(unsigned char x, unsigned char y) {
    static unsigned char byte;
    static unsigned short half;
    static unsigned word;
    byte = x, half = 0x1234, word = 7;
    if (__atomic_fetch_add(&byte, y, __ATOMIC_SEQ_CST) > 200)
        return 1;
    if (__atomic_exchange_n(&half, x, __ATOMIC_ACQUIRE) != 0x1234)
        return 2;
    unsigned wanted = y;
    if (!__atomic_compare_exchange_n(&word, &wanted, 40, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return wanted == 7 ? 3 + half % 2 : 5;
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE) == 40 ? 6 + (byte == (unsigned char)(x + 7)) : 8;
}
"""


def sums(x: int, y: int) -> int:
    """What `added` returns."""
    return 1 if x > 200 else 7 if y == 7 else 3 + x % 2


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("thumb", "powerpc")))
def test_a_store_is_done_where_the_last_load_was_of_its_address(name: str, tmp_path: Path) -> None:
    source, output = tmp_path / "alone.c", tmp_path / "alone.o"
    source.write_text(ALONE)
    zig("-target", TARGETS[name], "-O1", "-fno-sanitize=all", "-c", source, "-o", output)
    build = BuildOptions((output,), "alone", prototype="int alone(unsigned char k)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}, [test.replayed for test in result.tests]
    seen = set()
    for test in result.tests:
        k = given(test).get("k", 0)
        assert int.from_bytes(test.returned or b"", "little", signed=True) == expected(k), k
        seen.add(k % 16)
    assert seen == set(range(16))


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "powerpc"))
def test_loops_around_them_end_at_once(name: str, tmp_path: Path) -> None:
    source, output = tmp_path / "loops.c", tmp_path / "loops.o"
    source.write_text(LOOPS)
    zig("-target", TARGETS[name], "-O2", "-fno-sanitize=all", "-c", source, "-o", output)
    build = BuildOptions((output,), "added", prototype="int added(unsigned char x, unsigned char y)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    for test in result.tests:
        values = given(test)
        x, y = values.get("x", 0), values.get("y", 0)
        assert int.from_bytes(test.returned or b"", "little", signed=True) == sums(x, y), values
    assert len({test.returned for test in result.tests}) >= 3


def test_a_quotient_by_zero_of_powerpc_is_any_number(tmp_path: Path) -> None:
    source, output = tmp_path / "ratio.c", tmp_path / "ratio.o"
    source.write_text("int ratio(signed char a, signed char b) { return a / b > 10; }\n")
    zig("-target", TARGETS["powerpc"], "-O1", "-fno-sanitize=all", "-c", source, "-o", output)
    build = BuildOptions((output,), "ratio", prototype="int ratio(signed char a, signed char b)")
    result = campaign.run(build, SearchOptions(budget=60, shrink=False))
    assert [bug.outcome for bug in result.bugs] == [Outcome.DIVISION]
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == "paths", result.ending
