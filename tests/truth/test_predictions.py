"""Runs go where they were sent: operations whose order of questions depended on more than what had been decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

UNIT = """
#include <stdlib.h>
#include <string.h>
struct stack { int *items; int count, capacity; };
int copies(const char *line, char *key, size_t keylen, size_t n) {
    if (n >= keylen) n = keylen - 1;
    memcpy(key, line, n);
    return 2;
}
int extracts(const char *line, char *key, size_t keylen) {
    const char *end = strchr(line, ']');
    if (!end) return 1;
    size_t n = (size_t)(end - line);
    if (n >= keylen) n = keylen - 1;
    memcpy(key, line, n);
    key[n] = 0;
    return 2;
}
int grows(struct stack *s) {
    if (s->count != s->capacity || s->capacity > 8) return 0;
    int capacity = s->capacity ? s->capacity * 2 : 4;
    int *items = realloc(s->items, capacity * sizeof *items);
    if (!items) return -1;
    s->items = items;
    s->capacity = capacity;
    return 1;
}
"""


@pytest.mark.parametrize(("entry", "claim"), [("copies", "paths"), ("extracts", "paths"), ("grows", "paths")])
def test_no_run_leaves_its_predicted_path(tmp_path: Path, entry: str, claim: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = explore(BuildOptions(sources=(source,), entry=entry), SearchOptions(criterion="path", budget=30.0))
    assert result.diverged == 0
    assert result.ending.claim == claim
    assert {branch.state for branch in result.branches if branch.function == entry} == {"covered"}
