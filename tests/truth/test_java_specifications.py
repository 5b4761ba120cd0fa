"""Specifications of units in Java against brute force: each input of a small domain, and each path that was found.

The meaning is that of specification_reference.py; the traces come from a JVM that veer has no part in, on a source in
which each method has a wrapper that prints. The suite's own monitors must say the same of each test.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from junit_standins import JUNIT4, JUNIT5
from sampling import sampled
from specification_reference import Run, event, first_violation, names_of

import veer
from veer import plugins
from veer.model.ending import Claim
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.specs.reading import of_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("javac"), reason="there is no JDK: install openjdk-17-jdk-headless"),
]

DOMAIN = [(a, b) for a in range(10) for b in range(10)]
UNIT = """\
final class Unit {
    static int held, ready, flag;
    static int[] state;
    static void lock(int m) { held = m + 1; }
    static void unlock(int m) { held = 0; }
    static int open(int m) { int fd = m % 3; state[fd] = 1; return m > 7 ? -1 : fd; }
    static int read(int fd) { return fd < 0 ? 0 : state[fd & 3] * fd; }
    static int close(int fd) { if (fd >= 0) state[fd & 3] = 0; return 0; }
    static int step(int s) { flag = s * 3; if (s < 6) flag = 0; return s * s; }
    static int check(int n) { if (n == 3) ready = 0; if (n == 8) throw new IllegalStateException(); return n & 1; }
    static void commit(boolean force) { if (force) ready = 1; }
    static int run(int a, int b) {
        held = 0; ready = 1; flag = 0; state = new int[4];
        if (a < 0 || a > 9 || b < 0 || b > 9) return -1;
        lock(1);
        if (a > 6 && b < 3) { lock(2); return 5; }
        if (a + b != 17) unlock(1);
        int x = open(a), y = open(b);
        read(x);
        if (a != 4) read(y);
        close(x);
        if (b > 5) read(y);
        if (a == b) close(y);
        step(a);
        try { if (check(b) == 1) step(b); } catch (IllegalStateException error) { flag = 2; }
        if (a > 4) commit(b != 8);
        return a == 2 * b ? step(3) : 0;
    }
}
"""
CASES = {
    "alternate": "calls (lock unlock)*",
    "complete": "complete (Unit.lock Unit.unlock)*",
    "at the end": "at end (Unit.held == 0 or not once call step(n) where (n > 4))",
    "shared, since": "always (call read(fd) implies (not return close(fd)) since return open() == fd)",
    "shared, never twice": "never (call close(fd) and previously once call close(fd))",
    "results": "never (return Unit.read() == 2 and once return open(m) where (m < 4 && result > 1))",
    "flag": "always (return step() implies Unit.flag == 0)",
    "exception": "always (call commit() implies once return check(n) where (n != 8))",
    "booleans": "never (call commit(f) where (f == 0) and Unit.flag > 1)",
    "historically": "always (call commit() implies historically (Unit.ready == 1 or call step()))",
    "counts": "calls (open{2} (read | close){2,5} step{1,3} commit?)*",
}
SHOWN = ("held", "ready", "flag")
_DEFINITION = re.compile(r"^    static (\w+) (\w+)\(([^)]*)\) \{", re.MULTILINE)
_CONDITION = re.compile(r"Unit\.(?=held|ready|flag)")


def traced(folder: Path, inputs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Run]:
    """The run of each input on the JVM."""
    folder.mkdir(exist_ok=True)
    show = "".join(f' + " {name}=" + {name}' for name in SHOWN)
    wrappers = "".join(_wrapper(found, show) for found in _DEFINITION.finditer(UNIT))
    text = _DEFINITION.sub(lambda f: f"    static {f[1]} raw_{f[2]}({f[3]}) {{", UNIT).rstrip().removesuffix("}")
    main = (
        "    public static void main(String[] given) {\n        for (int k = 0; k < given.length; k += 2) {\n"
        '            System.out.println("@ " + given[k] + " " + given[k + 1]);\n'
        "            run(Integer.parseInt(given[k]), Integer.parseInt(given[k + 1]));\n"
        f'            System.out.println("end"{show});\n        }}\n    }}\n}}\n'
    )
    (folder / "Unit.java").write_text(text + wrappers + main)
    subprocess.run(["javac", "-d", str(folder), str(folder / "Unit.java")], check=True, timeout=120)
    words = [str(each) for pair in inputs for each in pair]
    done = subprocess.run(
        ["java", "-cp", str(folder), "Unit", *words], capture_output=True, text=True, check=True, timeout=120
    )
    found = {}
    for part in done.stdout.split("@ ")[1:]:
        head, *lines = part.splitlines()
        a, b = map(int, head.split())
        found[a, b] = Run(tuple(event(line) for line in lines[:-1]), names_of(lines[-1].split()[1:]))
    return found


def _wrapper(found: re.Match[str], show: str) -> str:
    result, name, parameters = found[1], found[2], found[3]
    names = [each.split()[1] for each in parameters.split(",")]
    numbers = [f"({n} ? 1 : 0)" if f"boolean {n}" in parameters else n for n in names]
    told = "".join(f' + "," + {each}' for each in numbers)
    call = f"raw_{name}({', '.join(names)})"
    back = "" if result == "void" else f"{result} r = "
    value = '" -"' if result == "void" else '" " + r'
    return (
        f"    static {result} {name}({parameters}) {{\n"
        f'        System.out.println("call {name} - a"{told}{show});\n        {back}{call};\n'
        f'        System.out.println("return {name}" + {value} + " a"{told}{show});\n'
        f"        {'' if result == 'void' else 'return r;'}\n    }}\n"
    )


def searched(text: str, folder: Path, unit: str = UNIT) -> Result:
    (folder / "Unit.java").write_text(unit)
    (folder / "unit.spec").write_text(f"it: {text}\n")
    given = {"criterion": "path", "budget": "60s", "shrink": False}
    spec = [str(folder / "unit.spec")]
    return veer.test(folder / "Unit.java", entry="Unit.run", spec=spec, out=folder / "out", **given)


def inputs_of(test: Test) -> tuple[int, int]:
    values = dict(test.shown)
    return int(values["a"], 0), int(values["b"], 0)


@pytest.mark.parametrize("name", sampled(CASES, lambda name: len(name) % 2 == 0))
def test_all_inputs_and_all_paths(name: str, tmp_path: Path) -> None:
    # The reference knows no class: `Unit.lock` is `lock`, `Unit.held` is `held`; its booleans are numbers.
    said = re.sub(r"Unit\.(?=\w)", "", CASES[name])
    (specification,) = of_file(Path("unit.spec"), f"it: {said}\n")
    asked = CASES[name].replace("(f == 0)", "(!f)")
    verdicts = {given: first_violation(specification, run) for given, run in traced(tmp_path / "t", DOMAIN).items()}
    result = searched(asked, tmp_path)
    assert result.ending.claim is Claim.PATHS, result.ending
    bugs = [bug for bug in result.bugs if bug.outcome is Outcome.VIOLATED]
    assert bool(bugs) == any(verdict is not None for verdict in verdicts.values())
    assert all(bug.confirmed.value == "plain" for bug in bugs)
    assert all(bug.function.startswith("Unit.") for bug in bugs)
    tests = {inputs_of(test): test for test in result.tests}
    again = traced(tmp_path / "t", list(tests))
    for given, test in tests.items():
        is_violated = first_violation(specification, again[given]) is not None
        assert (test.outcome is Outcome.VIOLATED) == is_violated, (given, test.outcome)
        assert test.replayed == "same", (given, test.replayed)
    check_suite(tmp_path, result)


def check_suite(folder: Path, result: Result) -> None:
    """The suite's own monitors, on a JVM without veer, say what the search said."""
    said = run_suite(folder)
    assert "not ok" not in said, said
    violated = [test.name for test in result.tests if test.outcome is Outcome.VIOLATED]
    lines = run_suite(folder, *violated).splitlines() if violated else []
    assert len(lines) == len(violated)
    assert all(line.startswith("not ok") and "Violated: it is violated, behind the events: " in line for line in lines)


