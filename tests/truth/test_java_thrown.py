"""A suite has a test for each class that is thrown, and one that throws nothing, whoever throws.

A method without a branch of its own returns for some texts, and throws what the JDK throws for others. The brute force
is the JVM on small inputs.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

import veer

UNIT = """\
public class Names {
    static char first(String s) { return s.charAt(0); }
    static int parsed(String s) { return Integer.parseInt(s); }
    static String cut(String s, int n) { return s.substring(n); }
    static String named(int n) {
        String s = n > 3 ? "many" : "few";
        return s.substring(0, n % 7);
    }
}
"""
ALL = """\
import java.util.*;

public class All {
    interface Call { Object call() throws Throwable; }
    static final Map<String, Set<String>> ENDS = new TreeMap<>();

    static void ends(String method, Call call) {
        String end = "";
        try { call.call(); } catch (Throwable thrown) { end = thrown.getClass().getName(); }
        if (!end.equals("java.lang.NullPointerException"))
            ENDS.computeIfAbsent(method, key -> new TreeSet<>()).add(end);
    }

    public static void main(String[] arguments) {
        for (String s : new String[] {null, "", "a", "7", "-7", "ab"}) {
            ends("first", () -> Names.first(s));
            ends("parsed", () -> Names.parsed(s));
            for (int n = -2; n < 4; n++) { int m = n; ends("cut", () -> Names.cut(s, m)); }
        }
        for (int n = -9; n < 9; n++) { int m = n; ends("named", () -> Names.named(m)); }
        ENDS.forEach((method, ends) -> System.out.println(method + " " + String.join(",", ends)));
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize(
    "method", sampled(("first", "parsed", "cut", "named"), lambda each: each in ("first", "named"))
)
def test_each_class_that_is_thrown_has_a_test_and_so_has_a_return(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Names.java"
    source.write_text(UNIT)
    (tmp_path / "All.java").write_text(ALL)
    subprocess.run(["javac", "-d", "all", "Names.java", "All.java"], cwd=tmp_path, check=True)
    said = subprocess.run(["java", "-cp", "all", "All"], cwd=tmp_path, capture_output=True, text=True, check=True)
    ends = dict(line.split(" ") for line in said.stdout.splitlines())[method].split(",")
    found = veer.test(source, f"Names.{method}", budget="12s")
    assert {test.replayed for test in found.tests} == {"same"}
    passing = [test.returned or b"" for test in found.tests if not test.outcome.is_bug]
    assert len({each[8:12] for each in passing}) == len(ends), ends
