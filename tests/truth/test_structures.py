"""The data-structure library: the clean copy has no bugs, every seeded one is found, and repOK's solutions are exactly
the red-black trees that an enumeration of its own gives, each once (CUTE section 3.6)."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.searchoptions import SearchOptions

BENCH = Path(__file__).parents[2] / "bench"
NODES = 5
Tree = tuple[bool, "Tree", "Tree"] | None
"""Whether the node is red, its left and its right subtree."""


def _structures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("structures", BENCH / "structures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["structures"] = module  # its dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


SAMPLE = sampled(
    _structures().STRUCTURES, lambda structure: structure.source not in ("redblack.c", "hashed.c", "list.c", "sorted.c")
)


@pytest.mark.parametrize("structure", SAMPLE, ids=lambda structure: structure.source[:-2] + structure.name[-5:])
def test_seeded_bugs_are_found_and_no_others(structure: Any) -> None:
    search = SearchOptions(budget=20.0, max_steps=100_000)
    clean = [campaign.run(build, search) for build in structure.builds(seeded=False)]
    assert [bug for result in clean for bug in result.bugs] == []
    if structure.seeded:
        seeded = [campaign.run(build, search) for build in structure.builds(seeded=True)]
        found = {(bug.outcome, bug.function) for result in seeded for bug in result.bugs}
        assert set(structure.seeded) <= found


def test_red_black_trees_of_up_to_five_nodes_are_made_each_once() -> None:
    source = (BENCH / "subjects" / "structures" / "redblack.c",)
    build = BuildOptions(source, "tree_exists", preconditions=("tree_ok",), graph_depth=6)
    result = campaign.run(build, SearchOptions(budget=60.0, criterion="path"))
    made = Counter(_shape(test.inputs, _root(test.inputs)) for test in result.tests)
    expected = {tree for size in range(NODES + 1) for tree, _ in _valid(size) if tree is None or not tree[0]}
    assert result.ending.claim == "paths"
    assert set(made) == expected
    assert set(made.values()) == {1}


@cache
def _valid(size: int) -> tuple[tuple[Tree, int], ...]:
    """Every red-black tree with so many nodes, its root of either colour, and its black height: by definition."""
    if size == 0:
        return ((None, 0),)
    found = []
    for left_size in range(size):
        for left, height in _valid(left_size):
            for right, other in _valid(size - 1 - left_size):
                if height != other:
                    continue
                found.append(((False, left, right), height + 1))
                if not (left and left[0]) and not (right and right[0]):
                    found.append(((True, left, right), height))
    return tuple(found)


def _root(inputs: InputMap) -> int | None:
    (root,) = inputs.roots
    pointer = root.cells[0].value
    assert isinstance(pointer, Pointer)
    return pointer.target


def _shape(inputs: InputMap, number: int | None) -> Tree:
    """The tree below an object of the input."""
    if number is None:
        return None
    (item,) = [each for each in inputs.objects if each.number == number]
    cells = {cell.path: cell.value for cell in item.cells}
    red, left, right = cells[".red"], cells[".left"], cells[".right"]
    assert isinstance(red, Scalar)
    assert isinstance(left, Pointer)
    assert isinstance(right, Pointer)
    return bool(red.bits), _shape(inputs, left.target), _shape(inputs, right.target)