def run_suite(folder: Path, *names: str) -> str:
    """What the plain suite prints, compiled anew."""
    suite = folder / "out" / "suite"
    words = ["-d", "classes", "-sourcepath", str(folder), "Unit_runTest.java"]
    done = subprocess.run(["javac", *words], cwd=suite, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    command = ["java", "-ea", "-cp", "classes", "Unit_runTest", *names]
    return subprocess.run(command, cwd=suite, capture_output=True, text=True, timeout=120).stdout


def test_junit_has_the_monitors_too(tmp_path: Path) -> None:
    result = searched(CASES["alternate"], tmp_path)
    for name, standins in sampled((("junit5", JUNIT5), ("junit4", JUNIT4)), lambda each: each[0] == "junit4"):
        own, files = tmp_path / name, plugins.find("veer.suites", name).files(result)  # type: ignore[attr-defined]
        for file, text in {**files, **{f"{key}.java": standins[key].encode() for key in standins}}.items():
            (own / file).parent.mkdir(parents=True, exist_ok=True)
            (own / file).write_bytes(text)
        words = ["-sourcepath", f"{own}:{tmp_path}", "-d", "classes", "-nowarn", "Unit_runTest.java", "Runner.java"]
        subprocess.run(["javac", *words], cwd=own, check=True, timeout=120)
        command = ["java", "-cp", "classes", "Runner", "Unit_runTest", "all"]
        said = subprocess.run(command, cwd=own, check=True, capture_output=True, text=True, timeout=120).stdout
        failed = {line.split()[1] for line in said.splitlines() if line.startswith("failed") and "Violated: it" in line}
        assert failed == {test.name for test in result.tests if test.outcome is Outcome.VIOLATED} != set()


def test_a_planted_violation_fails(tmp_path: Path) -> None:
    """It changes no value that a test expects; the mended unit passes."""
    mended = UNIT.replace("lock(2); return 5;", "return 5;").replace("if (a + b != 17) unlock(1);", "unlock(1);")
    result = searched(CASES["alternate"], tmp_path, mended)
    assert not result.bugs
    assert "not ok" not in run_suite(tmp_path)
    (tmp_path / "Unit.java").write_text(mended.replace("unlock(1);", "unlock(1); if (a > 2) unlock(1);"))
    said = run_suite(tmp_path)
    assert "Violated: it is violated, behind the events: call lock(1), call unlock(1), call unlock(1)" in said


MISTAKES = {
    "call nothing()": r"unit\.spec:1:21: nothing is no method of Unit\.java",
    "call lock(a, b)": r"unit\.spec:1:21: Unit\.lock takes 1 arguments, and this names 2",
    "call lock(m) where (m > none)": r"unit\.spec:1:35: cannot find symbol: a condition is Java",
    "return lock() == 3": r"unit\.spec:1:23: Unit\.lock returns nothing",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_point_into_the_specification(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=MISTAKES[text]):
        searched(f"always not {text}", tmp_path)
