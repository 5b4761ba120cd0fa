"""What `veer update` says and ends with: a search that a budget has ended may choose other tests each time."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from veer.campaign.update import Update
from veer.cli.update_command import is_certain, tell
from veer.model.ending import EndingKind
from veer.model.result import Result

CHANGED, OTHER = "test_f: returned 1, now returns 2", "new: test_f_returns_7"


def update(sentences: tuple[str, ...], others: tuple[str, ...], *, is_written: bool = True) -> Update:
    return Update("test_f.c", {"test_f.c": b""} if is_written else {}, (), sentences, others)


def ended(kind: EndingKind) -> Result:
    return cast(Result, SimpleNamespace(ending=SimpleNamespace(kind=kind)))


@pytest.mark.parametrize(
    ("kind", "found", "expected"),
    [
        (EndingKind.EXHAUSTED, update((), (), is_written=False), False),
        (EndingKind.EXHAUSTED, update((), ()), True),
        (EndingKind.EXHAUSTED, update((), (OTHER,)), True),
        (EndingKind.COVERED, update((CHANGED,), ()), True),
        (EndingKind.BUDGET, update((), (OTHER,)), False),
        (EndingKind.BUDGET, update((CHANGED,), (OTHER,)), True),
    ],
)
def test_what_is_a_change_of_the_program(kind: EndingKind, found: Update, expected: bool) -> None:
    assert is_certain(found, ended(kind)) == expected


def test_what_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    found = update((CHANGED,), (OTHER,))
    tell(found, ended(EndingKind.EXHAUSTED), Path("tests"))
    assert capsys.readouterr().out == f"tests/test_f.c: 2 changes\n  {CHANGED}\n  {OTHER}\n"
    tell(found, ended(EndingKind.BUDGET), Path("tests"))
    told = capsys.readouterr().out
    assert told.startswith(f"tests/test_f.c: 1 change\n  {CHANGED}\n") and "chose 1 tests otherwise" in told
    assert OTHER not in told
    tell(update((), ()), ended(EndingKind.EXHAUSTED), Path("tests"))
    assert capsys.readouterr().out == "tests/test_f.c: no test changed, but the text of test_f.c\n"
