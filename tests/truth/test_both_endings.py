"""A path that is a bug for one input and returns for another has a test for each; `path` is no weaker than `branch`."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SAME = Path(__file__).parent / "cases" / "same.c"


def explored(entry: str, search: SearchOptions) -> Result:
    return campaign.run(BuildOptions((SAME,), entry), search)


def endings(result: Result) -> set[tuple[Outcome, int]]:
    """How the tests end, with what those return that do."""
    return {(test.outcome, int.from_bytes(test.returned or b"", "little")) for test in result.tests}


@pytest.mark.parametrize(("entry", "bug"), [("f", Outcome.UNDEFINED), ("g", Outcome.DIVISION)])
@pytest.mark.parametrize("more", [{}, {"jobs": 2}, {"strategy": "dfs"}, {"search": "partitioned"}], ids=str)
def test_each_outcome_of_a_path_has_a_test(entry: str, bug: Outcome, more: dict[str, object]) -> None:
    result = explored(entry, SearchOptions(criterion="path", budget=20.0, **more))  # type: ignore[arg-type]
    found = endings(result)
    assert (bug, 0) in found
    assert (Outcome.RETURNED, 7) in found
    assert len([outcome for outcome, returned in found if outcome is Outcome.RETURNED and returned != 7]) >= 1
    assert result.ending.claim == "paths"


@pytest.mark.parametrize("entry", ["f", "g"])
def test_what_tests_of_branches_show_tests_of_paths_show_too(entry: str) -> None:
    of_branches, of_paths = (explored(entry, SearchOptions(criterion=name, budget=20.0)) for name in ("branch", "path"))
    assert {outcome for outcome, _ in endings(of_branches)} <= {outcome for outcome, _ in endings(of_paths)}
    assert len(of_paths.tests) >= 3


PLACES = """
int places(unsigned char x) {
    int table[4] = {5, 6, 7, 8}, side = 0, z, sum;
    if (x > 127) side = 1;
    z = table[x % 5];
    sum = 2147483600 + (x & 63);
    sum += 40;
    return side + z;
}
"""


def ending(x: int) -> tuple[bool, str]:
    """The path of an input, and how it ends."""
    if x % 5 == 4:
        return x > 127, "index"
    return x > 127, "first sum" if (x & 63) > 47 else "second sum" if (x & 63) > 7 else "returned"


@pytest.mark.parametrize("more", [{}, {"jobs": 2}, {"strategy": "dfs"}, {"search": "partitioned"}], ids=str)
def test_each_place_where_a_path_ends_has_a_test(tmp_path: Path, more: dict[str, object]) -> None:
    source = tmp_path / "places.c"
    source.write_text(PLACES)
    search = SearchOptions(criterion="path", budget=20.0, **more)  # type: ignore[arg-type]
    result = campaign.run(BuildOptions((source,), "places"), search)
    assert {ending(test.inputs.raw[0]) for test in result.tests} == {ending(x) for x in range(256)}
    assert len(result.bugs) == 3 and result.ending.claim == "paths"
