"""The severity of what a Java method throws: callers can give each array, text and number; null where the code looks.

What ends within the JDK is told at the user's own call, one bug for each exception.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.model.result import Bug
from veer.model.severity import Severity

UNIT = """\
public class Blame {
    static final class Node {
        int key;
        Node next;
        Node(int key, Node next) { this.key = key; this.next = next; }
    }
    static int third(int[] a) {
        if (a == null || a.length == 0) { return 0; }
        return a[0] == 77 ? a[3] : 1;
    }
    static int ratio(String s, int b) {
        if (s == null || s.isEmpty()) { return 0; }
        return s.charAt(0) / (b - 3);
    }
    static int never(String s) { return s.length(); }
    static int asked(String s, boolean lazy) {
        if (lazy && s == null) { return 0; }
        return s.length();
    }
    static boolean isBlank(String s) { return s == null || s.isEmpty(); }
    static int handed(String s, int n) {
        if (n > 3 && isBlank(s)) { return 0; }
        return s.length();
    }
    static int last(Node n) {
        if (n == null) { return 0; }
        return n.next.key;
    }
    static int looked(Node n) {
        if (n == null) { return 0; }
        if (n.next == null && n.key > 5) { return 1; }
        return n.next.key;
    }
    static int both(int[] a, String t) {
        if (a == null) { return 0; }
        if (t == null) { return a.length == 3 ? a[3] : 0; }
        return 1;
    }
    static void sorted(Object[] a) {
        if (a != null) { java.util.Arrays.sort(a); }
    }
    static <T extends Comparable<T>> int most(T a, T b) {
        if (a == null || b == null) { return 0; }
        if (a instanceof String) { return a.compareTo(b) > 0 ? 2 : 3; }
        return 1;
    }
    static int cast(Comparable<?> a, Object b) {
        return a instanceof String && b != null ? ((String) b).length() : 0;
    }
    static final class Knot {
        int key;
        Knot next;
        boolean is(Knot other) { return other == this; }
    }
    static int one(Knot a, Knot b, int n) { return a == b && a != null ? 7 / n : 0; }
    static int told(Knot a, Knot b, int n) { return b != null && b.is(a) ? 7 / n : 0; }
    static int linked(Knot a, Knot b, int n) { return a != null && b != null && a.next == b ? 7 / n : 0; }
    static int alike(String a, String b, int n) { return a == b && a != null ? 7 / n : 0; }
    static int shared(Knot a, Knot b) {
        if (a == null || b == null) { return 0; }
        a.key = 1;
        b.key = 2;
        return 7 / (a.key - 2);
    }
}
"""
NPE, BOUNDS, ZERO = "java.lang.NullPointerException", "java.lang.ArrayIndexOutOfBounds", "java.lang.ArithmeticException"
CAST = "java.lang.ClassCastException"
_ERROR, _CONTRACT = Severity.ERROR, Severity.CONTRACT
SEEN = {
    "third": {(BOUNDS, 9, _ERROR)},
    "ratio": {(ZERO, 13, _ERROR)},
    "never": {(NPE, 15, _CONTRACT)},
    "asked": {(NPE, 18, _ERROR)},
    "handed": {(NPE, 23, _ERROR)},
    "last": {(NPE, 27, _CONTRACT)},
    "looked": {(NPE, 32, _ERROR)},
    "both": {(BOUNDS, 36, _ERROR)},
    "sorted": {(NPE, 40, _CONTRACT), (CAST, 40, _ERROR)},
    "most": {(CAST, 44, _CONTRACT)},
    "cast": {(CAST, 48, _ERROR)},
    "one": {(ZERO, 55, _ERROR)},
    "told": {(ZERO, 56, _ERROR)},
    "linked": {(ZERO, 57, _ERROR)},
    "alike": {(ZERO, 58, _ERROR)},
    "shared": {(ZERO, 63, _CONTRACT)},
}
"""What each throws, in which line, and who is to blame."""


def _told(bug: Bug) -> tuple[str, int, Severity]:
    name = next(each for each in (NPE, BOUNDS, ZERO, CAST) if bug.message.startswith(each))
    return name, bug.line, bug.severity


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize(
    "method", sampled(SEEN, lambda each: each in ("third", "handed", "sorted", "most", "told", "shared"))
)
def test_who_is_to_blame(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Blame.java"
    source.write_text(UNIT)
    found = veer.test(source, f"Blame.{method}", budget="20s", max_array="3", out=tmp_path / "out")
    assert {_told(bug) for bug in found.bugs} == SEEN[method]
    assert {Path(bug.file).name for bug in found.bugs} == {"Blame.java"}
