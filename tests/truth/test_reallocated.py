"""Blocks that are inputs and are made larger or smaller: where they end is decided, and the new size is a term."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

GROWING = """
#include <stdlib.h>
struct stack { int *data; unsigned long size, most; };
int grown(struct stack *s) {
    if (!s || s->most > 5) return 0;
    int *data = realloc(s->data, (s->most + 1) * sizeof *data);
    s->data = data;
    return data[0] == 3 ? 2 : 3;
}
int pop(struct stack *s, int *to) {
    if (!s || !s->size || !to) return 0;
    *to = s->data[--s->size];
    return 1;
}
"""


@pytest.mark.parametrize("entry", ["grown", "pop"])
def test_every_path_is_run_and_none_leaves_its_prediction(tmp_path: Path, entry: str) -> None:
    """A block that ended elsewhere asked other questions; each number that NULL was added to had a run of its own."""
    source = tmp_path / "stack.c"
    source.write_text(GROWING)
    result = campaign.run(BuildOptions((source,), entry), SearchOptions(criterion="path", budget=60.0))
    assert result.ledger == ()
    assert result.ending.claim == "paths"
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total


def test_a_number_that_is_the_address_of_an_object_leads_nowhere(tmp_path: Path) -> None:
    """It was taken for an access to that object: another path than that of any other number, which no run foresaw."""
    source = tmp_path / "chance.c"
    source.write_text("""
int at(int *p, int *q, unsigned long key)
{
    if (p || !q) return 0;
    int found = key == (unsigned long)q << 30;
    if (found) key += 0;
    return p[key >> 32] + found;
}
""")
    result = campaign.run(BuildOptions((source,), "at"), SearchOptions(criterion="path", budget=60.0))
    assert result.diverged == 0
    assert {test.returned for test in result.tests if test.outcome is Outcome.RETURNED} == {bytes(4)}
    assert {bug.outcome for bug in result.bugs} == {Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD}
    assert all(bug.severity is Severity.ERROR for bug in result.bugs)


def test_a_number_that_was_compared_with_the_address_of_an_object_leads_there(tmp_path: Path) -> None:
    source = tmp_path / "handle.c"
    source.write_text("""
static int things[2] = {5, 6};
int of(unsigned long handle)
{
    for (int k = 0; k < 2; k++)
        if (handle == (unsigned long)&things[k]) return *(int *)handle;
    return 0;
}
""")
    result = campaign.run(BuildOptions((source,), "of"), SearchOptions(criterion="path", budget=60.0))
    assert not result.bugs and result.diverged == 0
    assert result.paths == 3, "the plain build has its things elsewhere, so no more is claimed"
