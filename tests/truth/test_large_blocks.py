"""Blocks that are larger than what one of an input's size may have: no claim says that memory holds none."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """#include <stdlib.h>
int f(unsigned size)
{
    char *block = malloc(size);
    free(block);
    if (size == 120000000u) return 7;
    return 0;
}
int g(unsigned char count)
{
    char *block = malloc(120000000u);
    free(block);
    if (count == 7) return 1;
    return 0;
}
"""


def searched(folder: Path, entry: str) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    return campaign.run(BuildOptions((source,), entry), SearchOptions(budget=20.0))


def test_a_block_whose_size_is_an_input_is_smaller_than_the_memory_and_the_claim_says_so(tmp_path: Path) -> None:
    found = searched(tmp_path, "f")
    assert found.ending.claim is Claim.PATHS
    assert found.coverage.branches.covered < found.coverage.branches.total
    assert [each for each in found.ending.within if "a block whose size is an input has, and takes, up to 64" in each]


def test_a_block_of_a_known_size_may_fill_the_memory(tmp_path: Path) -> None:
    found = searched(tmp_path, "g")
    assert found.ending.claim is Claim.PATHS
    assert found.coverage.branches.covered == found.coverage.branches.total
