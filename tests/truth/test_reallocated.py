"""Blocks that are inputs and are made larger or smaller: where they end is decided, and the new size is a term."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

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
