"""Which bounds of the inputs a claim depends on."""

from __future__ import annotations

from pathlib import Path

from veer.model.program import HarnessKind, Program
from veer.model.types import BoundKind
from veer.search.inputbounds import meet_all, met, words_met
from veer.wire.bounds import Bounds
from veer.wire.layout import Bound
from veer.wire.shared import Shared

_WORDS = ("max-length 8", "max-array 4", "max-length 3 of s", "stdin-size 8", "one object behind a pointer")


def test_a_bound_that_no_run_came_to_is_not_named() -> None:
    program = Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), (), (), bounds=_WORDS)
    with Shared() as shared:
        shared.control(Bounds).met_bounds = 1 << Bound.ARRAY | 1 << Bound.INPUT
        assert met(shared) == {BoundKind.ARRAY, BoundKind.INPUT}
        assert words_met(program, shared) == _WORDS[1:]


def test_all_are_met_where_nobody_looked() -> None:
    program = Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), (), (), bounds=_WORDS)
    with Shared() as shared:
        meet_all(shared)
        assert met(shared) == set(BoundKind)
        assert words_met(program, shared) == _WORDS


def test_each_kind_has_its_bits() -> None:
    assert {kind.name for kind in BoundKind} == {bound.name for bound in Bound if bound is not Bound.NONE}
