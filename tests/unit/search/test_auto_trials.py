"""What speaks for other searches, and sites of two builds of one program."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from veer.model.program import Function, HarnessKind, Program, Site, SiteKind
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.auto.evidence import speaks_for_blocks, speaks_for_summaries
from veer.search.auto.search import is_plain
from veer.search.auto.sites import are_alike, moved
from veer.search.node_counts import NodeCounts
from veer.search.tools import local_scene
from veer.wire.layout import Kind, State
from veer.wire.shared import Shared


def branch(number: int, function: str, line: int) -> Site:
    return Site(number, SiteKind.BRANCH, "a.c", line, 1, function, "x > 0", items=(2 * number, 2 * number + 1))


def program(*sites: Site, entry: str = "f") -> Program:
    """`f` calls `g`, which calls itself."""
    functions = tuple(
        Function(name, "a.c", 1, (), -1, False, successors=((),), calls=calls)
        for name, calls in (("f", ("g",)), ("g", ("g",)))
    )
    return Program(entry, HarnessKind.FUNCTION, (), Path("x"), functions, (), sites)


def test_both_sides_of_a_branch_in_a_called_function_speak_for_summaries() -> None:
    made = program(branch(0, "f", 1), branch(1, "g", 5))
    with Shared() as shared:
        shared.counts.edge_count = 4
        scene = local_scene(shared, made, SearchOptions())
        seen = shared.published("edge_seen")
        for edges, expected in (((0, 1), False), ((2,), False), ((2, 3), True)):
            seen[:] = 0
            seen[list(edges)] = 1
            assert speaks_for_summaries(scene) is expected
        called = program(branch(1, "g", 5), entry="g")
        assert not speaks_for_summaries(replace(scene, program=replace(called, sites=made.sites)))


def test_inputs_that_no_condition_joins_speak_for_blocks() -> None:
    with Shared() as shared:
        scene = local_scene(shared, program(branch(0, "f", 1)), SearchOptions())
        supports, nodes, tree = shared.region("supports"), shared.region("nodes"), shared.tree
        supports[:6] = (2, 0, 1, 2, 1, 2)  # {0, 1} at 0, {1, 2} at 3
        nodes["support"][10:14] = (1, 2, (1 << 31) + 0, (1 << 31) + 3)  # {0}, {1}, {0, 1}, {1, 2}
        for literals, expected in (((10,), False), ((10, 11), True), ((10, 11, 12), False), ((12, 13), False)):
            shared.counts.tree_count = 1 + len(literals)
            tree("literal")[1 : 1 + len(literals)] = literals
            tree("kind")[1 : 1 + len(literals)] = int(Kind.BRANCH)
            assert speaks_for_blocks(scene) is expected, literals


def test_counts_move_to_the_numbers_of_the_other_build() -> None:
    harness = Site(0, SiteKind.ACCESS, "harness.c", 3, 0, "veer_main")
    one = program(branch(0, "f", 1), branch(1, "g", 5))
    other = program(harness, branch(1, "f", 1), branch(2, "g", 5))
    assert are_alike(one, other, "all")
    assert not are_alike(one, program(harness, branch(1, "f", 2), branch(2, "g", 5)), "all")
    counts = NodeCounts.empty(6)
    counts.table[5, State.INFEASIBLE] = 7
    there = moved(counts, other, one).table
    assert there.shape[0] == 4
    assert (there[3, State.INFEASIBLE], np.count_nonzero(there)) == (7, 1)


def test_options_that_name_an_order_mean_the_plain_search() -> None:
    with Shared() as shared:
        scene = local_scene(shared, program(branch(0, "f", 1)), SearchOptions())
        assert not is_plain(scene)
        for options in (
            SearchOptions(strategy="dfs"),
            SearchOptions(max_call_depth=2),
            SearchOptions(criterion="path"),
            SearchOptions(max_branches=10),
            SearchOptions(jobs=2),
        ):
            assert is_plain(replace(scene, options=options))
