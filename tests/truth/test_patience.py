"""Runs that use up their steps cost a second each: they end no search that has just begun, nor do changed inputs whose
runs are as long get all of its time."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """
struct entry { unsigned key; struct entry *next; };
struct table { struct entry *first[4]; int count; };
struct entry *find(struct table *t, unsigned key)
{
    struct entry *p = t->first[key % 4];
    while (p && p->key != key) p = p->next;
    return p;
}
"""


def found(folder: Path, **options: float) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    search = SearchOptions(budget=60.0, growing=(), max_steps=500_000, **options)  # type: ignore[arg-type]
    return campaign.run(BuildOptions((source,), "find"), search)


def test_one_long_run_ends_no_search_that_has_just_begun(tmp_path: Path) -> None:
    result = found(tmp_path, patience=0.01)
    assert {branch.state.name for branch in result.branches} == {"COVERED"}


def test_changed_inputs_get_no_turn_without_an_end(tmp_path: Path) -> None:
    result = found(tmp_path)
    assert result.ending.kind is EndingKind.EXHAUSTED
    assert result.mutated_runs < 500
