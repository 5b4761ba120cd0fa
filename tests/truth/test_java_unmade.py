"""Objects that a method only passes on, or compares: tests make them by constructors that refuse zeros and nulls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.shapes.defaults import takes_defaults
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.result import Confirmation
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

SOURCE = """\
import java.util.ArrayList;
import java.util.Objects;

public class Keep {
    public static final class Item {
        final int price;
        final String name;
        public Item(String name, int price) {
            if (price <= 0) throw new IllegalArgumentException("price");
            this.name = Objects.requireNonNull(name);
            this.price = price;
        }
    }
    public static final class Loop {
        final int[] all;
        final ArrayList<String> names = new ArrayList<>();
        private int sum;
        public Loop(int n) {
            all = new int[n];
            for (int i = 0; i < n; i++) all[i] = i;
            sum = add(n, 3);
        }
        private static int add(int a, int b) { return a > 5 ? 0 : a + b; }
    }
    public static final class Date {
        private static final int[] DAYS = {0, 31, 28};
        final int month, day;
        public Date(int month, int day) {
            if (!isValid(month, day)) throw new IllegalArgumentException();
            this.month = month;
            this.day = day;
        }
        private static boolean isValid(int m, int d) { return m >= 1 && m <= 2 && d >= 1 && d <= DAYS[m]; }
    }
    private Object last;

    int set(Item item, int n) {
        if (item == null) return 0;
        last = item;
        return n > 7 ? 2 : 1;
    }
    int fault(Item item, int n) {
        if (item == null) return 0;
        last = item;
        return n / (n - 3);
    }
    int only(Item item) {
        if (item == null) return 0;
        last = item;
        return 7 / (item == last ? 0 : 1);
    }
    int thrown(Date date) {
        if (date == null) return 0;
        throw new IllegalStateException();
    }
    int two(Item a, Item b) {
        if (a == null || b == null) return 0;
        return a == b ? 1 : 2;
    }
    int loop(Loop loop) {
        if (loop == null) return 0;
        last = loop;
        return 1;
    }
}
"""
SEEN = {"set": (3, 4), "fault": (3, 2), "thrown": (2, 2), "two": (4, 6), "loop": (2, 2)}
"""The paths of each, and the branches that its tests cover beside those of constructors."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    made = tmp_path / "Keep.java"
    made.write_text(SOURCE)
    return made


@pytest.mark.parametrize("method", sampled(SEEN, lambda each: each in ("set", "fault")))
def test_each_object_of_a_test_can_be_made(source: Path, method: str) -> None:
    options = SearchOptions(criterion="path", budget=40.0)
    result = campaign.run(BuildOptions((source,), f"Keep.{method}", max_length=1), options)
    paths, branches = SEEN[method]
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == "paths"
    assert len({test.covers for test in result.tests}) >= paths - 1
    first = SOURCE.splitlines().index("    private Object last;")
    own = [each for each in result.branches if each.line > first]
    assert sum(each.state == "covered" for each in own) == len(own) == branches
    assert [bug.confirmed for bug in result.bugs] == [Confirmation.PLAIN] * (method == "fault")


def test_a_suite_leaves_out_what_nobody_can_call(source: Path, tmp_path: Path) -> None:
    """Each run with an object ends in a bug, so that none makes it."""
    result = campaign.run(BuildOptions((source,), "Keep.only"), SearchOptions(budget=20.0))
    deliver(result, tmp_path / "out").checked()
    (name,) = [test.name for test in result.tests if test.replayed != "same"]
    (verdict,) = {test.replayed for test in result.tests} - {"same"}
    assert verdict.endswith("its arguments cannot be made: java.lang.IllegalArgumentException: price")
    (suite,) = (tmp_path / "out" / "suite").glob("*.java")
    text = suite.read_text()
    assert f"// {name} is left out: {verdict}." in text
    assert f'"{name}"' not in text


def test_which_constructors_take_zeros_and_nulls(source: Path) -> None:
    unit = read_unit(source, find_jdk(), find().cache)
    found = {}
    for name, descriptor in (("Item", "(Ljava/lang/String;I)V"), ("Loop", "(I)V"), ("Date", "(II)V")):
        owner = unit.path.find(f"Keep${name}")
        assert owner is not None
        constructor = owner.method("<init>", descriptor)
        assert constructor is not None
        found[name] = takes_defaults(unit.path, owner, constructor)
    assert found == {"Item": False, "Loop": True, "Date": False}
