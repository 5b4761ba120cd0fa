"""Formatted output, checked functions, numbers in texts, as machine code calls them: veer, its emulator, and C itself.

Zig's compiler makes the programs; the same source, loaded into this process, is the third word.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = r"""
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
void *__memcpy_chk(void *, const void *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
#if defined(__aarch64__) || defined(__powerpc__)
#define shown snprintf /* their va_list is not followed */
#else
static int shown(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}
#endif
static int sum(const char *text, int length) {
    int total = length;
    for (; *text; text++) total = total * 31 + *text;
    return total;
}
static const int numbers[4] = {0, -7, 1234567, 64};
static const char *const texts[4] = {"2.5e3x", "-0x1p4", "none", ".25"};
int formats(uint8_t which, uint8_t a) {
    char text[100], *end;
    int n = numbers[a & 3], length;
    volatile double fraction = 11.5;
    switch (which) {
    case 0:
        length = snprintf(text, sizeof text, "%d:%s%c|%5d|%-4u|%#x%lx%%", n, &"xyz"[a & 1], 'A' + (a & 3), n, a & 3u, n,
                          (long)(a & 3));
        return sum(text, length);
    case 1:
        length = sprintf(text, "%lld,%d,%llx,%+03d,%.4hd,%hhu", (long long)n << 20, 7, 1ull << 40 | (a & 3), n, n, n);
        return sum(text, length);
    case 2:
        length = snprintf(text, 4, "%*d|%-*.3s", 3, n, a & 3, "abcd");
        return sum(text, length);
    case 3:
        length = shown(text, sizeof text, "%s %lu %lld %x %d %d", texts[a & 3], 3ul, -5ll, n, n, 1);
        return sum(text, length);
    case 4:
        length = __snprintf_chk(text, 8 + (a & 3), 1, 10, "%o", n);
        return sum(text, length);
    case 5:
        memset(text, 0, 9);
        __memcpy_chk(text, "abcdefg", a & 7, 5);
        return sum(text, 1);
    case 6:
        length = __sprintf_chk(text, 1, 5, "%d", n);
        return sum(text, length);
    case 7:
        strcpy(text, "12");
        __strcat_chk(text, texts[a & 3], 7);
        return sum(text, 2);
#ifdef FLOATS
    case 8: /* numbers of inputs would be formatted as they are in one run */
        if (a & 1) length = snprintf(text, sizeof text, "%.2f %g %d %8.1e", fraction / 4, fraction, 5, fraction * 1e10);
        else length = snprintf(text, sizeof text, "%d %d %d %d %d %f %d", 1, 2, 3, 4, 5, -fraction, 6);
        return sum(text, length);
#endif
#ifdef RESULTS
    case 9:
        fraction = a & 1 ? strtod("2.5e3x", &end) : strtod("-0x1p4", &end);
        return (int)(fraction * 8) * 16 + *end;
    case 11:
        errno = a & 4 ? 3 : 0;
        n = a & 1 ? strtol("99999999999999999999", 0, 10) > 0 : (int)strtol("-5", 0, 10);
        length = errno, errno = 0;
        fraction = a & 2 ? strtod("1e999", 0) : strtod("7", 0);
        return length * 1000 + errno * 10 + n + (fraction > 8);
#endif
    case 10:
        return localeconv()->decimal_point[a & 1] * 3 + localeconv()->thousands_sep[0] + localeconv()->frac_digits;
    default: return 0;
    }
}
int main(int argc, char **argv) { return formats(argc, (uint8_t)*argv[0]); }
"""
TARGETS = {
    "x86-64": ("x86_64-linux-gnu", "-DFLOATS", "-DRESULTS"),
    "arm": ("arm-linux-gnueabihf", "-DFLOATS"),
    "aarch64": ("aarch64-linux-gnu", "-DFLOATS", "-DRESULTS"),
    "riscv64": ("riscv64-linux-gnu",),
    "powerpc": ("powerpc-linux-musleabi",),
}
OBJECTS = ("powerpc",)
ENDED = (Outcome.ABORTED, Outcome.ILLEGAL)
"""On ARM Zig has a `__memcpy_chk` of its own, which ends by an illegal instruction."""
IN_EACH_CHECK = ("x86-64",)
FLAGS = ("-O1", "-fno-sanitize=all", "-fno-stack-protector", "-fno-builtin", "-w")


def zig(*words: object) -> None:
    subprocess.run([compiler.find().command[0], "cc", *map(str, words)], check=True, capture_output=True)


def explored(name: str, folder: Path) -> Result:
    """All paths of the program for that machine."""
    source, output = folder / "unit.c", folder / ("program.o" if name in OBJECTS else "program")
    source.write_text(UNIT)
    target, *more = TARGETS[name]
    zig("-target", target, *FLAGS, *more, *(("-c",) if name in OBJECTS else ("-fPIE", "-pie")), source, "-o", output)
    build = BuildOptions((output,), "formats", prototype="int formats(uint8_t which, uint8_t a)")
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))


def given(test: Test) -> tuple[int, int]:
    values = {root.name: root.cells[0].value.number for root in test.inputs.roots if root.cells}  # type: ignore[union-attr]
    return values["which"], values.get("a", 0)


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_formatted_output_is_that_of_c(name: str, tmp_path: Path) -> None:
    result = explored(name, tmp_path)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    flags = (*FLAGS, *TARGETS[name][1:], "-shared", "-fPIC")
    zig("-target", "x86_64-linux-gnu", *flags, tmp_path / "unit.c", "-o", tmp_path / "own.so")
    library = ctypes.CDLL(str(tmp_path / "own.so"))
    for test in result.tests:
        which, a = given(test)
        if test.outcome is Outcome.RETURNED:
            assert int.from_bytes(test.returned or b"", "little", signed=True) == library.formats(which, a), (which, a)
        else:
            assert test.outcome in ENDED and which in (4, 5, 6, 7), (which, a)
    assert {given(test)[0] for test in result.tests if test.outcome in ENDED} == {4, 5, 6, 7}, (
        "too little room is found for each checked function"
    )
