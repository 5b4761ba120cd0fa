"""A constructor that only keeps what veer does not make gets null for it: the object is one that programs can make.

Where no constructor fits, fields are set by reflection, and what such objects bring about is no caller's error.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import veer
from veer.model.severity import Severity

UNIT = """\
import java.util.Map;

public class Half {
    abstract static class Rule {
        abstract int weigh(StringBuilder[] b, Rule other);
    }
    static class Shut {
        private final int[] held;
        private final int last;
        private Shut(int n) {
            held = new int[n + 1];
            last = n;
        }
        static int most() { return new Shut(3).top(); }
        int top() { return held[last]; }
    }
    static class Read {
        private final Map<String, Rule> rules;
        private final int many;
        Read(Map<String, Rule> rules) {
            this.rules = rules;
            this.many = this.rules.size();
        }
        int many() { return many > 5 ? 1 : 2; }
    }
    private final char[] text;
    private final int length;
    private final Map<String, Rule> rules;
    private int at;
    Half(String text, Map<String, Rule> rules) {
        this.text = text.toCharArray();
        this.length = this.text.length;
        this.rules = rules;
    }
    char next() {
        if (at >= length) { return 0; }
        char c = text[at++];
        if (rules != null) { return 'r'; }
        return c == '#' ? text[at] : c;
    }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


def test_null_is_given_for_what_is_only_kept(tmp_path: Path) -> None:
    source = tmp_path / "Half.java"
    source.write_text(UNIT)
    found = veer.test(source, "Half.next", budget="20s", max_length="2", out=tmp_path / "out")
    assert "Half.rules is null" in found.ending.within
    assert {(bug.line, bug.severity) for bug in found.bugs} == {(31, Severity.CONTRACT), (39, Severity.ERROR)}
    assert {test.replayed for test in found.tests} == {"same"}
    folder = tmp_path / "out" / "suite"
    assert "Half(object_1, null)" in (folder / "Half_nextTest.java").read_text()
    command = ["javac", "-d", "classes", "-sourcepath", str(tmp_path), "Half_nextTest.java"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["java", "-ea", "-cp", "classes", "Half_nextTest"], cwd=folder, check=True)


def test_fields_that_reflection_sets_are_no_evidence(tmp_path: Path) -> None:
    source = tmp_path / "Half.java"
    source.write_text(UNIT)
    found = veer.test(source, "Half.Shut.top", budget="10s", max_array="2", out=tmp_path / "out")
    assert {bug.severity for bug in found.bugs} == {Severity.CONTRACT}


def test_a_constructor_that_looks_at_what_it_keeps_takes_no_null(tmp_path: Path) -> None:
    source = tmp_path / "Half.java"
    source.write_text(UNIT)
    found = veer.test(source, "Half.Read.many", budget="10s", out=tmp_path / "out")
    assert not found.bugs
    assert len(found.tests) == 2
