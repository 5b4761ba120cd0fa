"""Specifications against brute force: each input of a small domain, and each path that the search found.

The suite's own monitors, which the pinned compiler compiles without veer, must say the same of each test.

The meaning is that of specification_reference.py; the traces come from a build that veer has no part in.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from specification_reference import Traced, first_violation
from suite_builds import zig_command
from watched_suites import build_watched

import veer
from veer.model.ending import Claim
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.specs.reading import of_file

pytestmark = pytest.mark.slow

DOMAIN = [(a, b) for a in range(10) for b in range(10)]
LIMITS = "    if (a < 0 || a > 9 || b < 0 || b > 9) return -1;\n"

LOCKS = """
static int held;
static void lock(int m) { held = m + 1; }
static void unlock(int m) { held = 0; }
static int busy(int n) { return n > 2 ? busy(n - 1) + 1 : n; }
int run(int a, int b) {
LIMITS    lock(1);
    if (a > 6 && b < 3) { lock(2); return 5; }
    if (busy(a) == b) unlock(1);
    if (a + b != 17) unlock(1); else return 4;
    if (b == 9) lock(0);
    return 0;
}
"""
FILES = """
static int next, state[4];
static int open_(int m) { int fd = m % 3; state[fd] = 1; return m > 7 ? -1 : fd; }
static int read_(int fd) { return fd < 0 ? 0 : state[fd & 3] * fd; }
static int close_(int fd) { if (fd >= 0) state[fd & 3] = 0; return 0; }
int run(int a, int b) {
LIMITS    int x = open_(a), y = open_(b);
    read_(x);
    if (a != 4) read_(y);
    close_(x);
    if (b > 5) read_(y);
    if (a == b) close_(y);
    read_(b & 1 ? x : 2);
    return 0;
}
"""
MODES = """
int FLAG, ready = 1;
static int step(int s) { FLAG = s * 3; if (s < 6) FLAG = 0; return s * s; }
static int check(int n) { if (n == 3) ready = 0; return n & 1; }
static void commit(void) { ready = 1; }
static int data(int n) { return n - 4; }
static int down(int n) { return n < 2 ? n : down(n - 2) + 1; }
int run(int a, int b) {
LIMITS    step(a);
    if (check(b)) step(b); else data(a - b);
    if (a > 4) commit();
    check(a);
    data(b);
    if (b != 8) commit();
    if (a == 2 * b) { step(3); data(a); data(b); }
    return down(a);
}
"""
CASES = {
    "alternate": (LOCKS, "calls (lock unlock)*"),
    "complete": (LOCKS, "complete (lock unlock)*"),
    "with arguments": (LOCKS, "calls (lock(m) where (m > 0) unlock(1)?)* "),
    "at the end": (LOCKS, "at end (held == 0 or once return busy(n) == (n + 3))"),
    "shared, since": (FILES, "always (call read_(fd) implies (not return close_(fd)) since return open_() == fd)"),
    "shared, expression": (
        FILES,
        "complete (return open_(_) == fd (call read_(fd) call close_(fd)? | call close_(fd))*)*",
    ),
    "shared, never twice": (FILES, "never (call close_(fd) and previously once call close_(fd))"),
    "results": (FILES, "never (return read_() == 2 and once return open_(m) where (m < 4 && result > 1))"),
    "flag": (MODES, "always (return step() implies FLAG == 0)"),
    "weak since": (MODES, "always (call commit() implies not (call data(n) where (n > 2)) weakly since call check(5))"),
    "historically": (MODES, "always (call commit() implies historically (ready == 1 or call data()))"),
    "previously": (MODES, "always (call step(s) where (s > 2) implies weakly previously return step() == 9)"),
    "strong and weak": (
        MODES,
        "never (call commit() and (previously return check() == 1) and weakly previously FLAG > 3)",
    ),
    "counts": (MODES, "calls (step{1,2} (check | data){2,4} commit?)* (. .)?"),
    "recursion": (MODES, "never (call down(n) where (n == 1) and previously call down(3))"),
    "three": (MODES, "never (call commit() and previously once (call data(4) and previously once call step(4)))"),
}
SHOWN = {LOCKS: ["held"], FILES: ["next"], MODES: ["FLAG", "ready"]}


def inputs_of(test: Test) -> tuple[int, int]:
    values = dict(test.shown)
    return int(values["a"], 0), int(values["b"], 0)


def searched(source: str, text: str, folder: Path, **more: object) -> Result:
    unit = folder / "unit.c"
    unit.write_text(source.replace("LIMITS", LIMITS))
    (folder / "unit.spec").write_text(f"it: {text}\n")
    given = {"criterion": "path", "budget": "60s", "no_check": ["all"], "shrink": False} | more
    return veer.test(unit, entry="run", spec=[str(folder / "unit.spec")], out=folder / "out", **given)


@pytest.mark.parametrize("name", CASES)
def test_all_inputs_and_all_paths(name: str, tmp_path: Path) -> None:
    source, text = CASES[name]
    (specification,) = of_file(Path("unit.spec"), f"it: {text}\n")
    traced = Traced(source.replace("LIMITS", LIMITS), "run", SHOWN[source], tmp_path)
    verdicts = {given: first_violation(specification, run) for given, run in traced.runs(DOMAIN).items()}
    result = searched(source, text, tmp_path)
    assert result.ending.claim is Claim.PATHS
    bugs = [bug for bug in result.bugs if bug.outcome is Outcome.VIOLATED]
    assert bool(bugs) == any(verdict is not None for verdict in verdicts.values())
    assert all(bug.confirmed.value == "plain" for bug in bugs)
    tests = {inputs_of(test): test for test in result.tests}
    again = traced.runs(list(tests))
    suite = build_watched(tmp_path / "out" / "suite" / "test_run.c", zig_command())
    for given, test in tests.items():
        is_violated = first_violation(specification, again[given]) is not None
        assert (test.outcome is Outcome.VIOLATED) == is_violated, (given, test.outcome)
        assert test.replayed == "same"
        done = suite.run("--bug" if test.outcome is Outcome.VIOLATED else "--test", test.name)
        assert ("unit.spec:1: it is violated" in done.stdout) == is_violated, (given, done.stdout)
        assert done.returncode == (-signal.SIGABRT if is_violated else 0)


@pytest.mark.parametrize("name", CASES)
def test_aimed_at_and_pruned(name: str, tmp_path: Path) -> None:
    """The search that goes for violations, and leaves out what no event can follow, finds one where there is one."""
    source, text = CASES[name]
    (specification,) = of_file(Path("unit.spec"), f"it: {text}\n")
    traced = Traced(source.replace("LIMITS", LIMITS), "run", SHOWN[source], tmp_path)
    verdicts = [first_violation(specification, run) for run in traced.runs(DOMAIN).values()]
    more = {"strategy": "specification", "goal": "specification", "look_ahead": True, "criterion": "branch"}
    result = searched(source, text, tmp_path, **more)
    found = any(bug.outcome is Outcome.VIOLATED for bug in result.bugs)
    assert found == any(verdict is not None for verdict in verdicts)


def test_workers_tell_what_they_saw(tmp_path: Path) -> None:
    source, text = CASES["counts"]
    alone = searched(source, text, tmp_path)
    two = searched(source, text, tmp_path, jobs=2)
    assert two.watched[0].is_seen and two.watched == alone.watched
    assert [bug.message for bug in two.bugs] == [bug.message for bug in alone.bugs]


def test_two_at_the_same_place_are_two_bugs(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text("static void f(int n) { (void)n; }\nint run(int a) { f(a); return a > 3; }\n")
    both = tmp_path / "both.spec"
    both.write_text("one: never (call f(n) where (n > 3))\ntwo: never (call f(n) where (n < 0))\nthree: calls run f\n")
    result = veer.test(unit, entry="run", spec=[str(both)], budget="20s", out=tmp_path / "out")
    assert sorted(bug.message for bug in result.bugs) == [
        "a specification is violated: one",
        "a specification is violated: two",
    ]
    assert all(seen.is_seen for seen in result.watched)
    events = {bug.message[-3:]: next(t for t in result.tests if t.name == bug.test).events for bug in result.bugs}
    assert all(len(each) == 2 and each[0].startswith("run(") and each[1].startswith("f(") for each in events.values())


@pytest.mark.parametrize("name", ["LIMIT", "RED", "held", "run", "number"])
def test_names_of_the_source_name_no_value(name: str, tmp_path: Path) -> None:
    """Else `== RED` would give a name to any value, and hold."""
    unit = tmp_path / "unit.c"
    unit.write_text(
        "#define LIMIT 3\nenum colour { RED };\ntypedef int number;\nstatic int held;\n"
        "int run(int a) { held = a; return held; }\n"
    )
    (tmp_path / "unit.spec").write_text(f"it: always (return run() == {name} implies false)\n")
    with pytest.raises(UsageError, match=rf"unit\.spec:1: `{name}` means something in unit\.c already"):
        veer.test(unit, entry="run", spec=[str(tmp_path / "unit.spec")], out=tmp_path / "out")
