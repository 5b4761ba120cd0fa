"""`--void PARAM=TYPE` against the same function with a parameter of that type: the same paths and tests."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SOURCE = """
struct node { int value; struct node *next; };
int typed(struct node *list, int *numbers)
{
    if (!list) return 0;
    if (list->next == list) return 1;
    if (list->next && list->next->value == 77) return 2;
    if (numbers && numbers[0] == 5 && numbers[1] == 6) return 3;
    return 4;
}
int untyped(void *list, const void *numbers) { return typed(list, (int *)numbers); }
"""


def explored(folder: Path, entry: str, *void: str) -> Result:
    source = folder / "list.c"
    source.write_text(SOURCE)
    build = BuildOptions((source,), entry, void=void, graph_depth=2)
    return campaign.run(build, SearchOptions(budget=60))


def test_a_hinted_parameter_is_explored_like_a_typed_one(tmp_path: Path) -> None:
    typed = explored(tmp_path, "typed")
    hinted = explored(tmp_path, "untyped", "list=struct node", "numbers=int")
    assert typed.ending.claim == hinted.ending.claim == "paths"
    assert typed.paths == hinted.paths and typed.coverage.branches == hinted.coverage.branches
    assert [bug.outcome for bug in typed.bugs] == [bug.outcome for bug in hinted.bugs]
    assert {test.returned for test in typed.tests} == {test.returned for test in hinted.tests}
    assert all(not test.replayed.startswith("differs") for test in hinted.tests)


def test_without_a_hint_it_is_what_the_code_takes_it_for(tmp_path: Path) -> None:
    taken = explored(tmp_path, "untyped")
    assert taken.coverage.branches is not None
    assert taken.coverage.branches.covered == taken.coverage.branches.total


def test_as_void_it_is_bytes(tmp_path: Path) -> None:
    bytes_only = explored(tmp_path, "untyped", "list=void")
    assert bytes_only.coverage.branches is not None
    assert bytes_only.coverage.branches.covered < bytes_only.coverage.branches.total
