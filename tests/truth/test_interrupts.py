"""Interrupts as calls of a function before volatile accesses, against all placements of up to two calls.

gcc's own calls before volatile accesses (those of its thread sanitizer) say where an interrupt may come: veer has no
part in them. Each placement, with each input, is run in a process of its own. The programs make one access in each
expression: compilers order two of them as they like.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import veer
from veer.model.outcome import Outcome
from veer.model.result import Result

pytestmark = pytest.mark.slow

LOST_UPDATE = """
#include <assert.h>
static volatile unsigned count;
static unsigned calls;
void isr(void) { count++; calls++; }
int run(unsigned char n)
{
    if (n & 1) count++;
    unsigned seen = count;
    assert(seen == calls + (n & 1));
    return n & 1;
}
"""
TESTED_TWICE = """
#include <assert.h>
static volatile unsigned char ready, slot = 4;
static const int table[4] = {3, 5, 7, 9};
void isr(void) { ready = !ready; slot = ready ? 2 : 4; }
int run(unsigned char n)
{
    if (n > 3) return -1;
    if (ready) {
        if (slot > 3) return 2;
        int at = slot;
        assert(at < 4);
        return table[at];
    }
    return ready ? 1 : 0;
}
"""
RING = """
#include <assert.h>
static volatile unsigned char head, tail, ring[2];
static unsigned char next = 1;
void isr(void) { if ((unsigned char)(head - tail) < 2) ring[head++ & 1] = next++; }
static int take(void)
{
    unsigned char end = head;
    if (end == tail) return 0;
    int value = ring[tail & 1];
    tail++;
    return value;
}
int run(unsigned char n)
{
    int first = take(), second = take();
    assert(!second || second == first + 1 || !first);
    return n == 7 ? 10 * first + second : 100 + first;
}
"""
WRAPS = """
#include <assert.h>
static volatile unsigned char low = 0xff, high;
void isr(void) { if (++low == 0) high++; }
int run(unsigned char n)
{
    int now;
    if (n == 1) {
        int before;
        do {
            before = high;
            now = before << 8 | low;
        } while (before != high);
    } else {
        now = high << 8;
        now |= low;
    }
    assert(now >= 0xff && now <= 0x101);
    return now;
}
"""
RIGHT = """
#include <assert.h>
static volatile unsigned char masked, pending;
static volatile unsigned count;
static unsigned calls;
static void serve(void) { count++; calls++; }
void isr(void) { if (masked) pending = 1; else serve(); }
int run(unsigned char n)
{
    masked = 1;
    if (n & 1) count++;
    unsigned seen = count;
    assert(seen == calls + (n & 1));
    if (pending) { pending = 0; serve(); }
    masked = 0;
    return (int)seen;
}
"""
BRUTE = r"""
#define PLAIN __attribute__((no_sanitize("thread")))
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int veer_at[2], veer_wanted, veer_made, veer_number, veer_inside;
PLAIN static void point(void)
{
    if (veer_inside) return;
    veer_number++;
    if (veer_made == veer_wanted || veer_at[veer_made] != veer_number) return;
    veer_made++;
    veer_inside = 1;
    isr();
    veer_inside = 0;
}
PLAIN void __tsan_init(void) {}
PLAIN void __tsan_func_entry(void *p) { (void)p; }
PLAIN void __tsan_func_exit(void *p) { (void)p; }
#define PAIR(n) \
    PLAIN void __tsan_read##n(void *p) { (void)p; } PLAIN void __tsan_write##n(void *p) { (void)p; } \
    PLAIN void __tsan_volatile_read##n(void *p) { (void)p; point(); } \
    PLAIN void __tsan_volatile_write##n(void *p) { (void)p; point(); }
