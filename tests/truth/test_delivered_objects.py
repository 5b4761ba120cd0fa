"""Sequences whose constructor is `int new(T **out)`: seeded bugs are found, the right program has none, tests hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.describe import told
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

HEAP = """
#include <stdlib.h>
struct heap { int n, cap; int *item; };
int heap_create(struct heap **out, int cap)
{
    if (cap < 1 || cap > 2) return -1;
    struct heap *h = calloc(1, sizeof *h);
    if (!h) return -2;
    h->cap = cap;
    h->item = malloc((size_t)cap * sizeof *h->item);
    if (!h->item) { free(h); return -2; }
    *out = h;
    return 0;
}
int heap_push(struct heap *h, int v)
{
    if (h->n PUSHES h->cap) return -1;
    h->item[h->n++] = v > 0;
    return h->n;
}
int heap_pop(struct heap *h)
{
    if (POPS) return -1;
    return h->item[--h->n];
}
void heap_destroy(struct heap *h) { if (h) { free(h->item); FREES } }
"""
RIGHT = {"PUSHES": "==", "POPS": "h->n == 0", "FREES": "free(h);"}
CALLS = "{heap_create,heap_push,heap_pop},heap_destroy"


def explored(folder: Path, **wrong: str) -> Result:
    text = HEAP
    for name, code in (RIGHT | wrong).items():
        text = text.replace(name, code)
    source = folder / "heap.c"
    source.write_text(text)
    build = BuildOptions(sources=(source,), entry="sequence", sequence=CALLS, max_calls=5)
    return explore(build, SearchOptions(budget=20.0))


def calls(result: Result, line: int) -> str:
    """Those that show the bug on a line of the source."""
    shown = next(bug.test for bug in result.bugs if bug.line == line)
    return told(result.program, next(test for test in result.tests if test.name == shown))["calls"]


def test_no_call_works_on_what_no_constructor_has_made(tmp_path: Path) -> None:
    result = explored(tmp_path)
    assert not result.bugs and result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    written = [told(result.program, test)["calls"] for test in result.tests]
    assert any("heap_create(&heap_1, 1); " in text and "; heap_push(heap_1, " in text for text in written)
    assert any("heap_create(&none" in text for text in written), "a constructor that fails delivers nothing"


@pytest.mark.parametrize(
    ("wrong", "line", "shown"),
    [
        ({"PUSHES": ">"}, 18, "heap_create(&heap_1, 1); heap_push(heap_1, 0); heap_push(heap_1, 0)"),
        ({"POPS": "h->n < 0"}, 24, "heap_create(&heap_1, 1); heap_pop(heap_1)"),
        ({"FREES": "free(h->item); free(h);"}, 26, "heap_create(&heap_1, 1); heap_destroy(heap_1)"),
        ({"FREES": ""}, 7, "heap_create(&heap_1, 1); heap_destroy(heap_1)"),
    ],
)
def test_seeded_bugs_are_found_with_the_fewest_calls(
    tmp_path: Path, wrong: dict[str, str], line: int, shown: str
) -> None:
    result = explored(tmp_path, **wrong)
    assert {bug.severity for bug in result.bugs} == {Severity.ERROR}
    assert calls(result, line) == shown


QUEUE = """
#include <stdlib.h>
struct queue { int held, at, n; int item[4]; };
struct queue *queue_new(void) { struct queue *q = malloc(sizeof *q); q->held = 1; q->at = q->n = 0; return q; }
int queue_put(struct queue *q, int v) { if (q->n == 4) return -1; q->item[(q->at + q->n++) & 3] = v > 0; return q->n; }
int queue_take(struct queue *q)
{
    if (EMPTY) return -1;
    int v = q->item[q->at];
    q->at = (q->at + 1) & 3;
    q->n--;
    return v;
}
void queue_free(struct queue *q) { HELD free(q); }
"""


@pytest.mark.parametrize(
    ("empty", "held", "outcomes"),
    [
        ("q->n == 0", "", []),
        ("0", "", ["uninitialised"]),  # what was never put is no result
        ("q->n == 0", "if (--q->held) return;", []),  # who counts its holders may keep it
    ],
)
def test_results_and_ends_of_objects(tmp_path: Path, empty: str, held: str, outcomes: list[str]) -> None:
    source = tmp_path / "queue.c"
    source.write_text(QUEUE.replace("EMPTY", empty).replace("HELD", held))
    calls = "{queue_new,queue_put,queue_take},queue_free"
    build = BuildOptions(sources=(source,), entry="sequence", sequence=calls, max_calls=4)
    result = explore(build, SearchOptions(budget=20.0))
    assert [bug.outcome.key for bug in result.bugs] == outcomes
    assert outcomes or {test.replayed for test in result.tests} == {"same"}
