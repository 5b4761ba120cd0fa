"""A constructor or a setter whose parameter is of another type than the field takes fewer values than the field has.

An int field that only `Narrow(byte)` sets is never 200. The brute force is each byte, or each text of the method.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

import veer

UNIT = """\
public class Narrow {
    static class Byte {
        final int n;
        Byte(byte n) { this.n = n; }
    }
    static class Set {
        private int n;
        void setN(byte n) { this.n = n; }
    }
    static class Text {
        final Object o;
        Text(String o) { this.o = o; }
    }
    static class Either {
        private Object o;
        Either(String s) { this.o = s; }
        Either(Integer i) { this.o = i; }
    }
    static int given(Byte x) { return x.n > 127 ? 1 : x.n < -128 ? 2 : x.n == 7 ? 3 : 4; }
    static int set(Set x) { return x.n > 127 ? 1 : x.n == 7 ? 3 : 4; }
    static int text(Text x) { return x.o == null ? 1 : x.o instanceof String s ? s.equals("ab") ? 2 : 3 : 4; }
    static int either(Either x) { return x.o == null ? 1 : x.o instanceof String ? 2 : x.o instanceof Integer ? 3 : 4; }
}
"""
REACHED = {"given": {3, 4}, "set": {4}, "text": {1, 2, 3}, "either": {1, 2}}
"""What each may give; of `set` and `either` within objects as the one constructor makes them that veer takes."""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(REACHED, lambda each: each != "set"))
def test_a_field_has_the_values_that_its_parameter_takes(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Narrow.java"
    source.write_text(UNIT)
    found = veer.test(source, f"Narrow.{method}", criterion="path", budget="20s", out=tmp_path / "out")
    assert found.ending.claim == "paths", found.ending
    assert {test.replayed for test in found.tests} == {"same"}
    given = {int.from_bytes((test.returned or b"")[:4], "little") for test in found.tests if not test.outcome.is_bug}
    assert given == REACHED[method]
    suite = f"Narrow_{method}Test"
    folder = tmp_path / "out" / "suite"
    command = ["javac", "-d", "classes", "-sourcepath", str(tmp_path), f"{suite}.java"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["java", "-ea", "-cp", "classes", suite], cwd=folder, check=True)