PAIR(1) PAIR(2) PAIR(4) PAIR(8)
PLAIN static void failed(int number) { (void)number; _exit(veer_made == veer_wanted ? 4 : 3); }
PLAIN static void try(unsigned char n, int count, int first, int second)
{
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        freopen("/dev/null", "w", stderr);
        signal(SIGABRT, failed);
        veer_at[0] = first, veer_at[1] = second, veer_wanted = count;
        int result = run(n);
        if (veer_made == veer_wanted) printf("%d %d,%d returned %d\n", n, first, second, result);
        fflush(stdout);
        _exit(veer_made == veer_wanted ? 0 : 3);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 4) printf("%d %d,%d assertion\n", n, first, second);
}
PLAIN int main(void)
{
    static const unsigned char values[] = {0, 1, 3, 4, 7};
    for (unsigned k = 0; k < sizeof values; k++) {
        try(values[k], 0, 0, 0);
        for (int first = 1; first < 24; first++) {
            try(values[k], 1, first, 0);
            for (int second = first + 1; second < 24; second++) try(values[k], 2, first, second);
        }
    }
    return 0;
}
"""
PROGRAMS = {"lost": LOST_UPDATE, "twice": TESTED_TWICE, "ring": RING, "wraps": WRAPS, "right": RIGHT}
FAULTY = {"lost", "twice", "wraps"}
Seen = tuple[str, str]
"""Where interrupts came, and how it ended."""


def _brute(folder: Path, source: str) -> dict[int, set[Seen]]:
    """By input what came of all placements of which each call was made."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    file, program = folder / "brute.c", folder / "brute"
    file.write_text(source + BRUTE)
    flags = ["-w", "-O0", "-fsanitize=thread", "--param=tsan-distinguish-volatile=1"]
    built = subprocess.run(
        ["gcc", *flags, file, "-nodefaultlibs", "-lc", "-o", program], capture_output=True, text=True
    )
    if built.returncode:
        pytest.skip("this gcc does not tell of volatile accesses")
    printed = subprocess.run([program], check=True, capture_output=True, text=True, timeout=120).stdout
    found: dict[int, set[Seen]] = {}
    for line in printed.splitlines():
        number, places, *ended = line.split()
        at = ",".join(each for each in places.split(",") if each != "0")
        found.setdefault(int(number), set()).add((at, " ".join(ended)))
    return found


def _explored(folder: Path, source: str) -> Result:
    file = folder / "unit.c"
    file.write_text(source)
    return veer.test(file, entry="run", interrupt="isr", interrupt_calls=2, criterion="path", budget="60s", grow=False)


def _seen(result: Result) -> list[tuple[int, Seen]]:
    """Of each test its input, where interrupts came, and how it ended."""
    found = []
    for test in result.tests:
        shown = dict(test.shown)
        at = re.sub(r"[^\d,]", "", shown.get("isr()", ""))
        value = shown["n"].split()[0].strip("'")
        number = int(value) if value.isdigit() else 0
        ended = "assertion" if test.outcome is Outcome.ASSERTION else f"returned {_returned(test)}"
        found.append((number, (at, ended)))
    return found


def _returned(test: veer.model.result.Test) -> int:
    return int.from_bytes(test.returned or b"", "little", signed=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_paths_are_the_placements(tmp_path: Path, name: str) -> None:
    """Each test is a placement that brute force has seen end so, and all of its ends are among the tests'."""
    brute = _brute(tmp_path, PROGRAMS[name])
    result = _explored(tmp_path, PROGRAMS[name])
    assert result.ending.claim == "paths", "not all was run"
    assert "up to 2 calls of isr before the first 256 volatile accesses" in result.ending.within
    seen = _seen(result)
    for number, found in seen:
        assert found in brute[_like(number, brute)], f"n = {number}: {found}"
    assert set().union(*brute.values()) == {found for _, found in seen}
    assert any(bug.outcome is Outcome.ASSERTION for bug in result.bugs) == (name in FAULTY)
    assert {bug.confirmed for bug in result.bugs} <= {"plain"}


def _like(number: int, brute: dict[int, set[Seen]]) -> int:
    """The input of brute force that takes the same paths: the programs ask for 1, 7, odd numbers and those above 3."""
    if number in brute:
        return number
    return 3 if number % 2 else 4
