"""The one table of what is known of the C library, and how it reaches the layers above."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.c.build import build
from veer.frontends.c.library_facts import FACTS, known
from veer.model.buildoptions import BuildOptions
from veer.model.program import ExternalFunction, Fact
from veer.search.reachable import reachable_functions
from veer.toolchain.compiler import find


def test_no_function_both_calls_back_and_calls_nothing() -> None:
    assert all(not {Fact.CALLS_BACK, Fact.CALLS_NOTHING} <= facts for facts in FACTS.values())
    assert not any({Fact.JUMPS, Fact.DEFERS} & facts and Fact.CALLS_NOTHING in facts for facts in FACTS.values())


def test_veers_own_go_by_the_librarys_names() -> None:
    assert known(["veer_libc_qsort", "mine"]) == (ExternalFunction("qsort", (Fact.CALLS_BACK,)),)


def test_a_program_takes_along_what_is_known_of_its_calls(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "#include <setjmp.h>\n#include <stdlib.h>\n#include <time.h>\n"
        "static jmp_buf back;\n"
        "static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }\n"
        "int f(int x) { char s[2] = {1, 0}; qsort(s, 2, 1, order); if (x) longjmp(back, 1);\n"
        "    int unused = atoi(s); (void)unused; rand(); if (atol(s)) x = 1; return time(0) > 0; }\n"
    )
    program = build(BuildOptions((source,), "f"), find(None))
    assert "longjmp" in program.known_to(Fact.JUMPS)
    assert "qsort" in program.known_to(Fact.CALLS_BACK)
    assert program.known_to(Fact.ASKS_TIME, Fact.ASKS_SETTINGS) == {"time"}
    assert not program.known_to(Fact.ASKS_FILES)
    entry = program.function("f")
    assert entry is not None
    assert set(entry.heeds) == {"atol", "time"}, "only their results are used"


ERRNO = {
    "int f(const char *s) { long v = strtol(s, 0, 10); return errno ? -1 : v > 3; }": True,
    "int f(const char *s) { errno = 0; long v = strtol(s, 0, 10); return errno ? -1 : v > 3; }": False,
    "int f(const char *s) { if (s) errno = 0; return errno == ERANGE; }": True,
    "int f(const char *s) { if (s) errno = 0; else errno = EINVAL; return errno == ERANGE; }": False,
    "int f(const char *s) { int n = 0; do { if (n) n += errno; errno = 0; } while (n++ < 3); return n; }": True,
    "int f(const char *s) { errno = EINVAL; return -1; }": False,
}


@pytest.mark.parametrize("text", ERRNO)
def test_errno_is_heeded_where_it_is_read_before_it_is_written(text: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(f"#include <errno.h>\n#include <stdlib.h>\n{text}\n")
    entry = build(BuildOptions((source,), "f"), find(None)).function("f")
    assert entry is not None
    assert ("errno" in entry.heeds) == ERRNO[text]


def test_the_names_stand_nowhere_else() -> None:
    """Above the front ends nobody names such a function; English words (open, time) are not looked for."""
    words = {"open", "stat", "access", "time", "clock", "signal", "system", "abort", "exit", "free"}
    words |= {"read", "write", "close", "pipe", "raise", "sleep", "alarm", "poll", "select"}
    named = {f'"{name}"' for name in FACTS.keys() - words}
    source = Path(__file__).parents[4] / "src" / "veer"
    for package in ("search", "findings", "oracles", "smt", "execution", "campaign"):
        for file in (source / package).rglob("*.py"):
            text = file.read_text()
            assert not [name for name in named if name in text], file


@pytest.mark.parametrize(
    ("name", "is_silent"),
    [
        ("__errno_location", True),
        ("tcflush", True),
        ("getpid", True),
        ("qsort_r", False),
        ("scandir", False),
        ("pthread_create", False),
        ("pthread_mutex_lock", True),
        ("sigaction", False),
        ("atexit", False),
        ("of_a_library_that_is_linked", False),
    ],
)
def test_functions_of_the_library_call_none_of_the_programs_but_some(name: str, is_silent: bool) -> None:
    found = {each.name: each.facts for each in known([name], [name])}
    assert (Fact.CALLS_NOTHING in found.get(name, ())) is is_silent


def test_who_asks_for_errno_leads_to_no_table_of_functions(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "#include <errno.h>\n"
        "static int one(int x) { return x > 3; }\n"
        "int (*const table[])(int) = {one};\n"
        "int f(int x) { if (x < 0) { errno = EINVAL; return -1; } return 0; }\n"
        "int g(int x) { return x ? table[0](x) : 0; }\n"
    )
    for entry, leads_to in (("f", {"f"}), ("g", {"g", "one"})):
        assert reachable_functions(build(BuildOptions((source,), entry), find(None))) == leads_to
