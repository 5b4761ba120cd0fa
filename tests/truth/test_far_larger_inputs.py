"""What only a long input reaches is found by default: each buffer below overflows behind a text or array that no search
within small bounds comes to. The mended copies have no bug.

The first search of `address` and `addressed` has more paths than it can finish, and the last one comes all the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.model.result import BranchState, Bug, Result
from veer.model.severity import Severity

_HEAD = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
_PARSED = """
    int parts = 0;
    for (char *part = strtok(copy, "."); part; part = strtok(NULL, ".")) {
        int value = atoi(part);
        if (value < 0 || value > 255) return -2;
        parts++;
    }
    return parts == 4;
"""
_OVERFLOWS = {
    "copied": "int copied(const char *s) { char b[20]; strcpy(b, s); return b[0] == 'x'; }",
    "kept": "int kept(const char *s) { char b[64]; if (!s) return -1; strcpy(b, s); return b[0] == 'x'; }",
    "greeted": "int greeted(const char *s) { char b[100]; sprintf(b, \"Hello, %s!\", s); return b[0] == 'x'; }",
    "looped": "int looped(const char *s) { char b[200]; int i = 0; while (s[i]) { b[i] = s[i]; i++; } return b[0]; }",
    "large": "int large(const char *s) { char b[1024]; strcpy(b, s); return b[0] == 'x'; }",
    "taken": "int taken(const uint8_t *p, size_t n) { uint8_t b[256]; memcpy(b, p, n); return b[0] == 7; }",
    "rooted": 'int rooted(char *s, char *t) { char b[99]; snprintf(b, 99, "%s/", s); strcat(b, t); return 0; }',
    "joined": "int joined(const char *s, const char *t) { char b[80]; strcpy(b, s); strcat(b, t); return b[0]; }",
    "address": "int address(const char *s) { char copy[40]; strcpy(copy, s);" + _PARSED + "}",
}
_RIGHT = {
    "copied": "int copied(const char *s) { char b[20]; strncpy(b, s, 19); b[19] = 0; return b[0] == 'x'; }",
    "kept": "int kept(const char *s) { char b[64]; if (!s || strlen(s) > 63) return -1; strcpy(b, s); return b[0]; }",
    "greeted": "int greeted(const char *s) { char b[100]; snprintf(b, 100, \"Hello, %s!\", s); return b[0] == 'x'; }",
    "looped": "int looped(const char *s) { char b[99]; int i = 0; for (; s[i] && i < 99; i++) b[i] = s[i]; return i; }",
    "taken": "int taken(const uint8_t *p, size_t n) { uint8_t b[256]; if (n < 257) memcpy(b, p, n); return n < 257; }",
}
_SAMPLE = ("greeted", "taken", "address")
_WHOLE = {
    "argument": "int main(int argc, char **argv) { char b[64]; if (argc > 1) strcpy(b, argv[1]); return 0; }",
    "word": "int main(void) { char b[32]; if (scanf(\"%s\", b) != 1) return 1; return b[0] == 'x'; }",
}


def _searched(tmp_path: Path, source: str, entry: str, budget: str = "12s") -> Result:
    unit = tmp_path / "unit.c"
    unit.write_text(_HEAD + source)
    return veer.test(unit, entry, budget=budget)


def _bugs(found: Result) -> list[Bug]:
    return [bug for bug in found.bugs if bug.severity is not Severity.CONTRACT]


@pytest.mark.parametrize("name", sampled(_OVERFLOWS, _SAMPLE.__contains__))
def test_an_overflow_that_needs_a_long_input_is_found(tmp_path: Path, name: str) -> None:
    bugs = _bugs(_searched(tmp_path, _OVERFLOWS[name], name))
    assert bugs
    assert all(bug.confirmed for bug in bugs)


@pytest.mark.parametrize("name", sampled(_RIGHT, _SAMPLE.__contains__))
def test_what_is_as_long_as_its_copy_has_no_bug(tmp_path: Path, name: str) -> None:
    assert not _bugs(_searched(tmp_path, _RIGHT[name], name))


@pytest.mark.parametrize("name", list(_WHOLE))
def test_programs_are_given_long_arguments_and_words(tmp_path: Path, name: str) -> None:
    assert _bugs(_searched(tmp_path, _WHOLE[name], "main"))


def test_a_branch_that_needs_a_long_text_is_covered_though_the_search_has_no_end(tmp_path: Path) -> None:
    source = "int addressed(const char *s) { char copy[40]; if (!s || strlen(s) >= 40) return -1; strcpy(copy, s);"
    found = _searched(tmp_path, source + _PARSED + "}", "addressed", "4s")
    assert all(branch.state is BranchState.COVERED for branch in found.branches if "strlen" in branch.text)
    assert not _bugs(found)


_CALCULATOR = """
    static const char *at;
    static int expression(void);
    static int factor(void) {
        int value = 0;
        if (*at == '(') { at++; value = expression(); if (*at == ')') at++; return value; }
        while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
        return value;
    }
    static int expression(void) {
        int value = factor();
        while (*at == '+' || *at == '-') { char sign = *at++; int one = factor(); value += sign == '+' ? one : -one; }
        return value;
    }
    int calculated(const char *s) { at = s; return expression(); }
"""


def test_a_number_of_ten_digits_is_found_though_the_search_and_that_behind_calls_have_no_end(tmp_path: Path) -> None:
    """Where static data is kept, a search behind a call comes in between, which took all of the time that was left."""
    bugs = _bugs(_searched(tmp_path, _CALCULATOR, "calculated"))
    assert any("multiplication overflowed" in bug.message for bug in bugs)


def test_bounds_that_a_user_gives_stay(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(_HEAD + _OVERFLOWS["copied"])
    assert not _bugs(veer.test(unit, "copied", max_length=8))
