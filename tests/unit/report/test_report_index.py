"""index.html: all functions of a project, what is worth a look first; nothing of a source is taken for markup."""

from __future__ import annotations

import re

from report_samples import HOSTILE, full

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.joined import abridged, joined
from veer.model.result import Count
from veer.model.survey import Row
from veer.report import index

PATHS = Ending(EndingKind.EXHAUSTED, Claim.PATHS)
ROWS = (
    Row("quiet", "a.c:1", paths=3, branches=Count(4, 4), ending=PATHS),
    Row("half", "a.c:5", paths=2, branches=Count(1, 4), ending=Ending(EndingKind.BUDGET, Claim.NONE)),
    Row("testme", "a.c:9", paths=6, branches=Count(7, 8), bugs=2, errors=1, breaking=1, ending=PATHS),
    Row("vast", "a.c:20", "cannot be an entry: <wide>"),
)


def page() -> str:
    return index.render(ROWS, joined((abridged(full()),), "unit.c"))


def test_what_is_worth_a_look_comes_first() -> None:
    section = page().partition('id="functions"')[2].partition("</section>")[0]
    assert re.findall(r'href="(\w+)/report\.html"', section) == ["testme", "half", "quiet"]
    assert "the budget of time or memory ran out" in section and "every path" in section


def test_bugs_lead_to_the_page_of_their_function_and_show_their_input() -> None:
    text = page()
    assert 'href="testme/report.html#bugs"' in text
    assert "abort() was called" in text and "The input that shows it" in text


def test_branches_that_no_test_takes_are_listed_with_the_reason() -> None:
    text = page()
    assert "Branches that no test takes, and why" in text
    assert "no input can take it: proved" in text


def test_what_was_not_tested_is_told_and_nothing_is_markup() -> None:
    text = page()
    assert "cannot be an entry: &lt;wide&gt;" in text
    assert HOSTILE not in text and "</script>" not in text
