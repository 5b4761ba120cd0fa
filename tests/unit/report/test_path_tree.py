"""The drawn execution tree: a mark for each node, in its colour, none over another, and no more than fit."""

from __future__ import annotations

import re

from veer.model.tree import TreeNode
from veer.report.pathtree import MOST_DRAWN, path_tree_svg

BUGS = frozenset({"aborted"})
TREE = (
    TreeNode(-1, "root", "taken", "f", "", below=4),
    TreeNode(0, "branch", "taken", "x < 3", "true", below=2),
    TreeNode(0, "branch", "infeasible", "x < 3", "false"),
    TreeNode(1, "branch", "taken", "a & b", "true", line=7, outcome="aborted"),
    TreeNode(1, "branch", "taken", "a & b", "false", line=7, outcome="returned"),
)


def test_each_node_is_drawn_as_what_it_is() -> None:
    svg = path_tree_svg(TREE, BUGS)
    assert [svg.count(f'class="{kind}"') for kind in ("inner", "open", "bug", "path", "edge")] == [2, 1, 1, 1, 4]
    assert "<title>a &amp; b true (line 7) aborted</title>" in svg
    assert 'aria-label="the execution tree: 5 of 5 nodes"' in svg


def test_no_two_marks_are_at_one_place() -> None:
    svg = path_tree_svg(TREE, BUGS)
    places = re.findall(r'<(?:circle|rect) class="\w+" (?:cx|x)="([\d.]+)" (?:cy|y)="([\d.]+)"', svg)
    assert len(places) == len({*places}) == len(TREE)


def test_of_a_large_tree_what_is_nearest_to_the_root() -> None:
    below = (TreeNode(number, "branch", "taken", "x", "true", below=4999 - number) for number in range(5000))
    deep = (TreeNode(-1, "root", "taken", "f", "", below=5000), *below)
    svg = path_tree_svg(deep, BUGS)
    assert svg.count("<circle") == MOST_DRAWN and f"{MOST_DRAWN} of 5001 nodes" in svg
    assert path_tree_svg(TREE[:1], BUGS) == ""
