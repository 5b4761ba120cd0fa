"""Suites check specifications without veer: no warning of any compiler; planted violations fail, mended units pass."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from suite_builds import zig_command
from watched_suites import WARNED, build_watched

import veer
from veer.model.outcome import Outcome

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("watched")]  # one worker builds for all

COMPILERS = [
    pytest.param((name,), marks=pytest.mark.skipif(not shutil.which(name), reason=f"{name} is not installed"), id=name)
    for name in ("gcc", "clang")
]
UNIT = """\
#include <stdlib.h>
#include <string.h>
#include "bus.h"
struct job { int kind; char *text; };
static int active;
static void begin(struct job *const job, int at[static 1]);
static char *copied(const char text[], size_t size)
{
    char *made = malloc(size + 1);
    if (made == NULL)
        exit(3);
    memcpy(made, text, size);
    made[size] = 0; /* { not a brace */
    return made;
}
static void begin(struct job *const job, int at[static 1]) { active += job->kind > 0; at[0] = '{'; }
__attribute__((noinline)) static int
ended(struct job job, int (*how)(int))
{
    free(job.text);
    active = 0;
    return how ? how(job.kind) : 0;
}
static int twice(int n) { return 2 * n; }
int run(int kind, int again)
{
    struct job job = {kind, copied("ab)\\"c", 5)};
    int at[2] = {0};
    bus_take(kind);
    begin(&job, at);
    if (kind == 7) {
        bus_give(LEAK, 0);
        return -1;
    }
    if (again == 12)
        exit(bus_give(kind, 1) > 100 ? 2 : 1);
    bus_give(kind, 1);
    return ended(job, again > 3 ? twice : NULL) + at[0];
}
"""
BUS_H = """\
enum { LEAK = 9 };
void bus_take(int owner);
int bus_give(int owner, int is_free);
static inline int bus_owner_is(int owner, int other) { return owner == other; }
"""
BUS = """\
#include "bus.h"
static void lamp(int is_on) { (void)is_on; }
static int owner;
void bus_take(int who) { owner = who; lamp(1); }
int bus_give(int who, int is_free) { if (bus_owner_is(owner, who) || is_free) { lamp(0); owner = 0; } return owner; }
"""
SPEC = """\
bus: calls (bus_take bus_give)*
lamps: complete (lamp(on) where (on == 1) lamp(off) where (off == 0))*
one: never (call free(p) where (p != 0) and previously once call free(p))
inactive: always (return ended() implies active == 0)
given: always (return bus_give(_, f) where (result == 0 && f == 0) implies false or once call bus_take())
owners: always (call bus_give(o) implies once (call bus_take(o) or call bus_give(o)))
written: always (return begin(_, a) where (a[0] == '{') implies
    once return copied(t, size) where (size == 5 && t[0] == 'a' && result != 0))
"""


def written(folder: Path, unit: str = UNIT, bus: str = BUS) -> list[Path]:
    (folder / "unit.c").write_text(unit)
    (folder / "bus.h").write_text(BUS_H)
    (folder / "bus.c").write_text(bus)
    return [folder / "unit.c", folder / "bus.c"]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a unit, and a suite of it in `out/suite`."""
    folder = tmp_path_factory.mktemp("watched")
    sources = written(folder)
    (folder / "unit.spec").write_text(SPEC)
    result = veer.test(sources, entry="run", spec=[str(folder / "unit.spec")], budget="60s", out=folder / "out")
    assert all(seen.is_seen for seen in result.watched)
    bugs = [bug for bug in result.bugs if bug.outcome is Outcome.VIOLATED]
    assert {bug.message for bug in bugs} == {"a specification is violated: lamps"}
    assert ("run", 25) in {(bug.function, bug.line) for bug in bugs}  # what is asked at the end is told of at the entry
    return folder


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_no_warning_and_the_same_verdicts(compiler: tuple[str, ...], level: str, campaign: Path) -> None:
    suite = build_watched(campaign / "out" / "suite" / "test_run.c", compiler, *WARNED, level)
    done = suite.run()
    assert done.returncode == 0, done.stdout
    listed = suite.run("--list").stdout
    bugs = [line.split()[1] for line in listed.splitlines() if line.startswith("--bug")]
    said = "".join(suite.run("--bug", bug).stdout for bug in bugs)
    assert "unit.spec:2: lamps is violated, behind the events: " in said


CHANGES = {
    "bus": ("    bus_take(kind);\n", "    bus_take(kind);\n    if (kind != 7) bus_take(kind);\n"),
    "inactive": ("    active = 0;\n", "    active = job.kind < 5;\n"),
}


@pytest.mark.parametrize("name", ["bus", "inactive"])
def test_planted_and_mended(name: str, campaign: Path) -> None:
    """The suite notices a change of calls that no expected value shows, and passes when it is taken back."""
    suite = campaign / "out" / "suite" / "test_run.c"
    try:
        written(campaign, UNIT.replace(*CHANGES[name]))
        done = build_watched(suite, zig_command()).run()
        assert done.returncode == 1
        assert f"{name} is violated, behind the events: " in done.stdout
    finally:
        written(campaign)
    assert build_watched(suite, zig_command()).run().returncode == 0


def test_a_function_that_is_gone_is_told(campaign: Path) -> None:
    """A monitor that hears of nothing would find nothing wrong."""
    suite = campaign / "out" / "suite" / "test_run.c"
    try:
        written(campaign, bus=BUS.replace("lamp(", "lamp_of_bus("))
        done = build_watched(suite, zig_command()).run()
        assert done.returncode < 0
        assert "found no definition of lamp:" in done.stderr
    finally:
        written(campaign)


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("gcc")), reason="needs cmake and gcc")
def test_cmake_builds_monitors(tmp_path: Path) -> None:
    """A change that no value shows is noticed by what CMake builds, in a source beside the entry's as well."""
    (tmp_path / "bus.h").write_text("void take(int);\nvoid give(int);\n")
    bus = '#include "bus.h"\nint owner;\nvoid take(int who) { owner = who; }\nvoid give(int who) { owner -= who; }\n'
    (tmp_path / "bus.c").write_text(bus)
    unit = tmp_path / "unit.c"
    text = '#include "bus.h"\nint run(int a) { take(a); if (a > 3) give(1); else give(2); return a; }\n'
    unit.write_text(text)
    (tmp_path / "unit.spec").write_text("bus: complete (take give)*\n")
    spec, out = [str(tmp_path / "unit.spec")], tmp_path / "out"
    veer.test([unit, tmp_path / "bus.c"], entry="run", spec=spec, budget="20s", out=out, format=["plain"])
    build = str(tmp_path / "build")
    printed("cmake", "-B", build, "-S", str(out / "suite" / "plain"))
    printed("cmake", "--build", build)
    assert "100% tests passed" in printed("ctest", "--test-dir", build)
    unit.write_text(text.replace("give(1)", "take(a)"))
    printed("cmake", "--build", build)
    assert "unit.spec:1: bus is violated, behind the events: " in printed(
        "ctest", "--test-dir", build, "-V", fails=True
    )


