"""How many fresh random inputs a search runs, and what it says of them."""

from __future__ import annotations

from veer.search.restarts import Restarts, notes_of_workers


def test_they_end_when_so_many_in_a_row_showed_nothing_new() -> None:
    restarts = Restarts(3)
    for is_new in (False, False, True, False, False):
        restarts.begin()
        restarts.note(is_new=is_new)
    assert not restarts.is_over
    assert restarts.begin() == 6
    restarts.note(is_new=False)
    assert restarts.is_over
    assert restarts.notes == ("6 fresh random inputs were run, for precision was lost: 1 of them showed something new",)


def test_a_worker_runs_few_though_each_is_new_to_it() -> None:
    restarts = Restarts(100, in_all=8)
    while not restarts.is_over:
        restarts.begin()
        restarts.note(is_new=True)
    assert restarts.made == 8


def test_none_are_run_where_none_are_asked_for() -> None:
    assert Restarts(0).is_over
    assert Restarts(0).notes == ()


def test_a_saved_search_goes_on_counting() -> None:
    first, second = Restarts(2), Restarts(2)
    first.begin()
    first.note(is_new=False)
    second.restore(first.state())
    assert second.begin() == 2
    second.note(is_new=False)
    assert second.is_over


def test_those_of_workers_are_added_up() -> None:
    states = ({"restarts": {"made": 0}}, {"restarts": {"made": 8}}, {"restarts": {"made": 3}}, {})
    assert notes_of_workers(states) == (
        "11 fresh random inputs were run, for precision was lost: with --jobs, 8 at most for each part of the search",
    )
    assert notes_of_workers(({"restarts": {"made": 0}},)) == ()
