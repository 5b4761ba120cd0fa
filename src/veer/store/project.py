"""summary.json of a whole project: the record of all results as one, with a row for each function (`functions`)."""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.result import Count, Result
from veer.model.survey import Row
from veer.store.records import count_record, ending_record, summary
from veer.store.schema import EndingRecord, FunctionRecord, Summary


def summary_of_all(whole: Result, rows: Sequence[Row]) -> Summary:
    """The record of summary.json. `whole`: the results of all functions that were tested, as one."""
    record = summary(whole)
    record.entries = [row.function for row in rows if not row.why_not]
    record.functions = [_record(row) for row in rows]
    return record


def rows_of(summary: Summary) -> tuple[Row, ...]:
    """The functions of a whole project; none where the summary is that of one entry."""
    return tuple(_row(record) for record in summary.functions)


def _record(row: Row) -> FunctionRecord:
    return FunctionRecord(
        name=row.function,
        place=row.place,
        why_not=row.why_not,
        paths=row.paths,
        branches=count_record(row.branches),
        bugs=row.bugs,
        errors=row.errors,
        breaking=row.breaking,
        seconds=row.seconds,
        ending=ending_record(row.ending) if row.ending is not None else None,
        remarks=list(row.remarks),
    )


def _row(record: FunctionRecord) -> Row:
    branches = record.branches
    return Row(
        function=record.name,
        place=record.place,
        why_not=record.why_not,
        paths=record.paths,
        branches=Count(branches.covered, branches.total) if branches is not None else None,
        bugs=record.bugs,
        errors=record.errors,
        breaking=record.breaking,
        seconds=record.seconds,
        ending=_ending(record.ending) if record.ending is not None else None,
        remarks=tuple(record.remarks),
    )


def _ending(record: EndingRecord) -> Ending:
    kind = next(each for each in EndingKind if each.value == record.kind)
    return Ending(kind, Claim(record.claim), tuple(record.within), tuple(record.lost_by))
