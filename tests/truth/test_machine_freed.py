"""Machine code that frees what its caller gave it: inputs are blocks of the heap on the emulator, as in the search."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import IN_EACH_CHECK, TARGETS, compiled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
void free(void *);
void *realloc(void *, __SIZE_TYPE__);
int drop(char *p, int twice) {
    int first;
    if (!p) return 0;
    switch (*p) {
    case 'x': free(p); if (twice == 3) free(p); return 1;
    case 'y': free(p); return *(volatile char *)p;
    case 'z': p = realloc(p, 50); p[40] = 1; first = p[0]; free(p); return first;
    case 'w': free(p + 1); return 5;
    }
    return 2;
}
"""


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_an_input_may_be_freed_once(name: str, tmp_path: Path) -> None:
    build = BuildOptions(
        (compiled(name, UNIT, "-O1", tmp_path),), "drop", prototype="int drop(char *p, int twice)", max_length=3
    )
    result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
    assert {test.replayed for test in result.tests} == {"same"}
    assert {bug.outcome for bug in result.bugs} == {Outcome.DOUBLE_FREE, Outcome.USE_AFTER_FREE, Outcome.BAD_FREE}
    returned = {
        int.from_bytes(test.returned or b"", "little", signed=True)
        for test in result.tests
        if test.outcome is Outcome.RETURNED
    }
    assert returned == {0, 1, 2, ord("z")}
