"""Result → the records of summary.json."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from veer import __version__
from veer.model.decisions import DecisionCoverage
from veer.model.describe import told
from veer.model.ending import Ending
from veer.model.outcome import Outcome
from veer.model.partition import Partitioning
from veer.model.program import Program
from veer.model.result import Bug, Count, Result, Test
from veer.store.schema import (
    SCHEMA,
    BranchRecord,
    BugRecord,
    CompositionalRecord,
    ConditionRecord,
    CountRecord,
    CoverageRecord,
    DecisionRecord,
    Discovery,
    EndingRecord,
    FrameRecord,
    GrowthRecord,
    LedgerRecord,
    OperationsRecord,
    PartitionRecord,
    QueriesRecord,
    SecondsRecord,
    SpecificationRecord,
    Summary,
    TestRecord,
    Tool,
)

_Record = TypeVar("_Record")


def summary(result: Result, suite: str = "", commands: tuple[str, ...] = ()) -> Summary:
    """The whole of summary.json. `suite`: the suite's file within DIR; `commands`: how to build and run it there."""
    program, ending, coverage = result.program, result.ending, result.coverage
    witnesses = {test.name: test for test in result.tests}
    return Summary(
        schema=SCHEMA,
        tool=Tool("veer", __version__),
        platform=result.platform,
        toolchain=result.toolchain,
        entries=[program.entry],
        sources=[str(source) for source in program.sources],
        seed=result.seed,
        strategy=result.strategy,
        options={name: _plain(value) for name, value in result.options.items()},
        ending=ending_record(ending),
        runs=result.runs,
        mutated_runs=result.mutated_runs,
        paths=result.paths,
        diverged=result.diverged,
        queries=_record(result.queries, QueriesRecord),
        coverage=CoverageRecord(
            lines=count_record(coverage.lines),
            branches=count_record(coverage.branches),
            conditions=count_record(coverage.conditions),
            mcdc=count_record(coverage.mcdc),
            functions=count_record(coverage.functions),
        ),
        branches=[_record(branch, BranchRecord) for branch in result.branches],
        bugs=[bug_record(program, bug, witnesses.get(bug.test)) for bug in result.bugs],
        tests=[test_record(program, test) for test in result.tests],
        ledger=[_record(entry, LedgerRecord) for entry in result.ledger],
        seconds=_record(result.seconds, SecondsRecord),
        bounds=list(program.bounds),
        notes=list(program.notes),
        suite=suite,
        commands=list(commands),
        operations=_record(result.operations, OperationsRecord),
        decisions=[_decision_record(each) for each in result.decisions],
        partition=_partition_record(result.partition) if result.partition is not None else None,
        compositional=_record(result.summaries, CompositionalRecord) if result.summaries else None,
        language=program.language,
        growth=_record(result.growth, GrowthRecord) if result.growth is not None else None,
        specifications=_specifications(result),
        requirements={name: list(ids) for name, ids in program.requirements.items()},
    )


def _specifications(result: Result) -> list[SpecificationRecord]:
    watching = result.program.watching
    found = []
    for each, seen in zip(watching.specifications if watching else (), result.watched, strict=False):
        states = each.drawn.registers if each.drawn is not None else ()
        reached = len({0, *(states.index(state) for state in seen.registers if state in states)}) if states else 0
        record = SpecificationRecord(each.name, each.text, each.file, each.line, seen.is_seen, len(states), reached)
        found.append(record)
    return found


def ending_record(ending: Ending) -> EndingRecord:
    """Why it stopped, and what may be claimed."""
    return EndingRecord(ending.kind, ending.claim, list(ending.within), list(ending.lost_by))


def bug_record(program: Program, bug: Bug, witness: Test | None) -> BugRecord:
    """A bug with the input that shows it."""
    return BugRecord(
        id=bug.id,
        kind=bug.outcome.key,
        file=bug.file,
        line=bug.line,
        column=bug.column,
        function=bug.function,
        message=bug.message,
        test=bug.test,
        stack=[FrameRecord(frame.function, frame.file, frame.line) for frame in bug.stack],
        confirmed=bug.confirmed,
        found=Discovery(bug.run, bug.seconds),
        count=bug.count,
        inputs=told(program, witness) if witness is not None else {},
        severity=bug.severity,
        needs=list(bug.needs),
        causes=[each.cause for each in bug.judgement.broken],
        fingerprint=bug.fingerprint,
        accepted=bug.is_accepted,
        reached_by=list(bug.reached_by),
        evidence=bug.judgement.evidence,
        events=list(witness.events) if witness is not None and bug.outcome is Outcome.VIOLATED else [],
    )


def test_record(program: Program, test: Test) -> TestRecord:
    """A test with its inputs in the words of C."""
    return TestRecord(
        name=test.name,
        outcome=test.outcome.key,
        inputs=told(program, test),
        covers=list(test.covers),
        exit_code=test.exit_code,
        returned=test.returned.hex() if test.returned is not None else None,
        replayed=test.replayed,
        raw=test.inputs.raw.hex(),
        printed=test.printed.hex() if test.printed is not None else None,
        state=test.state or "",
    )


def _decision_record(coverage: DecisionCoverage) -> DecisionRecord:
    decision = coverage.decision
    conditions = [
        ConditionRecord(each.text, each.values, each.kind, list(each.pair), list(each.tests))
        for each in coverage.conditions
    ]
    return DecisionRecord(
        decision.file,
        decision.line,
        decision.column,
        decision.function,
        decision.text,
        coverage.kind,
        coverage.note,
        conditions,
    )


def _partition_record(found: Partitioning) -> PartitionRecord:
    return _record({**msgspec.structs.asdict(found), "product": str(found.product)}, PartitionRecord)


def _record(value: object, kind: type[_Record]) -> _Record:
    """The record of a value whose fields it names."""
    return msgspec.convert(value, kind, from_attributes=True)


def count_record(count: Count | None) -> CountRecord | None:
    """None where it was not measured."""
    return CountRecord(count.covered, count.total) if count is not None else None


def _plain(value: object) -> object:
    """An option's value as JSON knows it."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
