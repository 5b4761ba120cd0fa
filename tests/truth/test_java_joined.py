"""Strings that Java code joins by `+`: what veer claims against every input on the JVM, and what it refuses by name."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

SOURCE = """\
public class Labels {
    static int label(byte n, boolean loud, String s) {
        String text = "<" + n + (loud ? "!" : "") + s + '>';
        if (text.length() > 7) return -1;
        if (text.equals("<12!a>")) return 100 / (n - 12);
        return text.charAt(1) == '-' ? 1 : text.length();
    }

    static int other(int n, int[] a) {
        return n > 1 ? ("" + a).length() : 0;
    }

    static <T extends Comparable<T>> String most(T t) {
        return t == null ? "none" : "x" + 1;
    }

    @Override public String toString() {
        return hashCode() > 2 ? "many" : "few";
    }

    public static void main(String[] given) {
        Object first = given.length > 0 ? given[0] : "";
        System.out.println(((String) first).length());
    }
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    made = tmp_path / "Labels.java"
    made.write_text(SOURCE)
    return made


def test_what_is_joined_is_what_the_jvm_joins(source: Path, tmp_path: Path) -> None:
    jdk, cache = find_jdk(), find().cache
    texts = [
        "Ljava/lang/String;:null",
        "Ljava/lang/String;#1:0:",
        "Ljava/lang/String;#1:1:61",
        "Ljava/lang/String;#1:1:62",
    ]
    inputs = itertools.product(range(-128, 128), range(2), texts)
    commands = [
        f"{place}\tLabels\tlabel\tB:{n & 255:x}\tZ:{loud}\t{text}" for place, (n, loud, text) in enumerate(inputs)
    ]
    ran = run_all(jdk, driver_classes(jdk, cache), (read_unit(source, jdk, cache).classes,), commands, 5.0)
    truth = {each.thrown or int(each.result, 16) & 0xFFFFFFFF for each in ran.values()}
    assert "java.lang.ArithmeticException" in truth
    result = campaign.run(
        BuildOptions((source,), "Labels.label", max_length=1), SearchOptions(criterion="path", budget=60.0)
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    returned = [test.returned for test in result.tests if test.returned is not None]
    assert truth - {"java.lang.ArithmeticException"} <= {int.from_bytes(each[:4], "little") for each in returned}
    assert any("/ by zero" in bug.message for bug in result.bugs)
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total


def test_what_cannot_be_joined_is_named(source: Path) -> None:
    result = campaign.run(BuildOptions((source,), "Labels.other"), SearchOptions(budget=20.0))
    assert result.ending.claim != "paths"
    reason = "the text of an object that has no toString() of its own"
    assert any(reason in each for each in result.ending.lost_by), result.ending.lost_by
    assert not result.bugs


def test_classes_that_cannot_be_read_are_not_passed_over(source: Path, tmp_path: Path) -> None:
    """A class loader would take the same classes without counters from behind them."""
    jdk, cache = find_jdk(), find().cache
    path = (tmp_path / "missing.jar", read_unit(source, jdk, cache).classes)
    ran = run_all(jdk, driver_classes(jdk, cache), path, ["one\tLabels\tother\tI:1\t[I:null"], 5.0)
    assert ran["one"].state == "failed"
    assert "missing.jar" in ran["one"].thrown


def test_who_joins_numbers_asks_no_object_for_its_text(source: Path) -> None:
    result = campaign.run(BuildOptions((source,), "Labels.most"), SearchOptions(budget=20.0))
    assert result.coverage.branches is not None
    assert (result.coverage.branches.covered, result.coverage.branches.total) == (2, 2)
    assert "Comparable as Integer" in result.ending.within  # a cast in main says nothing of others
