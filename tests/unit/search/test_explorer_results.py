"""What is made of a search: kept paths, states of branches, statistics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from veer.execution.decode import Fault
from veer.findings.uncovered import branches
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program, Site, SiteKind
from veer.model.result import Constraints, Rung
from veer.model.values import replace
from veer.oracles.bugs import Suspect
from veer.search.coverage import Items
from veer.search.ending import is_imprecise
from veer.search.node_counts import NodeCounts
from veer.search.queries import Queries
from veer.search.selection import kept_paths
from veer.search.statistics import ledger, queries
from veer.smt.protocol import Eliminated
from veer.wire import layout
from veer.wire.layout import NONE, Kind, Loss, PathFlag, State, Table
from veer.wire.shared import Shared

SITES = (
    Site(0, SiteKind.BRANCH, "f.c", 1, 1, "f", "a", items=(0, 1)),
    Site(1, SiteKind.CASE, "f.c", 2, 1, "f", "s", sides=("other", "case 1"), items=(-1, 2)),
    Site(2, SiteKind.CASE, "f.c", 2, 1, "f", "s", sides=("default", "case 2"), items=(4, 3)),
    Site(3, SiteKind.CHECK, "f.c", 3, 1, "f", "overflow"),
)
PROGRAM = Program("f", HarnessKind.FUNCTION, (), Path("f"), (), (), SITES)
COMPLETE = Ending(EndingKind.EXHAUSTED, Claim.PATHS)
PARTIAL = Ending(EndingKind.BUDGET, Claim.NONE, (), ("1 open branch left",))


@pytest.fixture
def shared() -> Iterator[Shared]:
    with Shared() as memory:
        memory.counts.tree_count = 1
        memory.counts.edge_count = 2 * len(SITES)
        yield memory


def node(shared: Shared, site: int, alternative: int, state: State) -> None:
    """Appends a tree node."""
    index = shared.counts.tree_count
    shared.region("tree_site")[index] = site
    shared.region("tree_alternative")[index] = alternative
    shared.region("tree_kind")[index] = int(Kind.BRANCH)
    shared.region("tree_state")[index] = int(state)
    shared.counts.tree_count = index + 1


def verdicts(shared: Shared, ending: Ending, covered: frozenset[int] = frozenset()) -> dict[int, str]:
    """Item → state."""
    return {branch.id: branch.state for branch in branches(shared, PROGRAM, ending, covered)}


def test_items_of_a_switch_are_its_cases_and_the_default() -> None:
    items = Items(SITES)
    assert items.total == 5
    seen = Shared().region("edge_seen")[:8]
    seen[[1, 2, 4]] = 1
    assert items.covered(seen) == {1, 4}
    assert items.covered(seen[:3]) == {1}


def test_infeasible_is_said_only_of_a_complete_search(shared: Shared) -> None:
    node(shared, 0, 0, State.TAKEN)
    node(shared, 0, 1, State.INFEASIBLE)
    shared.region("edge_seen")[0] = 1
    assert verdicts(shared, COMPLETE, frozenset({0}))[1] == "infeasible"
    assert verdicts(shared, PARTIAL, frozenset({0}))[1] == "unreached"


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([State.UNKNOWN, State.INFEASIBLE], "unknown"),
        ([State.DIVERGED], "unknown"),
        ([State.OPEN, State.INFEASIBLE], "unreached"),
        ([State.QUEUED], "unreached"),
        ([State.CUT, State.INFEASIBLE], "pruned"),
        ([], "unreached"),
    ],
)
def test_states_of_a_side_that_is_not_covered(shared: Shared, states: list[State], expected: str) -> None:
    for state in states:
        node(shared, 0, 1, state)
    (found,) = (b for b in branches(shared, PROGRAM, PARTIAL, frozenset()) if b.id == 1)
    assert found.state == expected
    assert found.reason
    assert (found.text, found.side, found.line, found.function) == ("a", "true", 1, "f")


def test_a_side_that_no_path_reaches_is_infeasible_when_all_paths_are_known(shared: Shared) -> None:
    assert set(verdicts(shared, COMPLETE).values()) == {"infeasible"}
    assert set(verdicts(shared, PARTIAL).values()) == {"unreached"}


def test_a_side_that_only_untested_runs_took_is_not_covered(shared: Shared) -> None:
    shared.region("edge_seen")[1] = 1
    assert verdicts(shared, COMPLETE)[1] == "unreached"
    assert verdicts(shared, COMPLETE, frozenset({1}))[1] == "covered"


def path(shared: Shared, flags: PathFlag | int, outcome: layout.Outcome, same_as: int | None = None) -> None:
    """Appends a run, of a path of its own unless it is that of another."""
    index = shared.counts.path_count
    identity = index if same_as is None else same_as
    shared.region("paths")[index] = (identity, 0, 0, 0, NONE, int(outcome), int(flags), 0)
    shared.counts.path_count = index + 1


def test_kept_paths_add_something_or_witness_a_bug(shared: Shared) -> None:
    returned = layout.Outcome.RETURNED
    path(shared, PathFlag.NEW_EDGE | PathFlag.NEW_PATH, returned)
    path(shared, PathFlag.NEW_PATH, returned)
    path(shared, PathFlag.NEW_EDGE, layout.Outcome.ASSUMPTION)
    path(shared, PathFlag.NEW_BUG, layout.Outcome.ABORTED, same_as=1)
    path(shared, PathFlag.NEW_BUG, layout.Outcome.ABORTED, same_as=1)
    path(shared, PathFlag.NEW_OUTCOME, layout.Outcome.EXITED)
    path(shared, 0, returned, same_as=1)
    fault = Fault(Outcome.ABORTED, None, (), "", 1, 0.0, 0)
    suspect = Suspect(fault, 4, 2)
    assert kept_paths(shared, [suspect], all_paths=False) == (0, 4, 5)
    assert kept_paths(shared, [suspect], all_paths=True) == (0, 1, 4, 5)


def test_ledger_entries_have_their_place(shared: Shared) -> None:
    shared.note_loss(Loss.EXTERNAL, 0)
    shared.note_loss(Loss.CAPACITY, Table.QUEUE, count=3)
    shared.note_loss(Loss.CLOCK, NONE)
    entries = ledger(shared, PROGRAM)
    assert [(e.kind, e.file, e.line, e.count) for e in entries] == [
        ("external", "f.c", 1, 1),
        ("capacity", "", 0, 3),
        ("clock", "", 0, 1),
    ]
    assert entries[1].detail == "a table of veer's was full: queue"


def test_stubs_are_information_in_the_ledger(shared: Shared) -> None:
    shared.note_loss(Loss.SOLVER, 1)
    kinds = [(entry.kind, entry.detail) for entry in ledger(shared, replace(PROGRAM, stubs=("sensor", "motor")))]
    assert kinds == [
        ("solver", "the solver did not know: s"),
        ("stub", "an undefined function was given a stub: sensor"),
        ("stub", "an undefined function was given a stub: motor"),
    ]


def test_queries_are_counted_over_ladder_and_smt(shared: Shared) -> None:
    waiting = Queries.__new__(Queries)
    waiting.sat, waiting.unsat, waiting.unknown = 2, 1, 1
    waiting.answered_by = {"bitwuzla": 3}  # type: ignore[assignment]
    waiting.eliminated = Eliminated(9, 2, 4)
    shared.statistics.rungs["sat"][0] = 10
    shared.statistics.rungs[1] = (5, 0, 4, 2_000_000)
    counted = queries(shared, waiting)
    assert (counted.total, counted.sat, counted.unsat, counted.unknown) == (18, 12, 5, 1)
    assert counted.answered_by == {"bitwuzla": 3, "domain": 10, "interval": 4}
    assert counted.constraints == Constraints(9, 2, 4)
    assert counted.ladder == {"interval": Rung(asked=5, sat=0, unsat=4)}


@pytest.mark.parametrize("loss", [Loss.EXTERNAL, Loss.ADDRESS, Loss.SOLVER, Loss.FLOAT])
def test_fresh_inputs_may_find_what_lies_behind_lost_precision(shared: Shared, loss: Loss) -> None:
    shared.note_loss(loss, 0)
    assert is_imprecise(shared, NodeCounts.of(shared, 0))


@pytest.mark.parametrize("loss", [Loss.CLOCK, Loss.STUB, Loss.REFUSED, Loss.CAPACITY])
def test_fresh_inputs_find_nothing_where_runs_were_cut(shared: Shared, loss: Loss) -> None:
    shared.note_loss(loss, 0)
    assert not is_imprecise(shared, NodeCounts.of(shared, 0))


def test_fresh_inputs_may_find_a_branch_that_is_undecided(shared: Shared) -> None:
    node(shared, 0, 1, State.UNKNOWN)
    assert is_imprecise(shared, NodeCounts.of(shared, 0))
