"""A suite has a test for each class that is thrown, whoever throws, and for each sort of what is returned.

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
from veer.model.callresult import ending

UNIT = """\
public class Names {
    static char first(String s) { return s.charAt(0); }
    static Integer parsed(String s) { return Integer.valueOf(s); }
    static String cut(String s, int n) { return s.substring(n); }
    static String named(int n) {
        String s = n > 3 ? "many" : "few";
        return s.substring(0, n % 7);
    }
    static Integer number(String s) { return s == null ? null : Integer.decode(s); }
    static boolean starts(String s) { return s.startsWith("a"); }
    static int compared(String s) { return s.compareTo("7"); }
}
"""
ALL = """\
import java.util.*;

public class All {
    interface Call { Object call() throws Throwable; }
    static final Map<String, Set<String>> ENDS = new TreeMap<>();

    static void ends(String method, Call call) {
        String end = "";
        try { end = sort(call.call()); } catch (Throwable thrown) { end = thrown.getClass().getName(); }
        if (!end.equals("java.lang.NullPointerException"))
            ENDS.computeIfAbsent(method, key -> new TreeSet<>()).add(end);
    }

    static String sort(Object result) {
        if (result instanceof Boolean b) return b.toString();
        if (result instanceof Integer n) return "" + Integer.signum(n);
        return result == null ? "null" : "".equals(result) ? "empty" : "other";
    }

    public static void main(String[] arguments) {
        for (String s : new String[] {null, "", "a", "7", "-7", "ab"}) {
            ends("first", () -> Names.first(s));
            ends("parsed", () -> "some" + Names.parsed(s));
            ends("number", () -> Names.number(s) == null ? null : "some");
            ends("starts", () -> Names.starts(s));
            ends("compared", () -> Names.compared(s));
            for (int n = -2; n < 4; n++) { int m = n; ends("cut", () -> Names.cut(s, m)); }
        }
        for (int n = -9; n < 9; n++) { int m = n; ends("named", () -> Names.named(m)); }
        ENDS.forEach((method, ends) -> System.out.println(method + " " + String.join(",", ends)));
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize(
    "method",
    sampled(
        ("first", "parsed", "cut", "named", "number", "starts", "compared"),
        lambda each: each in ("first", "number", "compared"),
    ),
)
def test_each_end_of_a_method_has_a_test(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Names.java"
    source.write_text(UNIT)
    (tmp_path / "All.java").write_text(ALL)
    subprocess.run(["javac", "-d", "all", "Names.java", "All.java"], cwd=tmp_path, check=True)
    said = subprocess.run(["java", "-cp", "all", "All"], cwd=tmp_path, capture_output=True, text=True, check=True)
    ends = dict(line.split(" ") for line in said.stdout.splitlines())[method].split(",")
    found = veer.test(source, f"Names.{method}", budget="12s")
    assert {test.replayed for test in found.tests} == {"same"}
    passing = [test for test in found.tests if not test.outcome.is_bug]
    assert len({ending(found.program, test.returned) for test in passing}) == len(ends), ends
