"""Blocks with a header of the unit's own: `malloc(size + sizeof (struct header))`, and `(struct header *)p - 1`."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

UNIT = """#include <stdlib.h>
struct header { long size, line, flags, next; };
long *made(size_t size)
{
    struct header *block = malloc(size + sizeof *block);
    if (block == NULL)
        return NULL;
    block->size = (long)size;
    block->line = 2;
    return &block->next;
}
struct other { int kind; };
long size_of(void *p, int is_other)
{
    if (is_other)
        return ((struct other *)p - 1)->kind;
    struct header *block = (struct header *)p - 1;
    return block->size;
}
"""


def searched(folder: Path, entry: str) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    return campaign.run(BuildOptions((source,), entry), SearchOptions(budget=20.0))


def test_runs_in_which_a_part_of_the_access_fits_ask_the_same(tmp_path: Path) -> None:
    found = searched(tmp_path, "made")
    assert found.diverged == 0
    assert found.ending.claim is Claim.PATHS
    assert {bug.outcome for bug in found.bugs} == {Outcome.BOUNDS_WRITE}


def test_a_header_ahead_of_the_first_block_is_missing_and_not_an_error(tmp_path: Path) -> None:
    """Two headers: nothing is said of what lies there (decision 0575)."""
    found = searched(tmp_path, "size_of")
    reads = [bug for bug in found.bugs if bug.outcome is Outcome.BOUNDS_READ]
    assert len(reads) == 2 and all(bug.severity is Severity.CONTRACT for bug in reads)
    assert all("before an object" in bug.message for bug in reads)
