"""The loop on toy programs: every feasible path once, the endings, the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from fake_campaign import Toy, ToyExecutor, ToySolver

from veer.execution.protocol import Work
from veer.model.program import HarnessKind, Program, Site, SiteKind
from veer.model.searchoptions import SearchOptions
from veer.search.batching import LARGEST, Batching
from veer.search.budget import Budget
from veer.search.explorer import Explorer
from veer.search.inputbounds import meet_all
from veer.smt.protocol import Answer, Query, Solver, Unknown
from veer.wire.layout import Kind, Loss, Outcome, State
from veer.wire.shared import Shared


@pytest.fixture
def shared() -> Iterator[Shared]:
    """A memory in which runs came to every bound of the inputs."""
    with Shared() as memory:
        meet_all(memory)
        yield memory


def program(sites: int = 4) -> Program:
    """A program with that many branch sites, two items each."""
    made = tuple(Site(k, SiteKind.BRANCH, "toy.c", 10 + k, 1, "toy", items=(2 * k, 2 * k + 1)) for k in range(sites))
    return Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), (), made, bounds=("max-length 8",))


def explorer(
    shared: Shared,
    executor: ToyExecutor,
    options: SearchOptions,
    unknown: frozenset[int] = frozenset(),
    solver: Solver | None = None,
) -> Explorer:
    limit = Budget(1e18, options.max_runs)
    return Explorer(shared, executor, solver or ToySolver(executor, unknown), program(), options, limit)


CONDITIONS = tuple((lambda d, k=k: d[0] == k + 2) for k in range(4))


def nested(toy: Toy) -> None:
    """Five paths of which one is infeasible: four run."""
    if toy.branch(0, lambda d: d[0] > 3):
        if toy.branch(1, lambda d: d[0] < 2):
            toy.outcome = Outcome.ABORTED
        toy.branch(2, lambda d: d[1] == 5)
    else:
        toy.branch(3, lambda d: d[0] + d[1] == 9)


def paths_of(executor: ToyExecutor) -> set[tuple[tuple[int, int], ...]]:
    """All paths, by enumeration."""
    found = set()
    for data in executor.inputs:
        toy = Toy(executor, data)
        executor.program(toy)
        found.add(tuple((site, taken) for _, site, _, taken in toy.trace))
    return found


@pytest.mark.parametrize("name", ["dfs", "rarest"])
@pytest.mark.parametrize("batch", [1, 3, 64])
@pytest.mark.parametrize("hard", [frozenset[int](), frozenset({1, 3}), frozenset({0, 1, 2, 3})])
def test_exhausted_means_every_path_once(shared: Shared, name: str, batch: int, hard: frozenset[int]) -> None:
    executor = ToyExecutor(shared, nested, hard=hard)
    search = explorer(shared, executor, SearchOptions(strategy=name, batch=batch))
    ending = search.explore()
    assert (ending.kind, ending.claim, ending.lost_by) == ("exhausted", "paths", ())
    assert ending.within == ("max-length 8",)
    assert executor.paths == paths_of(executor)
    assert shared.counts.runs == len(executor.paths) == 4
    assert search.queries.counts.sat + search.queries.counts.unsat == (
        0 if not hard else len(hard) if 1 < len(hard) < 4 else 5 - 1
    )


def test_an_unknown_answer_ends_the_claim_but_not_the_search(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({2, 3}))
    search = explorer(shared, executor, SearchOptions(restarts=0), unknown=frozenset({2}))
    ending = search.explore()
    assert (ending.kind, ending.claim) == ("exhausted", "none")
    assert "the solver did not know (1 time, first at toy.c:12)" in ending.lost_by
    assert search.queries.counts.unknown == 1 and search.queries.counts.reasons == {"time limit": 1}
    assert len(executor.paths) == 3


def test_a_query_that_struck_a_limit_is_asked_again_when_nothing_else_is_left(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({0, 1, 2, 3}))
    solver = ToySolver(executor, slow=frozenset({0, 2}))
    search = explorer(shared, executor, SearchOptions(restarts=0, hybrid=False), solver=solver)
    ending = search.explore()
    assert (ending.kind, ending.claim, ending.lost_by) == ("exhausted", "paths", ())
    assert executor.paths == paths_of(executor)
    assert [patience for site, patience in solver.asked if site in (1, 3)] == [1] * 2
    assert sorted(solver.asked).count((0, 4)) == 1 and search.queries.counts.unknown == 0


def test_patience_ends_when_it_is_in_vain(shared: Shared) -> None:
    def chain_of_branches(toy: Toy) -> None:
        for site, condition in enumerate(CONDITIONS):
            toy.branch(site, condition)

    class Impatient(ToySolver):
        def solve(self, query: Query) -> Answer:
            super().solve(query)
            return Unknown("time limit", "toy", by_limit=True)

    executor = ToyExecutor(shared, chain_of_branches, hard=frozenset({0, 1, 2, 3}))
    solver = Impatient(executor)
    search = explorer(shared, executor, SearchOptions(restarts=0, hybrid=False), solver=solver)
    ending = search.explore()
    assert ending.claim == "none" and "the solver did not know (4 times, first at toy.c:10)" in ending.lost_by
    assert sorted(patience for _, patience in solver.asked) == [1, 1, 1, 1, 4, 4]
    assert search.queries.counts.unknown == 4


def test_what_struck_a_limit_is_a_loss_when_the_search_ends_before_it_is_asked_again(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({0, 3}))
    search = explorer(shared, executor, SearchOptions(hybrid=False), solver=ToySolver(executor, slow=frozenset({0, 3})))
    assert search.search(lambda _: search.queries.struck == 2) is None
    assert search.queries.struck == 2 and not len(shared.published("ledger"))
    search.queries.settle()
    assert search.queries.struck == 0 and search.queries.counts.unknown == 2
    assert [Loss(kind) for kind, _, _ in shared.published("ledger").tolist()] == [Loss.SOLVER] * 2


def test_a_hybrid_search_asks_for_a_short_time_first_and_gives_up_no_sooner(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({0, 1, 2, 3}))
    solver = ToySolver(executor, slow=frozenset({0, 2}))
    search = explorer(shared, executor, SearchOptions(restarts=0), solver=solver)
    assert search.explore().claim == "paths"
    assert [patience for site, patience in solver.asked if site == 0] == [0.2, 1.0, 4.0]
    assert [patience for site, patience in solver.asked if site == 1] == [0.2]


def test_random_restarts_find_what_no_solver_could(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({2}))
    search = explorer(shared, executor, SearchOptions(restarts=8), unknown=frozenset({2}))
    ending = search.explore()
    assert ending.claim == "none"
    assert executor.paths == paths_of(executor)  # the second restart makes both bytes 5


def test_restarts_stop_when_they_bring_nothing(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({3}))
    search = explorer(shared, executor, SearchOptions(restarts=100), unknown=frozenset({3}))
    search.explore()
    assert 100 <= shared.counts.runs <= 4 + 100 + 100
    assert "fresh random inputs were run, for precision was lost" in search.notes[0]


def test_restarts_end_with_the_budget(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({3}))
    search = explorer(shared, executor, SearchOptions(max_runs=50), unknown=frozenset({3}))
    assert search.explore().kind == "max_runs"
    assert shared.counts.runs == 50


def test_a_divergence_ends_the_claim_but_not_the_search(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, wild=frozenset({3}))
    ending = explorer(shared, executor, SearchOptions(restarts=0)).explore()
    assert (ending.kind, ending.claim) == ("exhausted", "none")
    assert ending.lost_by == ("a run left its predicted path (1 time)",)
    assert len(executor.paths) == 3


def test_max_runs_is_never_exceeded(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    ending = explorer(shared, executor, SearchOptions(max_runs=3)).explore()
    assert (ending.kind, ending.claim) == ("max_runs", "none")
    assert ending.lost_by[0].endswith("left")
    assert shared.counts.runs == 3


def test_the_budget_ends_the_search(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    ticks = count()
    options = SearchOptions()
    limit = Budget(2, 0, lambda: next(ticks))
    search = Explorer(shared, executor, ToySolver(executor), program(), options, limit)
    assert search.explore().kind == "budget"
    assert 0 < len(executor.paths) < 4


def test_a_full_table_is_a_spent_budget(shared: Shared) -> None:
    class Full(ToyExecutor):
        def expand(self, ids: Sequence[int], *, deadline: float | None = None) -> Work:
            super().expand(ids[:1], deadline=deadline)
            return Work(left=tuple(ids[1:]), full=True)

    executor = Full(shared, nested)
    search = explorer(shared, executor, SearchOptions())
    assert search.explore().kind == "budget"
    assert len(executor.paths) == 2  # the first run, and the one behind which the table was full


def test_stop_ends_the_search_and_keeps_what_was_found(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    shared.command.stop = 1
    ending = explorer(shared, executor, SearchOptions()).explore()
    assert ending.kind == "stopped"
    assert shared.counts.path_count == 1


def test_covered_stops_when_the_criterion_is_met(shared: Shared) -> None:
    def four(toy: Toy) -> None:
        toy.branch(0, lambda d: d[0] > 3)
        toy.branch(1, lambda d: d[0] > 1)
        toy.branch(2, lambda d: d[1] > 3)
        toy.branch(3, lambda d: d[1] > 1)

    executor = ToyExecutor(shared, four)
    ending = explorer(shared, executor, SearchOptions(keep_going=False, batch=1)).explore()
    assert (ending.kind, ending.claim) == ("covered", "criterion")
    assert shared.counts.runs < len(paths_of(executor))


def test_same_options_same_search() -> None:
    found = []
    for _ in range(2):
        with Shared() as memory:
            executor = ToyExecutor(memory, nested)
            explorer(memory, executor, SearchOptions(batch=2)).explore()
            found.append([memory.input_of(path) for path in range(memory.counts.path_count)])
    assert found[0] == found[1]


def test_cut_nodes_are_a_bound_not_a_loss(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    search = explorer(shared, executor, SearchOptions(max_branches=1))
    executor.run(b"")
    last, shared.options.max_depth = shared.counts.tree_count - 1, 1
    shared.region("tree_state")[last], shared.region("tree_depth")[last] = State.CUT, 2
    ending = search.explore()
    assert ending.claim == "paths"
    assert ending.within == ("max-length 8", "max-branches 1")


def test_a_reason_is_told_once(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({2, 3}), wild=frozenset({1}))
    search = explorer(shared, executor, SearchOptions(restarts=0), unknown=frozenset({2}))
    shared.note_loss(Loss.DIVERGENCE, 1)
    ending = search.explore()
    assert ending.lost_by == (
        "the solver did not know (1 time, first at toy.c:12)",
        "a run left its predicted path (1 time, first at toy.c:11)",
    )


def test_what_a_deadline_cut_short_is_open_not_unknown(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested, hard=frozenset({0, 2, 3}))
    ticks = count()
    solver = ToySolver(executor, frozenset({0, 2, 3}))
    search = Explorer(shared, executor, solver, program(), SearchOptions(), Budget(3, 0, lambda: next(ticks)))
    ending = search.explore()
    assert (ending.kind, search.queries.counts.unknown) == ("budget", 0)
    assert not any("solver" in reason for reason in ending.lost_by)


def test_a_stub_loses_nothing_and_other_losses_do(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    shared.note_loss(Loss.STUB, 0)
    search = explorer(shared, executor, SearchOptions())
    assert search.explore().claim == "paths"


def test_an_open_node_that_slipped_through_is_taken_up(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    search = explorer(shared, executor, SearchOptions())
    expand = executor.expand
    dropped = []

    def lossy(ids: list[int], *, deadline: float | None = None):
        if not dropped:
            dropped.append(ids)
            ids = []
        return expand(ids, deadline=deadline)

    executor.expand = lossy  # type: ignore[method-assign]
    assert search.explore().claim == "paths"
    assert executor.paths == paths_of(executor)


def test_batches_grow_on_counts() -> None:
    batching = Batching(64)
    assert [batching.size(runs, 0) for runs in (0, 1, 16, 100, 10_000)] == [1, 1, 2, 12, 64]
    for _ in range(20):
        batching.note(something_new=False)
    assert batching.size(10_000, 10_000) == LARGEST
    assert batching.size(10_000, 10_000 * 5000) == 100
    assert batching.size(10_000, 10_000 * 100_000) == 64
    batching.note(something_new=True)
    assert batching.size(10_000, 10_000) == 64
    assert Batching(1).size(10_000, 0) == 1


def test_kinds_of_the_toy_are_the_wires(shared: Shared) -> None:
    executor = ToyExecutor(shared, nested)
    executor.run(b"\4\0")
    assert shared.tree("kind")[1:].tolist() == [int(Kind.BRANCH)] * (shared.counts.tree_count - 1)
