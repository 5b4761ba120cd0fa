"""A stream that the entry opens, does not close and loses is a leak, as it is for AddressSanitizer; one that something
points to is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer
from veer.model.outcome import Outcome

_SOURCE = """
#include <stdio.h>
#include <stdlib.h>
struct log { FILE *file; };
static FILE *kept;
int first(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    int c = fgetc(f);
    if (c == EOF) return -2;
    fclose(f);
    return c == 'x';
}
int written(const char *name, int n) {
    FILE *f = fopen(name, "w");
    if (!f) return -1;
    fprintf(f, "%d", n);
    if (n == 7) return 7;
    return fclose(f);
}
int closed(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    int c = fgetc(f);
    fclose(f);
    return c == 'x';
}
FILE *opened(const char *name) { return fopen(name, "r"); }
struct log *logged(const char *name) {
    struct log *l = malloc(sizeof *l);
    if (!l) return NULL;
    l->file = fopen(name, "a");
    if (l->file) return l;
    free(l);
    return NULL;
}
int into(struct log *l, const char *name) {
    if (!l) return -1;
    l->file = fopen(name, "r");
    return l->file ? 0 : 1;
}
int given(FILE *f) { return f && fgetc(f) == 'a'; }
int stored(const char *name) { if (kept) return 0; kept = fopen(name, "r"); return kept != NULL; }
"""


def _leaks(tmp_path: Path, entry: str) -> list[int]:
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    return [bug.line for bug in veer.test(unit, entry, budget="8s").bugs if bug.outcome is Outcome.LEAK]


@pytest.mark.parametrize(("entry", "line"), [("first", 7), ("written", 15)])
def test_a_stream_that_is_lost_on_a_path_is_a_leak(tmp_path: Path, entry: str, line: int) -> None:
    assert _leaks(tmp_path, entry) == [line]


@pytest.mark.parametrize("entry", ["closed", "opened", "logged", "into", "given", "stored"])
def test_a_stream_that_is_closed_or_kept_is_none(tmp_path: Path, entry: str) -> None:
    assert not _leaks(tmp_path, entry)
