"""The table at the end of `veer test --all`: a line a function, then what holds of all together.

function      paths  branches        bugs  seconds
parse_number     12  20 of 22           1      1.2  the budget of time or memory ran out
is_digit          3  4 of 4             0      0.2  every path
open_file         -  cannot be an entry: ...
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from veer.model.survey import Row, Survey
from veer.report.severities import counted_numbers
from veer.report.words import claim_of_rows, ending_sentence, number, percent

_MOST_NAMES = 3
_MOST_CONTRACTS = 5
_MOST_REMARKS = 5


def survey_lines(survey: Survey) -> list[str]:
    """The table, the bugs, and the line of totals."""
    tested = [row for row in survey.rows if not row.why_not]
    lines = _table(survey.rows)
    for index, (place, function, message, folder) in enumerate(survey.bugs, 1):
        lines.append(f"bug {index}: {place} {function}: {message} ({folder})")
    lines += _first(survey.contracts, "contract: ", _MOST_CONTRACTS, "cause", "causes")
    lines += _first(_remarks(survey.rows), "note: ", _MOST_REMARKS, "note", "notes")
    bugs = counted_numbers(len(survey.bugs), survey.breaking, survey.accepted)
    counted = f"branches {percent(survey.branches)}" if survey.branches.total else "no branches"
    lines.append(f"{len(tested)} of {len(survey.rows)} functions tested, {counted}, {bugs}, {survey.seconds:.1f} s")
    return lines


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """The same for a terminal of so many columns: what goes on is indented. In a pipe each stays one line."""
    found: list[str] = []
    for line in lines:
        if len(line) <= width:
            found.append(line)
        else:
            found += wrap(line, width, subsequent_indent="    ", replace_whitespace=False, break_on_hyphens=False)
    return found


def _first(sentences: Sequence[str], head: str, most: int, one: str, many: str) -> list[str]:
    """The first of many sentences, and how many more index.html has."""
    rest = len(sentences) - most
    lines = [f"{head}{sentence}" for sentence in sentences[:most]]
    return lines + ([f"{head}{number(rest, f'more {one}', f'more {many}')}, in index.html"] if rest > 0 else [])


def _remarks(rows: Sequence[Row]) -> list[str]:
    """What is to be known of single functions: what holds of several is said once, and what holds of most first."""
    functions: dict[str, list[str]] = {}
    for row in rows:
        for remark in row.remarks:
            functions.setdefault(remark, []).append(row.function)
    told = sorted(functions.items(), key=lambda each: -len(each[1]))
    return [f"{_shortened(names)}: {remark}" for remark, names in told]


def _shortened(names: Sequence[str]) -> str:
    """`f, g, h and 4 more`."""
    rest = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def _table(rows: Sequence[Row]) -> list[str]:
    width = max([len("function"), *(len(row.function) for row in rows)])
    lines = [f"{'function':<{width}}  {'paths':>7}  {'branches':<12}  {'bugs':>4}  {'seconds':>7}"]
    for row in rows:
        if row.why_not:
            lines.append(f"{row.function:<{width}}  {'-':>7}  {row.why_not}")
            continue
        count = row.branches
        branches = "not measured" if count is None else f"{count.covered} of {count.total}" if count.total else "none"
        claim = "" if row.ending is None else claim_of_rows(row.ending.claim) or ending_sentence(row.ending)
        lines.append(
            f"{row.function:<{width}}  {row.paths:>7}  {branches:<12}  {row.bugs:>4}  {row.seconds:>7.1f}  {claim}"
        )
    return lines
