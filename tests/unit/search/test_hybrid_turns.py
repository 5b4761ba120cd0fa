"""The turns of a hybrid search: when they begin, how long they are, who gets more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_campaign import Toy, ToyExecutor, ToySolver

from veer.execution.protocol import Work
from veer.model.program import HarnessKind, Program, Site, SiteKind
from veer.model.searchoptions import SearchOptions
from veer.search import hybrid
from veer.search.budget import Budget
from veer.search.explorer import Explorer
from veer.search.hybrid import Side
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared


@pytest.fixture
def shared() -> Iterator[Shared]:
    with Shared() as memory:
        yield memory


class Mutating(ToyExecutor):
    """Counts the mutated runs that it is asked for; each covers nothing."""

    asked: tuple[int, ...] = ()

    def mutate(self, runs: int, *, deadline: float | None = None) -> Work:
        self.asked = (*self.asked, runs)
        mutations = self.shared.control(Mutations)
        mutations.mutated_runs += runs
        mutations.mutated_steps += 50 * runs
        return Work()


def chain(toy: Toy) -> None:
    for site in range(4):
        toy.branch(site, lambda d, k=site: d[0] >> k & 1 == 1)


def searched(shared: Shared, *, has_items: bool = True, **options: object) -> Mutating:
    executor = Mutating(shared, chain)
    items = [(2 * k, 2 * k + 1) if has_items else (-1, -1) for k in range(5)]
    sites = tuple(Site(k, SiteKind.BRANCH, "toy.c", 10 + k, 1, "toy", items=items[k]) for k in range(5))
    program = Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), (), sites)
    chosen = SearchOptions(restarts=0, **options)  # type: ignore[arg-type]
    Explorer(shared, executor, ToySolver(executor, frozenset()), program, chosen, Budget(1e18, 0)).explore()
    return executor


def test_a_search_that_ends_at_once_has_none(shared: Shared) -> None:
    assert searched(shared).asked == ()


def test_turns_begin_once_the_search_has_cost_enough(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid, "_BEGINS", 0.0)
    monkeypatch.setattr(hybrid, "_ROUND", 10_000.0)
    asked = searched(shared).asked
    assert asked and all(hybrid._LEAST_RUNS <= runs <= hybrid._MOST_RUNS for runs in asked)


def test_where_no_branch_is_to_be_covered_they_get_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid, "_BEGINS", 0.0)
    monkeypatch.setattr(hybrid, "_ROUND", 10_000.0)
    with Shared() as one, Shared() as other:
        many, few = sum(searched(one).asked), sum(searched(other, has_items=False).asked)
    assert 0 < 3 * few < many


@pytest.mark.parametrize("options", [{"hybrid": False}, {"strategy": "rarest"}, {"strategy": "dfs"}])
def test_there_are_none_where_they_are_switched_off(
    shared: Shared, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    monkeypatch.setattr(hybrid, "_BEGINS", 0.0)
    monkeypatch.setattr(hybrid, "_ROUND", 10_000.0)
    assert searched(shared, **options).asked == ()


def test_who_finds_more_for_its_cost_gets_more() -> None:
    good, bad = Side(), Side()
    good.note(100_000.0, 10, 1.0)
    bad.note(100_000.0, 1, 1.0)
    assert good.rate > 3 * bad.rate
    for _ in range(20):
        good.note(100_000.0, 0, 0.5)
    assert good.rate < bad.rate
