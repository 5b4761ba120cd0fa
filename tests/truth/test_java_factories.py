"""Objects whose class no test can call a constructor of: its static methods make them, as they do the runtime's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from java_sources import java_source

import veer
from veer.model.ending import Claim
from veer.model.result import Result
from veer.model.severity import Severity

SOURCE = """\
import java.time.LocalDate;
import java.util.*;

public class Made {
    static final class Level extends Number {
        static final Level NONE = new Level(0);
        private final int n;
        private Level(int n) { this.n = n; }
        static Level of(int n) {
            if (n < 0 || n > 3) throw new IllegalArgumentException();
            return n == 0 ? NONE : new Level(n);
        }
        static Level higher(Level one, Level other) { return one.n > other.n ? one : other; }
        boolean isNone() { return this == NONE; }
        int rest() { return 12 % (n + 1); }
        @Override public int intValue() { return n; }
        @Override public long longValue() { return n; }
        @Override public float floatValue() { return n; }
        @Override public double doubleValue() { return n; }
    }
    static int meet(Level a, Level b) {
        if (a == null || b == null) return -1;
        if (a == Level.NONE) return 3;
        if (a == b) return a.n == 2 ? 1 : 2;
        return a.n > b.n ? 4 : a.n == b.n ? 5 : 6;
    }
    static final class Counter extends Thing {
        private static final Counter ONE = new Counter();
        private int count;
        private Counter() {}
        static Counter get() { return ONE; }
        void add() { count++; }
        int state() { return count == 0 ? 1 : ONE.count == count ? 2 : 3; }
    }
    static class Thing {
        private final int rank;
        private Thing() { this(7); }
        private Thing(int rank) { this.rank = rank; }
        static Thing make(int kind) { return kind == 0 ? null : kind < 0 ? new Special() : new Thing(kind); }
        int rank() { return rank > 5 ? 1 : 2; }
    }
    private static final class Special extends Thing {
        @Override int rank() { return 9; }
    }
    static final class Box<T> {
        private final T held;
        private Box(T held, boolean isWhole) {
            if (!isWhole) throw new IllegalStateException();
            this.held = held;
        }
        static <U> Box<U> of(U held) { return new Box<>(held, true); }
    }
    static int opened(Box<String> box) { return box.held == null ? 0 : box.held.isEmpty() ? 1 : 2; }
    static int bits(BitSet set) {
        int n = set.nextSetBit(2);
        return n < 0 ? 1 : n == 70 ? 2 : 3;
    }
    static int length(Optional<String> text) { return text.map(String::length).orElse(-1) == 2 ? 1 : 2; }
    static int leap(LocalDate day) { return day.getMonthValue() == 2 && day.getDayOfMonth() == 29 ? 1 : 2; }
    static int either(LocalDate one, LocalDate other) { return one != null && other != null ? 1 : 2; }
    static int entry(Map.Entry<String, Integer> each) {
        return each.getKey().isEmpty() ? each.getValue() > 5 ? 1 : 2 : 3;
    }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Made", SOURCE)


def _run(source: Path, tmp_path: Path, entry: str) -> Result:
    """The tests of an entry, all of which the JVM and the suite confirm."""
    found = veer.test(source, f"Made.{entry}", budget="30s", max_length="2", max_array="2", out=tmp_path / "out")
    assert {test.replayed for test in found.tests} == {"same"}
    (written,) = (tmp_path / "out" / "suite").glob("*.java")
    command = ["javac", "-nowarn", "-d", "classes", "-sourcepath", str(source.parent), written.name]
    subprocess.run(command, cwd=written.parent, check=True, capture_output=True)
    subprocess.run(["java", "-ea", "-cp", "classes", written.stem], cwd=written.parent, check=True, capture_output=True)
    return found


def _results(found: Result) -> set[int]:
    return {int.from_bytes(test.returned[:4], "little", signed=True) for test in found.tests if test.returned}


def test_inputs_are_new_objects_of_a_static_method(source: Path, tmp_path: Path) -> None:
    found = _run(source, tmp_path, "meet")
    levels = [(one, other) for one in range(1, 4) for other in range(1, 4)]
    expected = {-1, 1, 2, *(4 if one > other else 5 if one == other else 6 for one, other in levels)}
    assert _results(found) == expected
    assert found.ending.claim is Claim.PATHS
    assert "objects as Made.Level.of(int) makes them anew" in found.ending.within


def test_the_object_of_a_call_may_be_one_that_the_class_keeps(source: Path, tmp_path: Path) -> None:
    assert _results(_run(source, tmp_path, "Level.isNone")) == {0, 1}


def test_each_object_that_the_static_method_makes(source: Path, tmp_path: Path) -> None:
    found = _run(source, tmp_path, "Level.rest")
    assert found.ending.claim is Claim.PATHS
    assert _results(found) <= {12 % (n + 1) for n in range(4)}


def test_an_object_that_a_class_keeps_has_calls_before(source: Path, tmp_path: Path) -> None:
    found = _run(source, tmp_path, "Counter.state")
    assert _results(found) == {1, 2}
    assert "Counter.get()" in (tmp_path / "out" / "suite" / "Made_Counter_stateTest.java").read_text()


def test_null_and_objects_of_classes_below_do_not_count(source: Path, tmp_path: Path) -> None:
    assert _results(_run(source, tmp_path, "Thing.rank")) == {1, 2}


def test_type_arguments_reach_what_the_static_method_takes(source: Path, tmp_path: Path) -> None:
    assert _results(_run(source, tmp_path, "opened")) == {0, 1, 2}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("bits", {1, 2, 3}), ("length", {1, 2}), ("leap", {1, 2}), ("either", {1, 2}), ("entry", {1, 2, 3})],
)
def test_the_runtimes_own(source: Path, tmp_path: Path, entry: str, expected: set[int]) -> None:
    found = _run(source, tmp_path, entry)
    assert {bug.severity for bug in found.bugs} <= {Severity.CONTRACT}  # nulls, and no texts that are no texts
    assert expected <= _results(found)
