"""veer explores the data structures of its own runtime, as CUTE did (section 4.1), and notices when one is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

RUNTIME = Path(veer.__file__).parent / "runtime"
UNIT = Path(__file__).parent / "own" / "spans.c"


def _tested(entry: str, engine: Path, *predicates: str, max_bugs: int = 0) -> Result:
    build = BuildOptions(
        (UNIT,),
        entry,
        include=tuple(map(str, (engine, RUNTIME / "engine", RUNTIME / "include"))),
        preconditions=predicates,
    )
    return campaign.run(build, SearchOptions(budget=40.0, max_bugs=max_bugs))


@pytest.mark.parametrize(
    ("entry", "predicates"),
    sampled(
        [
            ("test_complement", ("set_ok",)),
            ("test_intersect", ("set_ok",)),
            ("test_nearest", ("set_ok", "not_empty")),
        ],
        lambda case: case[0] == "test_complement",
    ),
)
def test_sets_of_intervals_do_what_sets_do(entry: str, predicates: tuple[str, ...]) -> None:
    result = _tested(entry, RUNTIME / "engine", *predicates)
    assert [(bug.message, bug.line) for bug in result.bugs] == []
    assert result.paths > 10
    assert result.ending.claim in ("paths", "criterion")


@pytest.mark.parametrize(
    ("entry", "right", "wrong"),
    sampled(
        [
            ("test_complement", "if (span.high == mask)", "if (span.high > mask)"),
            ("test_intersect", "if (a.high < b.high)\n            i++;", "if (a.high > b.high)\n            i++;"),
            ("test_nearest", "(near - span.high) & mask", "(near - span.low) & mask"),
        ],
        lambda case: case[0] == "test_complement",
    ),
)
def test_a_mutant_is_noticed(tmp_path: Path, entry: str, right: str, wrong: str) -> None:
    text = (RUNTIME / "engine" / "spans.c").read_text()
    assert right in text
    (tmp_path / "spans.c").write_text(text.replace(right, wrong))
    predicates = ("set_ok", "not_empty") if entry == "test_nearest" else ("set_ok",)
    result = _tested(entry, tmp_path, *predicates, max_bugs=1)
    assert Outcome.ASSERTION in {bug.outcome for bug in result.bugs}
