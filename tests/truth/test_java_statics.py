"""What static fields lead to may be changed by others, and by methods of the objects that they hold: a claim says how
they begin wherever that is so. Each pair: a method, and the fields that its bounds name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from java_sources import java_source

from veer.campaign import run as campaign
from veer.frontends.java.build import planned
from veer.frontends.java.jdk import find_jdk
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

UNIT = """\
import java.util.*;
import java.util.function.*;

public class Hold {
    static class Counter { int n; void inc() { n++; } }
    static class Fixed { final int n; final String text = "t"; Fixed(int n) { this.n = n; } }
    enum Side { LEFT, RIGHT }
    interface Shape { int area(); }
    static class Square implements Shape { static int scale = 1; public int area() { return scale; } }

    private static final Counter COUNTER = new Counter();
    static final int[] TABLE = {1, 2};
    static final List<Integer> LIST = new ArrayList<>();
    static final Fixed FIXED = new Fixed(3);
    static final Side SIDE = Side.LEFT;
    static final IntUnaryOperator MORE = a -> a + 1;
    private static final char[] DIGITS = {'0', '1'};
    private static final int[] GIVEN = {4};
    static int[] given() { return GIVEN; }
    static void more() { COUNTER.inc(); }

    static int counter() { return COUNTER.n > 2 ? 1 : 0; }
    static int table() { return TABLE[0] == 5 ? 1 : 0; }
    static int list() { return LIST.size() == 2 ? 1 : 0; }
    static int shape(Shape s) { return s != null && s.area() == 7 ? 1 : 0; }
    static int leaked() { return GIVEN[0] == 5 ? 1 : 0; }

    static int fixed() { return FIXED.n == 5 ? 1 : 0; }
    static int digits() { return DIGITS[0] == 'x' ? 1 : 0; }
    static int function(int a) { return MORE.applyAsInt(a) == 7 ? 1 : 0; }
    static int side(Side s) {
        if (s == null) return 0;
        switch (s) { case LEFT: return s == SIDE ? 1 : 2; default: return 3; }
    }
}
"""
FIELDS = {
    **{"counter": "COUNTER", "table": "TABLE", "list": "LIST", "shape": "scale", "leaked": "GIVEN"},
    **dict.fromkeys(("fixed", "digits", "function", "side"), ""),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Hold", UNIT)


def test_a_bound_names_static_fields_that_may_change(source: Path) -> None:
    for name, fields in FIELDS.items():
        bounds = planned(BuildOptions((source,), f"Hold.{name}"), find_jdk(), find().cache).entry.bounds
        assert re.findall(r"static fields as they begin \((.*?)\)", " ".join(bounds)) == ([fields] if fields else [])


def test_a_method_of_the_object_that_a_field_holds_is_called_before(source: Path) -> None:
    result = campaign.run(
        BuildOptions((source,), "Hold.counter"),
        SearchOptions(budget=60.0, growing=("calls-before",), criterion="branch"),
    )
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total == 2
