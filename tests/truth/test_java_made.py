"""Objects of the JDK that one of their constructors makes, looked at by the method or not.

What nobody looks at is not made in veer's run, and a test must make it none the less. All ends of each method are known
by reading it; each test runs on the JVM and in the suite.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

import veer

UNIT = """\
import java.io.*;
import java.math.*;
import java.util.*;
import java.util.concurrent.*;

public class Made {
    static int builder(StringBuilder b, byte n) { return b == null ? 1 : n > 3 ? 2 : b.length() == 1 ? 3 : 4; }
    static int read(Reader r, byte n) throws IOException {
        if (r == null) return 1;
        return n == 0 ? 2 : r.read() == 'x' ? 3 : 4;
    }
    static int copied(InputStream in, OutputStream out, byte n) throws IOException {
        if (in == null || out == null) return 1;
        if (n == 0) return 2;
        out.write(in.read());
        return out instanceof ByteArrayOutputStream made && made.toByteArray()[0] == 'x' ? 3 : 4;
    }
    static int number(BigInteger a, byte n) { return a == null ? 1 : n == 0 ? 2 : a.signum() < 0 ? 3 : 4; }
    static int place(Locale l, byte n) { return l == null ? 1 : n == 0 ? 2 : l.getLanguage().equals("en") ? 3 : 4; }
    static int said(Throwable t) {
        if (t == null) return 1;
        return t.getMessage() == null ? 2 : t.getMessage().startsWith("E") ? 3 : 4;
    }
    static int asked(Object o) {
        return o instanceof StringTokenizer ? 1 : o instanceof String s ? s.isEmpty() ? 2 : 3 : 4;
    }
    static int cached(ConcurrentMap<String, Integer> m) {
        Integer was = m == null ? Integer.valueOf(9) : m.putIfAbsent("a", 7);
        return was == null ? 1 : was == 5 ? 2 : was == 9 ? 3 : 4;
    }
    static int property() { return System.getProperty("file.separator").equals("/") ? 1 : 2; }
}
"""
FOUR = ("builder", "read", "copied", "number", "place", "said", "asked", "cached")
"""Methods with ends 1 to 4."""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled((*FOUR, "property"), lambda each: each not in ("builder", "place")))
def test_each_end_has_a_test_that_the_jvm_confirms(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Made.java"
    source.write_text(UNIT)
    found = veer.test(source, f"Made.{method}", budget="20s", max_length=3, out=tmp_path / "out")
    assert {test.replayed for test in found.tests} == {"same"}
    given = {int.from_bytes((test.returned or b"")[:4], "little") for test in found.tests if not test.outcome.is_bug}
    assert given == ({1, 2, 3, 4} if method in FOUR else {1})
    suite = f"Made_{method}Test"
    folder = tmp_path / "out" / "suite"
    command = ["javac", "-d", "classes", "-sourcepath", str(tmp_path), f"{suite}.java"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["java", "-ea", "-cp", "classes", suite], cwd=folder, check=True)
