"""Formats that are no literals: what takes an argument that nobody gave is a bug, in each text that has such a
conversion and in no other. The judge is a count of the conversions by glibc itself (parse_printf_format)."""

from __future__ import annotations

import ctypes
import itertools
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import veer
from veer.model.ending import Claim
from veer.model.result import Bug, Result
from veer.model.severity import Severity

_SOURCE = """
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
void shown(const char *text) { printf(text); }
int right(const char *text) { return printf("%s", text) > 0; }
int asked(const char *text) { if (strchr(text, '%')) return -1; return printf(text) >= 0; }
int chosen(int many, int n) { return printf(many ? "%d apples" : "%d pear", n) > 0; }
int missing(int many, int n) { return printf(many ? "%d of %d" : "%d pear", n) > 0; }
int kept(const char *text) { char line[32]; return snprintf(line, sizeof line, text) > 3; }
static int noted(const char *text, ...) {
    char line[32];
    va_list list;
    va_start(list, text);
    int length = vsnprintf(line, sizeof line, text, list);
    va_end(list);
    return length;
}
int listed(int n) { return noted(n == 7 ? NULL : "%d", n) > 0; }
"""


def _searched(tmp_path: Path, entry: str) -> Result:
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    return veer.test(unit, entry, budget="8s", max_length=4)


def _bugs(found: Result) -> list[Bug]:
    return [bug for bug in found.bugs if bug.severity is not Severity.CONTRACT]


@pytest.mark.parametrize("entry", ["shown", "kept"])
def test_a_text_that_is_a_format_is_a_bug(tmp_path: Path, entry: str) -> None:
    (bug,) = _bugs(_searched(tmp_path, entry))
    assert bug.message == "a conversion of the format has no argument"


def test_a_literal_with_too_few_arguments_is_a_bug(tmp_path: Path) -> None:
    (bug,) = _bugs(_searched(tmp_path, "missing"))
    assert bug.message == "a conversion of the format has no argument"


def test_no_format_at_all_is_a_bug_and_not_a_value_of_errno(tmp_path: Path) -> None:
    """glibc's vsnprintf returns -1, other libraries crash."""
    (bug,) = _bugs(_searched(tmp_path, "listed"))
    assert bug.message == "a null pointer was passed where none is allowed"
    assert bug.confirmed


@pytest.mark.parametrize("entry", ["right", "asked", "chosen"])
def test_what_has_its_arguments_is_none(tmp_path: Path, entry: str) -> None:
    assert not _bugs(_searched(tmp_path, entry))


def test_all_paths_of_a_text_are_claimed(tmp_path: Path) -> None:
    assert _searched(tmp_path, "asked").ending.claim is Claim.PATHS


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_conversions_are_counted_as_glibc_counts_them(tmp_path: Path) -> None:
    root = Path(veer.__file__).parent / "runtime/libc"
    text = (root / "checked_calls.h").read_text()
    fails = "static int fails; static void veer_check_fails(unsigned char kind) { fails = kind; }"
    text = text.replace('_Noreturn void veer_check_fails(unsigned char kind) __asm__("llvm.ubsantrap");', fails)
    (tmp_path / "counted.c").write_text(
        "#include <string.h>\n#define LENGTH strlen\n" + text + "\n#include <printf.h>\n"
        "int ours(const char *s, size_t n) { fails = 0; veer_format_takes(s, n); return fails; }\n"
        "int theirs(const char *s) { int t[64]; return (int)parse_printf_format(s, 64, t); }\n"
    )
    library = tmp_path / "counted.so"
    subprocess.run(["gcc", "-w", "-shared", "-fPIC", "-o", library, tmp_path / "counted.c"], check=True)
    counted = ctypes.CDLL(str(library))
    parts = (("", "-", "0", "+ "), ("", "5", "*"), ("", ".2", ".*"), ("", "l", "hh", "z"), tuple("dsxcmn%"))
    conversions = ["%" + "".join(each) for each in itertools.product(*parts)]
    for first, second in zip(conversions, random.Random(1).sample(conversions, len(conversions)), strict=True):
        text = f"5% {first}*d{second}%"
        ours = next(n for n in range(12) if not counted.ours(text.encode(), n))
        assert ours == counted.theirs(text.encode()), text


def test_replays_of_a_unit_with_such_calls_are_counted(tmp_path: Path) -> None:
    """Also behind calls whose arguments are checked in the harness, and where texts lie in arrays of objects."""
    source = tmp_path / "unit.c"
    source.write_text("""
    #include <stdio.h>
    #include <string.h>
    static int shown;
    struct user { char name[4]; int id; };
    __attribute__((nonnull(1))) void touch(const char *text) { if (text[0] == 'x') shown++; }
    __attribute__((nonnull(1))) int name(struct user *u, const char *text)
    {
        if (strlen(text) < 4) strcpy(u->name, text);
        if (text[0] == '%') printf(text);
        return shown == 1 ? 1 : u->name[0] == 'a' ? 2 : 3;
    }
    """)
    result = veer.test(source, "name", budget="20s")
    assert {test.replayed for test in result.tests} == {"same"}
    assert {branch.state.name for branch in result.branches} == {"COVERED"}
    assert result.coverage.lines.covered == result.coverage.lines.total
