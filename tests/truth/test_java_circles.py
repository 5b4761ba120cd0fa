"""Objects that lead back to themselves: tests make those that programs can make, and only those; and tests that do not
end share one JVM."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk, jar
from veer.frontends.java.replay import jvm
from veer.frontends.java.replay.counters import Counters
from veer.frontends.java.replay.rewriting import rewritten
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

CIRCLES = """\
public class Circles {
    static class Open {
        int value;
        Open next;
        Open(int value, Open next) { this.value = value; this.next = next; }
    }

    static final class Fixed {
        final Fixed next;
        Fixed(Fixed next) { this.next = next; }
    }

    static int open(Open a) {
        if (a == null || a.next == null) return 0;
        if (a.next == a) return 1;
        return a.next.next == a ? 2 : 3;
    }

    static int fixed(Fixed a) {
        if (a == null || a.next == null) return 0;
        if (a.next == a) return 1;
        return a.next.next == a ? 2 : 3;
    }
}
"""
LOOPS = """\
public class Loops {
    static int plain(int a) {
        while (true) if (a > 5) return 1;
    }

    static int guarded(int a) {
        for (;;) { try { if (a > 5) return 1; } finally { a = 5; } }
    }

    static int caught(int a) {
        for (;;) { try { if (a > 5) return 1; } catch (Throwable all) { a = 5; } }
    }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


@pytest.mark.parametrize(("method", "results"), [("open", {0, 1, 2, 3}), ("fixed", {0, 3})])
def test_circles_are_made_where_a_field_can_be_set_later(method: str, results: set[int], tmp_path: Path) -> None:
    source = tmp_path / "Circles.java"
    source.write_text(CIRCLES)
    result = campaign.run(BuildOptions((source,), f"Circles.{method}"), SearchOptions(criterion="path", budget=60.0))
    deliver(result, tmp_path / "out").checked()
    assert _passed(tmp_path / "out" / "suite", tmp_path, f"Circles_{method}Test") == _held(result)
    assert {int.from_bytes((test.returned or b"")[:4], "little") for test in _same(result)} == results
    assert all(test.replayed == "same" or "before it is made" in test.replayed for test in result.tests)


def _same(result: Result) -> list[Test]:
    return [test for test in result.tests if test.replayed == "same"]


def _held(result: Result) -> set[str]:
    return {test.name for test in _same(result)}


def _passed(suite: Path, root: Path, name: str) -> set[str]:
    """The tests of a suite that pass, as a user runs it; all of them have to."""
    classes = root / "classes"
    command = ["javac", "-J-Xshare:auto", "-d", str(classes), "-sourcepath", str(root), str(suite / f"{name}.java")]
    subprocess.run(command, check=True, capture_output=True)
    ran = subprocess.run(["java", "-ea", "-cp", str(classes), name], check=True, capture_output=True, text=True)
    return {line.split()[1] for line in ran.stdout.splitlines() if line.startswith("ok ")}


def test_a_test_that_does_not_end_is_ended_by_its_next_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One JVM runs them all, but for code that catches everything."""
    source = tmp_path / "Loops.java"
    source.write_text(LOOPS)
    jdk, cache = find_jdk(), find().cache
    unit = read_unit(source, jdk, cache)
    counted = tmp_path / "counted.jar"
    counted.write_bytes(jar({"Loops.class": rewritten(unit.path.own_bytes("Loops"), Counters())}))
    began: list[int] = []
    once = jvm._run

    def counting(*given: object) -> dict[str, jvm.Ran]:
        began.append(1)
        return once(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(jvm, "_run", counting)
    methods = ["plain", "guarded", "plain", "guarded", "plain", "caught", "plain"]
    commands = [f"{at}\tLoops\t{name}\tI:{5 + (at == 4):x}" for at, name in enumerate(methods)]
    ran = jvm.run_all(jdk, jvm.driver_classes(jdk, cache), (counted,), commands, 0.1)
    assert [ran[str(at)].state for at in range(7)] == ["hang"] * 4 + ["end"] + ["hang"] * 2
    assert len(began) == 2
