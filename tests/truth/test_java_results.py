"""Results that are objects, and what a call leaves in objects: recorded, seen on the JVM, expected by suites. A suite
fails on a program that gives something else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.replay.graphs import difference
from veer.model.buildoptions import BuildOptions
from veer.model.objectgraph import read
from veer.model.searchoptions import SearchOptions

UNIT = """\
package units;

import java.util.*;

public class Results {
    record Point(int x, Integer y) {}

    enum Side { LEFT, RIGHT }

    static class Box {
        int n;
        private String text;
        Box next;
        Side side;
        Box(int n) { this.n = n; }
        void setText(String text) { this.text = text; }
    }

    private int count;
    private final double[] seen = new double[2];

    Results(byte count) { this.count = count + 1; }

    static Integer boxed(int n) { return n > 5 ? n * 2 : null; }

    static String text(int n) { return n == 3 ? "a\\n\\u20ac" + n : ""; }

    static Point point(int a) { return a > 3 ? new Point(a, a + 1) : null; }

    static Box chain(Box b, boolean isNew) {
        Box made = new Box(4);
        made.next = b;
        made.side = b == null ? Side.LEFT : Side.RIGHT;
        made.setText("hi");
        if (b != null) b.n++;
        return isNew ? made : b;
    }

    static float[] array(int n) { return n == 2 ? new float[] {n / 0f, 7} : new float[1]; }

    static Object[] objects(long n, String[] all) {
        if (all != null && all.length > 1) all[1] = "x" + all.length;
        return new Object[] {n, null, n > 2 ? 'c' : (short) 1};
    }

    static List<Integer> list(List<Integer> xs) {
        if (xs == null || xs.size() != 1) return new LinkedList<>(Arrays.asList(1, 2));
        xs.add(9);
        return xs;
    }

    static Map<String, Integer> map(boolean isSorted) {
        Map<String, Integer> m = isSorted ? new TreeMap<>() : new HashMap<>();
        m.put("a", 3);
        m.put("b", null);
        return m;
    }

    static Set<Character> set() { return new HashSet<>(Arrays.asList('x', 'y')); }

    int rise(byte by) {
        count += by;
        seen[1] = by;
        if (count == 100) throw new IllegalStateException();
        return 0;
    }
}
"""
MUTANTS = {
    "boxed": ("n * 2 : null", "n * 2 + 1 : null"),
    "text": ("\\u20ac", "\\u20ad"),
    "point": ("new Point(a, a + 1)", "new Point(a, a + 2)"),
    "chain": ("Side.LEFT : Side.RIGHT", "Side.RIGHT : Side.LEFT"),
    "array": ("n / 0f, 7", "n / 0f, 8"),
    "objects": ("{n, null,", "{n, 1,"),
    "list": ("xs.add(9)", "xs.add(8)"),
    "map": ('put("b", null)', 'put("b", 0)'),
    "set": ("'x', 'y'", "'x', 'z'"),
    "rise": ("seen[1] = by", "seen[1] = by + 1"),
}


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(tuple(MUTANTS), lambda each: each in ("chain", "map", "rise")))
def test_a_suite_fails_on_other_objects(method: str, tmp_path: Path) -> None:
    source = tmp_path / "units" / "Results.java"
    source.parent.mkdir()
    source.write_text(UNIT)
    result = campaign.run(
        BuildOptions((source,), f"Results.{method}", max_array=2, graph_depth=2),
        SearchOptions(criterion="path", budget=60.0),
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    suite = tmp_path / "out" / "suite"
    assert _failed(suite, tmp_path, method) == 0
    before, after = MUTANTS[method]
    assert UNIT.count(before) == 1
    source.write_text(UNIT.replace(before, after))
    assert _failed(suite, tmp_path, method) > 0


def _failed(suite: Path, root: Path, method: str) -> int:
    """How many tests fail on the source as it is now."""
    classes = root / "classes"
    shutil.rmtree(classes, ignore_errors=True)
    name = f"Results_{method}Test"
    flags = ("-J-Xshare:auto", "-nowarn", "-encoding", "UTF-8", "-d", str(classes), "-sourcepath", str(root))
    subprocess.run(["javac", *flags, str(suite / f"{name}.java")], check=True, capture_output=True)
    command = ("java", "-Xshare:auto", "-ea", "-cp", str(classes), f"units.{name}")
    said = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    assert "ok test" in said
    return sum(line.startswith("not ok") for line in said.splitlines())


def test_graphs_are_walked_side_by_side() -> None:
    recorded = read(["R #1", "T null", "#1 F a.B a.B#n=I7 a.B#to=#2 a.B#of=@1", "#2 A [I I1 I2", "@1 F a.B a.B#n=I1"])
    renumbered = ["R #2", "T null", "#2 F a.B a.B#n=I7 a.B#to=#1 a.B#of=@1", "#1 A [I I1 I2", "@1 F a.B a.B#n=I1"]
    assert difference(recorded, read(renumbered)) == ""
    for old, new in (
        ("n=I7", "n=I8"),
        ("I1 I2", "I1"),
        ("of=@1", "of=#2"),
        ("of=@1", "of=null"),
        ("a.B#n=I1", "a.B#n=I2"),
    ):
        changed = [line.replace(old, new, 1) for line in renumbered]
        assert difference(recorded, read(changed)), (old, new)
    assert difference(recorded, read([line.replace("to=#1", "to=?") for line in renumbered])) == ""
