"""Which functions an entry can lead to, on programs made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from veer.frontends.c.library_facts import FACTS, known
from veer.model.program import Function, HarnessKind, Program, Site, SiteKind
from veer.search.reachable import counted_sites, left_out, reachable_functions


def program(
    functions: dict[str, tuple[str, ...]],
    takes: dict[str, tuple[str, ...]] | None = None,
    outside: tuple[tuple[str, str], ...] = (),
    addresses: tuple[str, ...] = (),
    uninstrumented: tuple[str, ...] = (),
) -> Program:
    """Functions with their callees, one branch each; `outside`: calls (function, callee) of what the unit lacks."""
    sites = [Site(k, SiteKind.BRANCH, "a.c", k, 1, name, items=(2 * k, 2 * k + 1)) for k, name in enumerate(functions)]
    sites += [
        Site(len(functions) + k, SiteKind.CALL, "a.c", 1, 1, name, callee) for k, (name, callee) in enumerate(outside)
    ]
    made = tuple(
        Function(name, "a.c", 1, (), -1, False, successors=((),), calls=calls, takes=(takes or {}).get(name, ()))
        for name, calls in functions.items()
    )
    return Program(
        "main_entry",
        HarnessKind.FUNCTION,
        (),
        Path("x"),
        made,
        (),
        tuple(sites),
        addresses=addresses,
        uninstrumented=uninstrumented,
        external=known(FACTS),
    )


def test_calls_are_followed_and_cycles_end() -> None:
    found = reachable_functions(program({"main_entry": ("a",), "a": ("b", "main_entry"), "b": (), "c": ("a",)}))
    assert found == {"main_entry", "a", "b"}


def test_whose_address_is_taken_is_reachable_where_it_is_taken() -> None:
    functions: dict[str, tuple[str, ...]] = {"main_entry": (), "taken": (), "elsewhere": (), "unused": ()}
    taken = {"main_entry": ("taken",), "unused": ("elsewhere",)}
    assert reachable_functions(program(functions, taken)) == {"main_entry", "taken"}


def test_tables_of_functions_count_once_something_unknown_is_called() -> None:
    functions: dict[str, tuple[str, ...]] = {"main_entry": (), "in_table": (), "unused": ()}
    assert reachable_functions(program(functions, addresses=("in_table",))) == {"main_entry"}
    for callee in ("", "qsort", "somebody_elses"):  # indirect, calls back, may call anything
        calls = (("main_entry", callee),)
        assert reachable_functions(program(functions, outside=calls, addresses=("in_table",))) == {
            "main_entry",
            "in_table",
        }
    harmless = program(functions, outside=(("main_entry", "memcpy"),), addresses=("in_table",))
    assert reachable_functions(harmless) == {"main_entry"}


def test_what_uninstrumented_code_calls_is_not_known() -> None:
    found = reachable_functions(program({"main_entry": (), "a": ()}, uninstrumented=("black_box",)))
    assert found == {"main_entry", "a"}


def test_what_a_run_entered_counts_with_all_that_it_calls() -> None:
    made = program({"main_entry": (), "constructor": ("deeper",), "deeper": (), "unused": ()})
    seen = np.zeros(8, np.uint8)
    seen[3] = 1
    assert reachable_functions(made, seen) == {"main_entry", "constructor", "deeper"}


def test_the_sentence_says_what_is_left_out() -> None:
    made = program({"main_entry": (), "a": (), "b": ()})
    assert left_out(made, made.sites) == ""
    counted = counted_sites(made, frozenset({"main_entry"}))
    assert [site.function for site in counted] == ["main_entry"]
    assert left_out(made, counted) == "4 branches lie in 2 functions that main_entry never calls; not counted"
    counted = counted_sites(made, frozenset({"main_entry", "a"}))
    assert left_out(made, counted) == "2 branches lie in a function that main_entry never calls; not counted"
