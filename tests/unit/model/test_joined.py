"""The results of several entries as one: what is counted once, what is added up, which of two wins."""

from __future__ import annotations

import pytest
from report_samples import full

from veer.model.ending import BranchState, Claim, Ending, EndingKind
from veer.model.joined import abridged, joined
from veer.model.program import Program
from veer.model.result import Bug, Result
from veer.model.severity import Judgement, Severity
from veer.model.values import replace


def part(entry: str, **changes: object) -> Result:
    """The abridged sample as the result of another entry."""
    result = full()
    program: Program = replace(result.program, entry=entry)
    return abridged(replace(result, program=program, **changes))


def test_what_two_entries_measured_is_counted_once() -> None:
    one, other = part("f"), part("g")
    whole = joined((one, other), "unit.c")
    assert whole.program.entry == "unit.c"
    assert len(whole.branches) == len({(b.file, b.line, b.column, b.text, b.side) for b in one.branches})
    assert [branch.id for branch in whole.branches] == list(range(len(whole.branches)))
    assert whole.paths == one.paths + other.paths
    assert [line.tests for line in whole.lines] == [2 * line.tests for line in one.lines]
    assert whole.coverage.lines == one.coverage.lines and whole.coverage.functions == one.coverage.functions
    assert len(whole.bugs) == len(one.bugs)
    assert [bug.count for bug in whole.bugs] == [2 * bug.count for bug in one.bugs]
    assert whole.ledger == tuple(replace(entry, count=2 * entry.count) for entry in one.ledger)


def test_tests_are_called_by_their_entry_and_cover_the_same_places() -> None:
    one, other = part("f"), part("g")
    whole = joined((one, other), "unit.c")
    names = [test.name for test in whole.tests]
    assert names == [f"{entry}/{test.name}" for entry in ("f", "g") for test in one.tests]
    places = {branch.id: (branch.line, branch.column, branch.side) for branch in one.branches}
    of_whole = {branch.id: (branch.line, branch.column, branch.side) for branch in whole.branches}
    for before, after in zip((*one.tests, *one.tests), whole.tests, strict=True):
        assert sorted(places[item] for item in before.covers) == sorted(of_whole[item] for item in after.covers)


def test_a_branch_is_as_well_covered_as_by_any_entry() -> None:
    nothing = tuple(replace(each, state=BranchState.INFEASIBLE) for each in part("f").branches)
    whole = joined((part("f", branches=nothing), part("g")), "unit.c")
    found = sorted((b.line, b.column, b.text, b.side, b.state) for b in whole.branches)
    assert found == sorted((b.line, b.column, b.text, b.side, b.state) for b in part("g").branches)


def test_branches_and_bugs_of_two_functions_that_a_macro_defines_in_one_line_are_two() -> None:
    def made(name: str, state: BranchState) -> Result:
        branch, bug = part(name).branches[0], part(name).bugs[0]
        branches = tuple(replace(branch, id=number, function=name, state=state) for number in range(2))
        return part(name, branches=branches, bugs=(replace(bug, function=name),), tests=())

    whole = joined((made("f", BranchState.COVERED), made("g", BranchState.UNREACHED)), "unit.c")
    states = [(each.function, each.state) for each in whole.branches]
    assert states == [("f", BranchState.COVERED)] * 2 + [("g", BranchState.UNREACHED)] * 2
    assert (whole.coverage.branches.covered, whole.coverage.branches.total) == (2, 4)
    assert [bug.function for bug in whole.bugs] == ["f", "g"]


def test_the_worse_of_two_reports_of_one_bug_is_shown() -> None:
    mild: tuple[Bug, ...] = tuple(replace(bug, judgement=Judgement(Severity.CONTRACT)) for bug in part("f").bugs)
    whole = joined((part("f", bugs=mild), part("g")), "unit.c")
    assert {bug.severity for bug in whole.bugs} == {Severity.ERROR}
    assert all(bug.test.startswith("g/") for bug in whole.bugs)


def test_the_claim_is_the_weakest() -> None:
    strong = Ending(EndingKind.EXHAUSTED, Claim.PATHS, ("max-length 8",))
    weak = Ending(EndingKind.BUDGET, Claim.NONE, (), ("time ran out",))
    ending = joined((part("f", ending=strong), part("g", ending=weak)), "unit.c").ending
    assert ending == Ending(EndingKind.BUDGET, Claim.NONE, ("max-length 8",), ("time ran out",))


def test_what_is_abridged_still_tells_its_inputs() -> None:
    before = full()
    after = abridged(before)
    assert not after.tree and not after.program.types
    assert all(dict(test.shown) for test, same in zip(after.tests, before.tests, strict=True) if same.inputs.roots)
    assert [test.inputs.raw for test in after.tests] == [test.inputs.raw for test in before.tests]


def test_nothing_cannot_be_joined() -> None:
    with pytest.raises(ValueError, match="no results"):
        joined((), "unit.c")