def printed(*words: str, fails: bool = False) -> str:
    """What a command prints."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    assert "warning" not in done.stdout + done.stderr
    return done.stdout


def test_sequences_and_variadic_functions(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(
        "#include <stdarg.h>\nstatic int depth;\n"
        "int sum(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; }\n"
        "void enter(int n) { if (n != 3) depth++; }\n"
        "int leave(void) { if (depth > 0) depth--; return depth; }\nint both(int a) { return sum(2, a, 1); }\n"
    )
    spec = tmp_path / "unit.spec"
    spec.write_text(
        "sums: never call sum(n) where (n > 2)\nend: at end (depth < 2 or not once call enter())\n"
        "calm: calls enter* leave*\n"
    )
    result = veer.test(unit, sequence="{enter,leave,both}", spec=[str(spec)], budget="30s", out=tmp_path / "out")
    text = (tmp_path / "out" / "suite").glob("test_*.c")
    suite = next(each for each in text if "watched" not in each.name)
    assert "Not checked here: sums: sum takes any number of arguments" in suite.read_text()
    bugs = {bug.message.rpartition(": ")[2] for bug in result.bugs}
    assert bugs == {"end", "calm"}
    built = build_watched(suite, zig_command())
    assert built.run().returncode == 0
    said = "".join(built.run("--bug", bug.test).stdout for bug in result.bugs)
    assert "unit.spec:2: end is violated" in said and "unit.spec:3: calm is violated" in said
