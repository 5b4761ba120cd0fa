"""`veer_init_TYPE`: called for each new object; what it writes stands, all else is input."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

TYPES = "struct node { int kind, value; struct node *next; };\ntypedef struct { unsigned char level; } lamp_t;\n"
INITIALISER = (
    "{}void veer_init_node(struct node *node) {{ node->kind = 7; if (node->value > 100) node->value = 100; }}\n"
)
LINKING = "void veer_init_node(struct node *node) { node->kind = node->next ? node->next->kind + 1 : 0; }\n"
LAMP = "void veer_init_lamp_t(lamp_t *lamp) { lamp->level &= 3; }\n"
ENTRIES = """
int walk(struct node *node)
{
    if (!node) return 0;
    if (node->kind != 7) return 1;
    if (node->value > 100) return 2;
    if (node->value == 100) return 3;
    if (node->next == node) return 4;
    if (node->next && node->next->kind != 7) return 5;
    if (node->next && node->next->value == 12) return 6;
    return 7;
}
int count(struct node *node)
{
    if (!node || node->next == node) return -1;
    return node->kind;
}
int lamps(lamp_t *lamps, int n)
{
    if (!lamps || n < 2) return -1;
    return lamps[0].level == 3 && lamps[1].level == 2 ? 1 : lamps[0].level > 3 ? 2 : 0;
}
"""


def explored(folder: Path, initialiser: str, entry: str) -> Result:
    source = folder / "nodes.c"
    source.write_text(TYPES + initialiser + ENTRIES)
    build = BuildOptions((source,), entry, graph_depth=2, max_array=2)
    return campaign.run(build, SearchOptions(budget=60, criterion="path"))


def returned(result: Result) -> set[int]:
    assert result.ending.claim == "paths"
    assert not [test.replayed for test in result.tests if test.replayed.startswith("differs")]
    return {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned}


@pytest.mark.parametrize("linkage", ["", "static "])
def test_what_it_writes_stands_and_the_rest_is_input(tmp_path: Path, linkage: str) -> None:
    assert returned(explored(tmp_path, "", "walk")) == {0, 1, 2, 3, 4, 5, 6, 7}
    result = explored(tmp_path, INITIALISER.format(linkage), "walk")
    assert returned(result) == {0, 3, 4, 6, 7}
    assert "objects of struct node are as veer_init_node leaves them" in result.ending.within


def test_it_may_look_at_other_objects(tmp_path: Path) -> None:
    """The next node is made, and initialised, within the initialiser of the first."""
    result = explored(tmp_path, LINKING, "count")
    # Two nodes at most, and the last one may lead back to the first, whose kind is input at that moment.
    assert {-1, 0, 1} <= returned(result)


def test_every_element_of_an_array(tmp_path: Path) -> None:
    assert returned(explored(tmp_path, LAMP, "lamps")) == {-1, 0, 1}


def test_a_wrong_one_is_a_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"veer_init_node is no initialiser: write void veer_init_node\(struct node \*\)"
    ):
        explored(tmp_path, "void veer_init_node(int *p) { *p = 0; }", "walk")
