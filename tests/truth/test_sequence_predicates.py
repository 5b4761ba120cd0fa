"""Predicates before the calls of a sequence: --pre and contracts are asked of each call, and the claim names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """
#include <stdlib.h>
struct box { int n, items[2]; };
static int even(int v) { return v % 2 == 0; }
int has_room(const struct box *b) { return b->n < 2; }
struct box *box_new(void) { return calloc(1, sizeof(struct box)); }
void box_put(struct box *b, int v) { if (v % 2) abort(); if (b->n >= 2) exit(3); b->items[b->n++] = v; }
void box_free(struct box *b) { free(b); }
"""


def found(folder: Path, text: str, *predicates: str) -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    sequence = "box_new,{box_put},box_free"
    build = BuildOptions((source,), "calls", sequence=sequence, max_calls=5, preconditions=predicates)
    return campaign.run(build, SearchOptions(budget=10.0))


def ends(result: Result) -> set[Outcome]:
    return {test.outcome for test in result.tests}


@pytest.mark.parametrize(
    ("predicates", "missing"),
    [
        ((), set[Outcome]()),
        (("even",), {Outcome.ABORTED}),
        (("even", "has_room"), {Outcome.ABORTED, Outcome.EXITED}),
    ],
)
def test_calls_that_a_predicate_excludes_are_not_made(
    predicates: tuple[str, ...], missing: set[Outcome], tmp_path: Path
) -> None:
    result = found(tmp_path, UNIT, *predicates)
    assert ends(result) == {Outcome.RETURNED, Outcome.ABORTED, Outcome.EXITED} - missing
    assert [f"{each} holds before box_put" in result.ending.within for each in predicates] == [True] * len(predicates)
    assert not {"even", "has_room"} & {branch.function for branch in result.branches}


def test_the_contract_of_a_call_is_asked(tmp_path: Path) -> None:
    result = found(tmp_path, UNIT.replace("void box_put", "/* veer: pre(even) */\nvoid box_put"))
    assert ends(result) == {Outcome.RETURNED, Outcome.EXITED}


def test_a_predicate_that_no_call_has_parameters_for_is_refused(tmp_path: Path) -> None:
    odd = "int odd(const char *text) { return text[0]; }\n"
    with pytest.raises(UsageError, match=r"--pre odd: .* has no parameters for it"):
        found(tmp_path, UNIT + odd, "odd")
