"""Reachability over programs built by hand, and the rules on trees built by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from veer.frontends.c.library_facts import FACTS, known
from veer.model.program import Function, HarnessKind, Program, Site, SiteKind
from veer.search.distance import DistanceToUncovered
from veer.search.goal import goal_sites
from veer.search.program_graph import UNKNOWN, ProgramGraph
from veer.search.pruning.pruned import Pruned
from veer.search.pruning.reach import Reach
from veer.search.pruning.rules import LookAhead, MaxCallDepth
from veer.search.strategies.depth_first import DepthFirst
from veer.search.tree import Tree
from veer.wire.layout import CONTEXT, NONE, TREE, Kind, State

B, C, S, CALL, LIBRARY = SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT, SiteKind.CALL, SiteKind.LIBRARY

Blocks = tuple[tuple[int, ...], ...]
DIAMOND: Blocks = ((1, 2), (3,), (3,), ())


def program(
    functions: dict[str, Blocks], sites: list[tuple[SiteKind, str, int, str]], stubs: tuple[str, ...] = ()
) -> Program:
    """Sites as (kind, function, block, text), numbered in order; each source decision has two items."""
    made, items = [], 0
    for number, (kind, function, block, text) in enumerate(sites):
        own = (items, items + 1) if kind in (B, C, S) else (-1, -1)
        items += 2 if kind in (B, C, S) else 0
        made.append(Site(number, kind, "x.c", number, 1, function, text, items=own, block=block))
    return Program(
        "main",
        HarnessKind.FUNCTION,
        (Path("x.c"),),
        Path("x"),
        tuple(Function(name, "x.c", 1, (), -1, False, successors=graph) for name, graph in functions.items()),
        (),
        tuple(made),
        stubs=stubs,
        external=known(FACTS),
    )


def edges_of(mask: int) -> set[int]:
    return {edge for edge in range(64) if mask >> edge & 1}


def reach(of: Program, contexts: list[tuple[int, int]] | None = None) -> Reach:
    """Bits are edges themselves; `contexts` from 1 on, as (parent, call site)."""
    bits = {2 * s.id + side: 2 * s.id + side for s in of.sites for side in (0, 1) if s.items[side] >= 0}
    table = np.array([(NONE, NONE), *(contexts or [])], CONTEXT)
    return Reach(ProgramGraph(of), bits, lambda: table)


def test_within_a_function_only_what_follows_is_reached() -> None:
    of = program({"main": ((1, 2), (3, 4), (4,), (4,), ())}, [(B, "main", 0, "a"), (B, "main", 1, "b")])
    assert edges_of(reach(of).from_side(0, 1, 0)) == {1, 2, 3}  # side 1 leads to the first successor
    assert edges_of(reach(of).from_side(0, 0, 0)) == {0}
    assert edges_of(reach(of).from_side(1, 0, 0)) == {2}


def test_a_loop_reaches_itself() -> None:
    of = program({"main": ((1,), (2, 3), (1,), ())}, [(B, "main", 1, "more")])
    assert edges_of(reach(of).from_side(0, 1, 0)) == {0, 1}
    assert edges_of(reach(of).from_side(0, 0, 0)) == {0}


def test_links_of_a_switch_reach_the_later_cases_and_the_default() -> None:
    of = program(
        {"main": ((1, 2, 3, 4), (5, 6), (7,), (7,), (7,), (7,), (7,), ())},
        [(C, "main", 0, "x"), (C, "main", 0, "x"), (C, "main", 0, "x"), (B, "main", 1, "in the default")],
    )
    assert edges_of(reach(of).from_side(0, 1, 0)) == {1}
    assert edges_of(reach(of).from_side(1, 0, 0)) == {2, 4, 5, 6, 7}
    assert edges_of(reach(of).from_side(2, 0, 0)) == {4, 6, 7}


def test_a_select_reaches_the_rest_of_its_block() -> None:
    of = program({"main": ((1, 2), (), ())}, [(S, "main", 0, "a"), (B, "main", 0, "b")])
    assert {1, 2, 3} <= edges_of(reach(of).from_side(0, 1, 0))


def calls(text: str = "f") -> Program:
    """main: a; f(); if b. f: if c. g (nobody calls it by name): if d. The harness calls main."""
    return program(
        {"main": ((1, 2), (3,), (3,), (4, 5), (6,), (6,), ()), "f": DIAMOND, "g": DIAMOND},
        [
            (B, "main", 0, "a"),
            (B, "main", 3, "b"),
            (B, "f", 0, "c"),
            (B, "g", 0, "d"),
            (CALL, "main", 1, text),
            (CALL, "veer_main", 0, "main"),
        ],
    )


def test_calls_are_entered() -> None:
    assert edges_of(reach(calls()).from_side(0, 1, 0)) == {1, 2, 3, 4, 5}
    assert edges_of(reach(calls()).from_side(0, 0, 0)) == {0, 2, 3}


def test_a_return_leads_to_what_is_behind_the_call_in_this_context() -> None:
    looked = reach(calls(), [(0, 5), (1, 4)])
    assert edges_of(looked.from_side(2, 1, 2)) == {5, 2, 3}  # f, called by main
    assert edges_of(looked.from_side(2, 1, 0)) == {5}  # f, called by nobody
    assert edges_of(looked.from_side(1, 1, 1)) == {3}  # behind the entry nothing comes


def test_recursion_ends() -> None:
    of = program(
        {"main": ((1, 2), (3,), (3,), (4, 5), (5,), ())},
        [(B, "main", 0, "a"), (B, "main", 3, "b"), (CALL, "main", 1, "main"), (CALL, "veer_main", 0, "main")],
    )
    looked = reach(of, [(0, 3), (1, 2), (2, 2)])
    assert edges_of(looked.from_side(1, 0, 1)) == {2}
    assert edges_of(looked.from_side(1, 0, 3)) == {2, 3}  # back in the caller, b is asked again
    assert edges_of(looked.from_side(0, 1, 1)) == {0, 1, 2, 3}


def test_an_indirect_call_may_go_anywhere() -> None:
    assert edges_of(reach(calls("")).from_side(0, 1, 0)) == {0, 1, 2, 3, 4, 5, 6, 7}
    assert edges_of(reach(calls("unheard_of")).from_side(0, 1, 0)) == {0, 1, 2, 3, 4, 5, 6, 7}


def test_qsort_calls_back_and_strlen_does_not() -> None:
    functions: dict[str, Blocks] = {"main": ((1, 2), (2,), ()), "f": DIAMOND}
    for name, expected in (("qsort", {1, 0, 2, 3}), ("strlen", {1})):
        sites = [(B, "main", 0, "a"), (B, "f", 0, "c"), (CALL, "main", 1, name), (LIBRARY, f"veer_libc_{name}", 0, "")]
        assert edges_of(reach(program(functions, sites)).from_side(0, 1, 0)) == expected


def test_inside_the_library_only_the_caller_counts() -> None:
    of = program(
        {"main": ((1, 2), (2,), (3, 4), (4,), ())},
        [
            (B, "main", 0, "a"),
            (B, "main", 2, "b"),
            (CALL, "main", 1, "strlen"),
            (LIBRARY, "veer_libc_strlen", 1, "*s"),
            (CALL, "veer_main", 0, "main"),
        ],
    )
    assert edges_of(reach(of, [(0, 4), (1, 2)]).from_side(3, 0, 2)) == {2, 3}


def test_a_stub_calls_nothing() -> None:
    of = program(
        {"main": ((1, 2), (2,), ()), "f": DIAMOND},
        [(B, "main", 0, "a"), (B, "f", 0, "c"), (CALL, "main", 1, "sensor")],
        stubs=("sensor",),
    )
    assert edges_of(reach(of).from_side(0, 1, 0)) == {1}


def test_nothing_is_pruned_where_control_jumps() -> None:
    of = program(
        {"main": ((1, 2), (2,), ()), "f": DIAMOND},
        [(B, "main", 0, "a"), (B, "f", 0, "c"), (CALL, "main", 1, "setjmp")],
    )
    assert {0, 1, 2, 3} <= edges_of(reach(of).from_side(0, 0, 0))


def test_two_static_functions_of_one_name_are_told_apart() -> None:
    one = program({"main": ((1, 2), (2,), ()), "f": DIAMOND}, [(B, "main", 0, "a"), (CALL, "main", 1, "f")])
    both = (*one.functions, Function("f", "y.c", 1, (), -1, True, successors=((),)))
    graph = ProgramGraph(Program("main", one.harness, one.sources, one.executable, both, (), one.sites))
    assert graph.callees(one.sites[1]) == (1,)


def tree_of(nodes: list[tuple[int, int, int, Kind]]) -> Tree:
    """Open nodes from 1 on, as (site, alternative, context, kind)."""
    arrays = {name: np.zeros(len(nodes) + 1, dtype) for name, dtype in TREE}
    for node, (site, alternative, context, kind) in enumerate(nodes, 1):
        arrays["site"][node], arrays["alternative"][node] = site, alternative
        arrays["context"][node], arrays["kind"][node], arrays["state"][node] = context, int(kind), int(State.OPEN)
    arrays["state"][0] = int(State.TAKEN)
    return Tree(arrays, lambda: len(nodes) + 1, np.zeros(256, np.uint32))


CONTEXTS = np.array([(NONE, NONE), (0, 5), (1, 4)], CONTEXT)


def look_ahead(of: Program, seen: npt.NDArray[np.uint8], goal: str = "all") -> LookAhead:
    return LookAhead(ProgramGraph(of), of, goal, lambda: CONTEXTS, lambda: seen)


def test_look_ahead_prunes_more_as_coverage_grows() -> None:
    seen = np.zeros(32, np.uint8)
    rule = look_ahead(calls(), seen)
    tree = tree_of([(0, 0, 1, Kind.BRANCH), (2, 1, 2, Kind.BRANCH), (1, 0, 1, Kind.BRANCH)])
    ids = np.arange(1, 4)
    assert rule.prunes(tree, ids).tolist() == [False, False, False]
    seen[[0, 2, 3]] = 1
    assert rule.prunes(tree, ids).tolist() == [True, False, True]
    seen[[4, 5]] = 1
    assert rule.prunes(tree, ids).tolist() == [True, True, True]


def test_look_ahead_says_of_one_node_what_it_says_of_it_among_many() -> None:
    random = np.random.default_rng(1)
    kinds = (Kind.BRANCH, Kind.CHECK, Kind.CHOICE)
    rows = [
        (int(site), int(alternative), int(context), kinds[kind])
        for site, alternative, context, kind in random.integers((0, 0, 0, 0), (4, 3, 3, 3), (200, 4))
    ]
    tree, ids = tree_of([(NONE, 1, 0, Kind.BRANCH), *rows]), np.arange(1, 202)
    for covered in ([], [0, 2, 3], [0, 1, 2, 3, 4, 5]):
        seen = np.zeros(32, np.uint8)
        seen[covered] = 1
        together = look_ahead(calls(), seen).prunes(tree, ids).tolist()
        assert together == [bool(look_ahead(calls(), seen).prunes(tree, ids[k : k + 1])[0]) for k in range(201)]


def test_the_goal_entry_asks_for_the_branches_of_the_entry_alone() -> None:
    seen = np.zeros(32, np.uint8)
    seen[[0, 1, 2, 3]] = 1
    tree = tree_of([(2, 1, 2, Kind.BRANCH)])
    assert look_ahead(calls(), seen).prunes(tree, np.array([1])).tolist() == [False]
    assert look_ahead(calls(), seen, "entry").prunes(tree, np.array([1])).tolist() == [True]
    assert {site.function for site in goal_sites(calls(), "entry")} == {"main"}


def test_a_bug_that_no_run_showed_is_not_pruned() -> None:
    seen = np.ones(32, np.uint8)
    tree = tree_of([(4, 0, 1, Kind.CHECK), (4, 1, 1, Kind.CHECK)])
    assert look_ahead(calls(), seen).prunes(tree, np.arange(1, 3)).tolist() == [False, True]


def test_max_call_depth_counts_from_the_entry() -> None:
    rule = MaxCallDepth(ProgramGraph(calls()), 0, lambda: CONTEXTS)
    tree = tree_of([(0, 0, 1, Kind.BRANCH), (2, 1, 2, Kind.BRANCH), (5, 1, 0, Kind.CHOICE)])
    assert rule.prunes(tree, np.arange(1, 4)).tolist() == [False, True, False]


def test_what_is_pruned_is_never_handed_out() -> None:
    seen = np.zeros(32, np.uint8)
    seen[[0, 2, 3]] = 1
    tree = tree_of([(2, 1, 2, Kind.BRANCH), *[(0, 0, 1, Kind.BRANCH)] * 20, (2, 0, 2, Kind.BRANCH)])
    pruned = Pruned(DepthFirst(), [look_ahead(calls(), seen)])
    pruned.add(tree, np.arange(1, 23))
    assert pruned.pick(tree, 1).tolist() == [22]
    assert pruned.pick(tree, 1).tolist() == [1]
    assert pruned.pick(tree, 1).tolist() == []
    assert pruned.count == 20
    assert (tree.state[2:22] == int(State.PRUNED)).all()


def test_distance_counts_control_flow_to_the_nearest_uncovered_branch() -> None:
    seen = np.zeros(32, np.uint8)
    of = calls()
    measured = DistanceToUncovered(ProgramGraph(of), of.sites, lambda: seen)
    assert measured(np.array([0, 1, 4])).tolist() == [0, 0, 0]
    seen[[0, 1, 2, 3, 4]] = 1  # left: f's c, true
    assert measured(np.array([1])).tolist() == [2]  # the block that calls, then f's entry
    assert measured(np.array([0]))[0] > 1000
    assert measured(np.array([5])).tolist() == [0]
    assert ProgramGraph(of).procedure_of(5) == UNKNOWN
