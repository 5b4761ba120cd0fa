"""Objects that the program holds itself (sentinels, literals) are no inputs of veer's, but a caller may give them: a
claim says so wherever the program may ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_sources import java_source

from veer.campaign import run as campaign
from veer.frontends.java.build import planned
from veer.frontends.java.held import LITERALS
from veer.frontends.java.jdk import find_jdk
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

UNIT = """\
import java.util.*;

public class Held {
    static class Node { int value; Node next; Node(int value) { this.value = value; } }
    static class Plain { int value; Plain(int value) { this.value = value; } }
    enum Side { LEFT, RIGHT }

    static final Node NIL = new Node(0);
    static final Node[] POOL = {NIL};
    static final Integer BIG = 1000;
    static final String WORD = new String("word");
    static final Side FIRST = Side.LEFT;
    static final int[] TABLE = {1, 2};

    static int sentinel(Node n) { return n == NIL ? 1 : 0; }
    static int behind(Node n) { return n != null && n.next == NIL ? 1 : 0; }
    static int local(Node n) { Node end = NIL; int found = n == end ? 1 : 0; return found; }
    static int pooled(Node n) { return POOL[0] == n ? 1 : 0; }
    static int equal(Node n) { return Objects.equals(NIL, n) ? 1 : 0; }
    static int boxed(Integer n) { return n == BIG ? 1 : 0; }
    static int literal(String s) { return s == "a" ? 1 : 0; }
    static int word(String s) { return WORD == s ? 1 : 0; }
    static int interned(String s) { return s != null && s.intern() == WORD ? 1 : 0; }

    static int store(Object[] a) { if (a != null && a.length > 0) a[0] = 1; return 0; }
    static int fill(String[] a) { if (a != null && a.length > 0) a[0] = "x"; return 0; }
    static int length(Object[] a) { return a == null ? 0 : a.length; }
    interface Shape { int area(); }
    record Square(int side) implements Shape { public int area() { return side * side; } }
    sealed interface Sum permits One, Two {}
    record One(int a) implements Sum {}
    record Two(int a) implements Sum {}
    static int area(Shape s) { return s != null && s.area() == 3 ? 1 : 0; }
    static int sum(Sum s) { return s instanceof One ? 1 : 0; }
    static int over(int a) { return over(a, 1); }
    private static int over(int a, int b) { return a + b; }
    static int side(Side s) { return s == FIRST ? 1 : 0; }
    static int other(Plain one, Plain two) { return one == two && NIL.value == 0 ? 1 : 0; }
    static int read(Node n) { return n != null && n.value == NIL.value ? 1 : 0; }
    static int table(int[] a) { return a != null && a.length > 1 && a[0] == TABLE[1] ? 1 : 0; }
    static int text(String s) { return "a".equals(s) ? 1 : 0; }
}
"""
NIL = "no input is an object of Held.NIL"
BOUNDS = {
    **dict.fromkeys(("sentinel", "behind", "local", "equal"), NIL),
    **{"pooled": "no input is an object of Held.POOL", "boxed": "no input is an object of Held.BIG"},
    **dict.fromkeys(("literal", "word", "interned"), LITERALS),
    **dict.fromkeys(("side", "other", "read", "table", "text", "fill", "length", "sum"), ""),
    "area": "Held.Shape as Held.Square",
    "store": "no Object[] is an array of a subclass",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Held", UNIT)


def test_a_bound_names_what_the_program_holds(source: Path) -> None:
    for name, expected in BOUNDS.items():
        bounds = planned(BuildOptions((source,), f"Held.{name}"), find_jdk(), find().cache).entry.bounds
        told = [each for each in bounds if each.startswith("no ") or each.startswith("Held.")]
        assert told == ([expected] if expected else []), name


def test_a_name_means_the_method_that_can_be_an_entry(source: Path) -> None:
    found = planned(BuildOptions((source,), "Held.over"), find_jdk(), find().cache).entry
    assert [each.name for each in found.parameters] == ["a"]


def test_a_claim_of_a_sentinel_is_within_the_bound(source: Path) -> None:
    result = campaign.run(BuildOptions((source,), "Held.sentinel"), SearchOptions(budget=60.0))
    assert result.ending.claim == "paths"
    assert NIL in result.ending.within
