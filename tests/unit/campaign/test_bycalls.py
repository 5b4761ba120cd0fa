"""Functions on `typedef char *` of the unit's own: what no run gets through is called on what calls make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import veer
from veer.campaign.bycalls import is_stuck
from veer.cli.app import main
from veer.model.outcome import Outcome
from veer.model.values import replace

SOURCE = """
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
typedef char *text;
struct head { unsigned length, room; };
static struct head *head_of(const text t) { return (struct head *)(t - sizeof(struct head)); }
text text_new(unsigned length)
{
    if (length > 4) return NULL;
    struct head *h = calloc(1, sizeof *h + length + 1);
    if (!h) return NULL;
    h->room = length;
    return (char *)(h + 1);
}
int text_add(text t, char c)
{
    struct head *h = head_of(t);
    if (h->length == h->room) return -1;
    t[h->length++] = c;
    return h->length > 2 ? 2 : 1;
}
void text_grow(text t, int by)
{
    head_of(t)->length |= 0;
    assert(by >= 0 && (unsigned)by <= head_of(t)->room - head_of(t)->length);
    head_of(t)->length += (unsigned)by;
}
int text_with(text t, int n, ...)
{
    va_list list;
    if (!head_of(t)->room) return 0;
    va_start(list, n);
    if (n == 1) t[0] = *va_arg(list, char *);
    va_end(list);
    return t[0];
}
unsigned plain(const char *t) { return t ? (unsigned)strlen(t) : 0; }
"""


@pytest.mark.slow
def test_calls_make_what_a_function_takes_for_granted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "unit.c", tmp_path / "out"
    source.write_text(SOURCE)
    main(["test", str(source), "--all", "--budget", "40s", "--out", str(out)])
    shown = capsys.readouterr().out
    whole = json.loads((out / "summary.json").read_text())
    names = [each["name"] for each in whole["functions"]]
    assert names == [
        *("head_of", "text_new", "text_add", "text_add_by_calls", "text_grow", "text_grow_by_calls"),
        *("text_with", "text_with_by_calls", "plain"),
    ], shown
    by_calls = json.loads((out / "text_add_by_calls" / "summary.json").read_text())
    assert by_calls["coverage"]["branches"]["covered"] > 4
    assert any("text_1 = text_new(" in test["inputs"]["calls"] for test in by_calls["tests"])
    assert {bug["severity"] for bug in whole["bugs"]} == {"contract"}, "also what they need when they are alone"
    needs = "; ".join(need for bug in whole["bugs"] for need in bug["needs"])
    assert "of which `text_grow` asserts otherwise" in needs and "behind `...` of `text_with`" in needs
    assert (out / "text_add_by_calls" / "report.html").exists()


@pytest.mark.slow
def test_one_function_alone_says_which_calls_make_what_it_is_given(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    notes = veer.test(source, entry="text_add", budget="10s").program.notes
    assert "no run got through text_add: --sequence '{text_new},text_add' lets calls make what it is given" in notes
    assert not any("--sequence" in note for note in veer.test(source, entry="plain", budget="5s").program.notes)


@pytest.mark.slow
def test_a_leak_is_seen_behind_the_end_of_a_run(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("#include <stdlib.h>\nint kept(int n) { int *p = malloc(4); return p && n > 3; }\n")
    found = veer.test(source, "kept", budget="10s")
    leaks = tuple(test for test in found.tests if test.outcome is Outcome.LEAK)
    assert leaks
    assert not is_stuck(replace(found, tests=leaks))


@pytest.mark.slow
def test_a_function_that_always_fails_needs_no_calls(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "#include <string.h>\n#include <stdlib.h>\n"
        "char *copied(const char *s) { char *p = malloc(strlen(s)); if (!p) abort(); return strcpy(p, s); }\n"
    )
    found = veer.test(source, "copied", budget="10s")
    assert all(test.outcome.is_bug for test in found.tests)
    assert not is_stuck(found)
