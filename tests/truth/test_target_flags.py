"""Flags that change what a source means: what veer says with a flag against gcc's (or zig's) build with the same flag.

Each program is small enough to try all of its values, and its answers with the flag are others than without.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import build_suite, compilations, compiler_command
from veer_side import explore

from veer.cli.app import main
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.suite.c import plain


@dataclass(frozen=True)
class Meaning:
    """A flag, a program, and the loops that keep every answer of the program."""

    flag: str
    program: str
    driver: str


CHARS = Meaning(
    "-funsigned-char",
    "int f(char c, const char *s) { if (c > 127) return 1; if (c < 0) return 2;"
    " if (s && s[0] == 0xe4) return s[1] > 'z' ? 3 : 4; return 0; }",
    "for (int c = 0; c < 256; c++) for (int a = 0; a < 256; a++) for (int b = 0; b < 256; b++) {"
    " char s[] = { (char)a, a ? (char)b : 0, 0 }; keep(f((char)c, s)); } keep(f(1, 0));",
)
ENUMS = Meaning(
    "-fshort-enums",
    "enum color { RED, BLUE }; enum wide { A = 1, B = 300 }; enum sign { DOWN = -1, UP = 1 };"
    " struct s { enum color c; enum sign d; enum wide b; unsigned char tail; };"
    " static struct s kept;"
    " int f(struct s *p, enum color k) { int n = (int)sizeof(struct s); if (!p) return -n; kept = *p;"
    " if (p->b == B && p->tail == 7) return n + 1; if (k > 255) return n + 2; if (p->d == DOWN) return n + 3;"
    " if (p->c == (enum color)200) return n + 4; return n; }",
    "static const int bs[] = { 0, 300 }, cs[] = { 0, 200 }, ts[] = { 0, 7 };"
    " for (int k = 0; k < 1000; k++) for (int i = 0; i < 16; i++) { struct s v = { (enum color)cs[i & 1],"
    " i & 8 ? DOWN : UP, (enum wide)bs[i >> 1 & 1], (unsigned char)ts[i >> 2 & 1] };"
    " keep(f(&v, (enum color)k)); } keep(f(0, RED));",
)
PACKED = Meaning(
    "-fpack-struct",
    "struct in { char a; short b; }; struct s { char tag; struct in in[2]; double d; unsigned x : 3, y : 7; };"
    " struct s made(struct s v) { v.tag++; return v; }"
    " int f(struct s *p, struct in v, const unsigned char raw[4]) { int n = (int)sizeof(struct s); if (!p) return -n;"
    " if (p->in[1].b == 77 && p->tag == 'x') return n + 1; if (p->d == 2.5 && p->y == 77) return n + 2;"
    " if (v.b == -3 && made(*p).tag == 3) return n + 3; if (!raw) return n;"
    " const struct in *i = (const struct in *)raw; return i->b == 0x0102 ? n + 4 : n + 5; }",
    "for (int i = 0; i < 32; i++) { struct s v = { i & 1 ? 'x' : 2, { { 0, 0 }, { 1, i & 2 ? 77 : 0 } }, i & 4 ? 2.5"
    " : 0, 1, i & 8 ? 77 : 0 }; struct in w = { 0, i & 16 ? -3 : 3 }; keep(f(&v, w, 0));"
    " for (int k = 0; k < 65536; k++) { unsigned char raw[4] = { 0, k & 255, k >> 8, 0 }; keep(f(&v, w, raw));"
    " memmove(raw + 2, raw + 1, 2); keep(f(&v, w, raw)); } } struct in z = { 0, 0 }; keep(f(0, z, 0));",
)
PACKED_TO_TWO = Meaning("-fpack-struct=2", PACKED.program, PACKED.driver)
WRAPS = Meaning(
    "-fwrapv",
    "int f(int a, int b) { int s = a + b; if (a > 0 && b > 0 && s < 0) return 1; if (-a == a && a) return 2;"
    " if (a * 3 == -5) return 3; return a + 1 < a ? 4 : 0; }",
    "static const int vs[] ="
    " { 0, 1, -1, 2, 0x7fffffff, -0x7fffffff - 1, 0x40000000, -1431655767, 1431655767, 1431655764 };"
    " for (int i = 0; i < 10; i++) for (int k = 0; k < 10; k++) keep(f(vs[i], vs[k]));",
)
NO_STRICT = Meaning("-fno-strict-overflow", WRAPS.program, WRAPS.driver)
LONG_DOUBLE = Meaning(
    "-mlong-double-64",
    "int f(long double x) { int n = (int)sizeof x; if (x == (long double)0.1) return n + 1;"
    " if (x + 1 == x && x > 0 && x < 1e17L) return n + 2; return n; }",
    "keep(f(0.1)); keep(f(0)); keep(f(1e16L)); keep(f(1e19L)); keep(f(1e-30L));",
)
WIDE_CHARS = Meaning(
    "-fshort-wchar",
    "int f(__WCHAR_TYPE__ c) { int n = (int)sizeof c; if (c == L'\\x20ac') return n + 1; if (c > 0 && (c << 16) == 0)"
    " return n + 2; return c < 0 ? n + 3 : n; }",
    "for (long c = -70000; c < 140000; c++) keep(f((__WCHAR_TYPE__)c));",
)
WRAPPING = ("-fwrapv", "-fno-strict-overflow")
MEANINGS = {each.flag: each for each in (CHARS, ENUMS, PACKED, PACKED_TO_TWO, WRAPS, NO_STRICT, WIDE_CHARS)}
ALIKE = ("-fpack-struct", "-fno-strict-overflow")
"""What they mean, -fpack-struct=2 and -fwrapv mean, too."""
BRUTE = """#include <string.h>
%s
int seen[4096], count;
static void keep(int v) { for (int i = 0; i < count; i++) if (seen[i] == v) return; seen[count++] = v; }
int all(void) { count = 0; %s return count; }
"""


def answers(meaning: Meaning, folder: Path, flags: Iterable[str]) -> set[int]:
    """What the program answers for all values that are tried, compiled with the flags."""
    source, library = folder / "brute.c", folder / f"brute{len(list(folder.iterdir()))}.so"
    source.write_text(BRUTE % (meaning.program, meaning.driver))
    command = [*compiler_command(), *flags, "-w", "-O1", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    loaded = ctypes.CDLL(str(library))
    return set((ctypes.c_int * 4096).in_dll(loaded, "seen")[: loaded.all()])


def explored(meaning: Meaning, folder: Path, flags: tuple[str, ...], **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(meaning.program + "\n")
    options = {"cflags": flags, "max_length": 4, **options}
    return explore(BuildOptions((source,), "f", **options), SearchOptions(criterion="path", budget=30.0))


def returned(result: Result) -> set[int]:
    """What the tests say that the program returns."""
    values = [test.returned for test in result.tests if test.outcome is Outcome.RETURNED]
    return {int.from_bytes(value, "little", signed=True) for value in values if value is not None}


@pytest.mark.parametrize("flag", sampled(MEANINGS, lambda flag: flag not in ALIKE))
def test_answers_and_suite_are_those_of_a_build_with_the_flag(flag: str, tmp_path: Path) -> None:
    result = explored(MEANINGS[flag], tmp_path, (flag,))
    assert result.ending.claim == Claim.PATHS and not result.bugs
    assert all(test.replayed == "same" for test in result.tests)
    assert returned(result) == answers(MEANINGS[flag], tmp_path, [flag])
    assert flag in result.program.compile_flags
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for command in compilations():
        built = build_suite(tmp_path, plain.file_name(result.program), suite, (*command, flag))
        assert built.run().returncode == 0, (command, built.run().stdout)


@pytest.mark.parametrize("flag", sampled(sorted({*MEANINGS} - {*WRAPPING}), lambda flag: flag not in ALIKE))
def test_without_the_flag_the_answers_are_others(flag: str, tmp_path: Path) -> None:
    plainly = returned(explored(MEANINGS[flag], tmp_path, ()))
    assert plainly == answers(MEANINGS[flag], tmp_path, []) != answers(MEANINGS[flag], tmp_path, [flag])


@pytest.mark.parametrize("flag", sampled(WRAPPING, lambda flag: flag == "-fwrapv"))
def test_where_overflow_wraps_it_is_a_bug_only_on_request(flag: str, tmp_path: Path) -> None:
    assert not explored(WRAPS, tmp_path, (flag,)).bugs
    assert Outcome.UNDEFINED in [bug.outcome for bug in explored(WRAPS, tmp_path, ()).bugs]
    assert Outcome.UNDEFINED in [bug.outcome for bug in explored(WRAPS, tmp_path, (flag,), checks=("overflow",)).bugs]


def test_long_double_of_64_bits_is_followed(tmp_path: Path) -> None:
    result = explored(LONG_DOUBLE, tmp_path, (LONG_DOUBLE.flag,))
    assert returned(result) == answers(LONG_DOUBLE, tmp_path, [LONG_DOUBLE.flag]) == {8, 9, 10}


@pytest.mark.parametrize("flag", sampled(MEANINGS, lambda flag: flag in ("-funsigned-char", "-fpack-struct=2")))
def test_a_compile_command_says_the_same(flag: str, tmp_path: Path) -> None:
    source, database = tmp_path / "unit.c", tmp_path / "compile_commands.json"
    source.write_text(MEANINGS[flag].program + "\n")
    entry = {"directory": str(tmp_path), "arguments": ["cc", "-O2", flag, "-c", "unit.c"], "file": "unit.c"}
    database.write_text(json.dumps([entry]))
    out = tmp_path / "out"
    call = ["test", "--compdb", str(database), "--entry", "f", "--out", str(out), "--max-length", "4", "--quiet"]
    assert main([*call, "--fail-on", "undefined"]) == 0
    summary = json.loads((out / "summary.json").read_text())
    for command in summary["commands"]:
        done = subprocess.run(command, shell=True, cwd=out / "suite", timeout=60, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert flag in " ".join(summary["commands"])
