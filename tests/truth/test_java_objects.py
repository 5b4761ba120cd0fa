"""Objects as inputs of Java methods: what veer claims against every graph of a small domain on the JVM."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

UNIT = """\
package units;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;

public class Graphs {
    static class Node {
        byte value;
        Node next;
    }

    enum Color {
        RED, GREEN { int weight() { return 70; } }, BLUE;
        int weight() { return ordinal() + 60; }
    }

    interface Shape {
        int area();
    }

    static class Square implements Shape {
        private final byte side;
        Square(byte side) { this.side = side; }
        public int area() { return side * side; }
    }

    static class Strip implements Shape {
        private int length;
        Strip(byte length) {
            if (length < 0) throw new IllegalArgumentException();
            this.length = length * 2;
        }
        public int area() { return length; }
    }

    static int nodes(Node a, Node b) {
        if (a == b) return a == null ? 1 : 2;
        if (a != null && a.next == b) return b == null ? 3 : 4;
        if (a.next == a) return 5;
        if (b.next == a) return a.value > 3 ? 6 : 7;
        a.value += b.value;
        return a.value == 12 ? 8 : a.next.value + 20 > 22 ? 9 : 10;
    }

    static int colors(Color a, Color b, Integer c, Integer d) {
        if (a == Color.RED) return b == a ? 1 : b == null ? 2 : 3;
        if (a.equals(b)) return a.weight();
        switch (b) {
            case RED: return c == d ? 4 : c.equals(d) ? 5 : c > 1000 ? 6 : 7;
            default: return b.compareTo(a) > 0 ? 8 : 9;
        }
    }

    static int shapes(Object one, Shape other) {
        if (other instanceof Square && other.area() == 9) return 1;
        if (one instanceof Integer) return (int) one == other.area() ? 2 : 3;
        return one == null ? 4 : ((Graphs) one).level > 3 ? 5 : 6;
    }

    short level;

    static int listed(List<Byte> xs, Map<Byte, String> names) {
        if (xs.size() > 1 && xs.get(0) == xs.get(1)) return 1;
        if (xs.contains((byte) 3)) return names.containsKey(xs.get(0)) ? 2 : 3;
        xs.add((byte) 7);
        String name = names.get(xs.get(0));
        return name == null ? 4 : name.isEmpty() ? 5 : 6;
    }

