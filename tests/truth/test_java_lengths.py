"""How long an input array or a text is, is decided where a run looks at it: not by its class, and not before.

All ends of each method are known by reading it; a claim of all paths stands for each, and each test runs on the JVM and
in the suite.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.model.ending import Claim

UNIT = """\
public class Lengths {
    static int classed(int[] a) { return a == null ? 1 : a.getClass() == int[].class ? 2 : 3; }
    static int known(String s) { Object o = s; return o instanceof String ? 1 : 2; }
    static int late(int[] a, byte n) {
        Object o = a;
        if (!(o instanceof int[])) return 1;
        if (n > 0) return 2;
        return a.length == 3 && a[2] == 7 ? 3 : a.length == 0 ? 4 : 5;
    }
    static int one(String s, String t) {
        Object o = s;
        if (!(o instanceof String)) return 1;
        if (o == t) return 2;
        return s.length() == 2 && t != null && t.length() == 1 ? 3 : 4;
    }
    static int inner(int[][] a) {
        if (a == null || a.length < 2) return 1;
        if (a[0] == a[1]) return 2;
        return a[0] == null ? 3 : a[0].getClass() != int[].class ? 9 : a[1] == null || a[1].length < 2 ? 4 : 5;
    }
    static int[] handed(int[] a, byte n) {
        int[] b = (int[]) (Object) a;
        if (n > 0 && b != null && b.length > 1) b[1] = n;
        return b;
    }
    static Object held(int[] a, Object[] out) {
        if (out != null && out.length > 0) out[0] = a;
        return new Object[] {a};
    }
    static int copied(long[] a) {
        if (a == null || a.getClass() != long[].class) return 1;
        long[] b = a.clone();
        return b.length == a.length ? b.length == 2 && b[0] < b[1] ? 2 : 3 : 4;
    }
}
"""
ENDS = {
    **{"classed": {1, 2}, "known": {1, 2}, "late": {1, 2, 3, 4, 5}, "one": {1, 2, 3, 4}, "inner": {1, 2, 3, 4, 5}},
    **{"copied": {1, 2, 3}, "handed": set(), "held": set()},
}
"""Of methods that return numbers: which; of the others the tests say what they leave."""
WITHOUT_LENGTHS = ("classed", "known")


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(tuple(ENDS), lambda each: each in ("classed", "late", "handed")))
def test_lengths_are_decided_where_they_are_looked_at(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Lengths.java"
    source.write_text(UNIT)
    found = veer.test(source, f"Lengths.{method}", budget="60s", max_length=3, max_array=3, out=tmp_path / "out")
    assert {test.replayed for test in found.tests} == {"same"}
    assert found.ending.claim is Claim.PATHS
    if ENDS[method]:
        assert {int.from_bytes((test.returned or b"")[:4], "little") for test in found.tests} == ENDS[method]
    if method in WITHOUT_LENGTHS:
        assert found.paths == 2
        assert not any(each.startswith("max-") for each in found.ending.within)
    suite, folder = f"Lengths_{method}Test", tmp_path / "out" / "suite"
    command = ["javac", "-d", "classes", "-sourcepath", str(tmp_path), f"{suite}.java"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["java", "-ea", "-cp", "classes", suite], cwd=folder, check=True)