    static int functions(IntPredicate p, Function<String, Integer> f, byte n) {
        if (p.negate().test(n)) return p.test(2) ? 1 : 2;
        Integer found = f.apply("x");
        return found == null ? 3 : found == n ? 4 : p.test(found) ? 5 : 6;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) return true;
        return other instanceof Graphs && ((Graphs) other).level == level;
    }
}
"""
NODE, COLOR = "units.Graphs$Node", "units.Graphs$Color"


def _nodes() -> Iterator[str]:
    """Two parameters over at most three nodes, with all links between them."""
    places = ["null", "@1", "@2", "@3"]
    for a, b in itertools.product(places[:3], repeat=2):
        for links in itertools.product(places, repeat=2):
            for values in itertools.product((0, 1, 5, 7), repeat=2):
                objects = [
                    f"={n}|F|{NODE}|{NODE}#value=B:{v},{NODE}#next={to}"
                    for n, v, to in zip((1, 2, 3), (*values, 3), (*links, "null"), strict=True)
                ]
                yield "\t".join((f"Lunits/Graphs$Node;:{a}", f"Lunits/Graphs$Node;:{b}", *objects))


def _colors() -> Iterator[str]:
    constants = ["null", "@1", "@2", "@3"]
    objects = [f"={n}|E|{COLOR}|{n - 1}" for n in (1, 2, 3)]
    objects += [f"={n}|B|I:{value:x}" for n, value in enumerate((5, 5, 2000, 2000, 500, 500), 4)]
    numbers = ["null", *(f"@{n}" for n in range(4, 10))]
    for a, b in itertools.product(constants, repeat=2):
        for c, d in itertools.product(numbers, repeat=2):
            given = (f"Lunits/Graphs$Color;:{a}", f"Lunits/Graphs$Color;:{b}")
            yield "\t".join((*given, f"Ljava/lang/Integer;:{c}", f"Ljava/lang/Integer;:{d}", *objects))


def _shapes() -> Iterator[str]:
    for one, other in itertools.product(("null", "@1", "@2", "@3"), ("null", "@4", "@5", "@6")):
        for level in (3, 4):
            objects = ["=1|B|I:10", "=2|B|I:8", f"=3|F|units.Graphs|units.Graphs#level=S:{level}"]
            objects += ["=4|N|units.Graphs$Square|(B)V|B:3", "=5|N|units.Graphs$Square|(B)V|B:4"]
            objects.append("=6|N|units.Graphs$Strip|(B)V|B:4")
            yield "\t".join((f"Ljava/lang/Object;:{one}", f"Lunits/Graphs$Shape;:{other}", *objects))


def _listed() -> Iterator[str]:
    numbers = ["=1|B|B:3", "=2|B|B:4", "=3|B|B:7", "=4|T|", "=5|T|61"]
    lists = ["null", *("@9" for _ in range(13))]
    contents = ["", *map(",".join, itertools.product(("@1", "@2", "@3"), repeat=1))]
    contents += map(",".join, itertools.product(("null", "@1", "@2"), repeat=2))
    for xs, inside in zip(lists, ["", *contents], strict=True):
        for names in ("null", "", "@1,@4", "@2,@5", "@2,null", "@3,@4"):
            map_ = "null" if names == "null" else "@8"
            objects = [*numbers, f"=9|L|java.util.ArrayList|{inside}", f"=8|M|java.util.HashMap|{names.strip('nul')}"]
            objects[-1] = f"=8|M|java.util.HashMap|{'' if names == 'null' else names}"
            yield "\t".join((f"Ljava/util/List;:{xs}", f"Ljava/util/Map;:{map_}", *objects))


def _equal() -> Iterator[str]:
    for other in ("null", "@1", "@2", "@3"):
        objects = ["=1|F|units.Graphs|units.Graphs#level=S:3", "=2|F|units.Graphs|units.Graphs#level=S:4"]
        yield "\t".join(("Lunits/Graphs;:@1", f"Ljava/lang/Object;:{other}", *objects, "=3|B|I:5"))


def _functions() -> Iterator[str]:
    applied = "apply(Ljava/lang/Object;)Ljava/lang/Object;=O"
    stubs = ("=1|P|java.util.function.IntPredicate|test(I)Z=Z", f"=2|P|java.util.function.Function|{applied}")
    for p, f in itertools.product(("null", "@1"), ("null", "@2")):
        for results in itertools.product(range(2), repeat=3):
            for number in (5, 6):
                given = (f"Ljava/util/function/IntPredicate;:{p}", f"Ljava/util/function/Function;:{f}", "B:5")
                asked = (f"?aBoolean:{','.join(map(str, results))}", f"?anInt:{number}")
                yield "\t".join((*given, *stubs, *asked))


CASES = {"nodes": _nodes, "colors": _colors, "shapes": _shapes, "listed": _listed, "equals": _equal}
CASES["functions"] = _functions


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(tuple(CASES), lambda each: each in ("nodes", "functions")))
def test_objects_are_those_of_all_small_graphs(method: str, tmp_path: Path) -> None:
    source = tmp_path / "units" / "Graphs.java"
    source.parent.mkdir()
    source.write_text(UNIT)
    jdk, cache = find_jdk(), find().cache
    called = f"{method}/@" if method == "equals" else method
    commands = [f"{n}\tunits.Graphs\t{called}\t{words}" for n, words in enumerate(CASES[method]())]
    ran = run_all(jdk, driver_classes(jdk, cache), (read_unit(source, jdk, cache).classes,), commands, 5.0)
    assert not [each for each in ran.values() if each.state != "end"]
    truth = {each.thrown or str(int(each.result, 16) & 0xFFFFFFFF) for each in ran.values()}
    result = campaign.run(
        BuildOptions((source,), f"Graphs.{method}", max_array=2, max_length=1, graph_depth=2),
        SearchOptions(criterion="path", budget=120.0),
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    found = {_ended(result, test) for test in result.tests}
    assert truth <= found, truth - found


COUNTED = """\
public class Counted {
    static int made;
    static class Item {
        final int id;
        Item(int v) { id = made++; }
    }
    static class Plain {
        private static final int STEP = 3;
        private int id;
        Plain(int v) { id = v * STEP; }
    }
    static int counted(Item a) { made += 10; return a.id > 5 ? 1 : 2; }
    static int plain(Plain a) { made += 10; return a.id > 5 ? 1 : 2; }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_a_claim_names_constructors_that_look_at_static_fields(tmp_path: Path) -> None:
    """They run when the object is first looked at, in tests before the call: the replay tells what differs."""
    source = tmp_path / "Counted.java"
    source.write_text(COUNTED)
    result = campaign.run(BuildOptions((source,), "Counted.counted"), SearchOptions(criterion="path", budget=30.0))
    assert "static fields as Counted.Item finds them when an object is first looked at" in result.program.bounds
    assert any(test.replayed.startswith("differs") for test in result.tests)
    result = campaign.run(BuildOptions((source,), "Counted.plain"), SearchOptions(criterion="path", budget=30.0))
    assert set(result.program.bounds) == {
        "objects as new Counted.Plain(int) makes them",
        "static fields as they begin (made)",
    }
    assert {test.replayed for test in result.tests} == {"same"}


def _ended(result: Result, test: Test) -> str:
    """The number that a test returns, or the class of what is thrown."""
    if test.outcome is not Outcome.RETURNED:
        bug = next(each for each in result.bugs if each.test == test.name or each.outcome is test.outcome)
        return next(word for word in bug.message.split() if word.startswith("java.lang."))
    assert test.returned is not None
    thrown = int.from_bytes(test.returned[8:12], "little")
    classes = next(each.enumerators for each in result.program.types if each.name == "thrown")
    value = str(int.from_bytes(test.returned[:4], "little"))
    return next((name for name, number in classes if number == thrown), value)


def test_a_default_method_is_called_on_classes_that_do_not_override_it(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "Shape.java"
    source.write_text(
        "interface Shape { int side(); default int twice(byte n) { return n > 3 ? 2 * side() : 7; } }\n"
        "class Square implements Shape { byte length; public int side() { return length; } }\n"
        "class Flat implements Shape { public int side() { return 0; } public int twice(byte n) { return -1; } }\n"
    )
    result = campaign.run(BuildOptions((source,), "Shape.twice"), SearchOptions(budget=20.0))
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total == 2
    assert result.tests
    assert {test.replayed for test in result.tests} == {"same"}
