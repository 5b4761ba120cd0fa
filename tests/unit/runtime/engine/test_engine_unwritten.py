"""Words of which a part was never written: masks take them apart, so that what was written comes out whole."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from engine_fixtures import campaign

from veer.execution.engine import EngineLibrary
from veer.wire.layout import Op
from veer.wire.shared import Shared

HOLDS_UNWRITTEN = 1
"""The flag of a node (engine/unwritten.h)."""


class Words:
    """Makes expressions of one width over a word that nobody wrote and over the bytes of an input."""

    def __init__(self, engine: EngineLibrary, shared: Shared, width: int) -> None:
        self.engine = engine
        self.width = width
        self._shared = shared
        self.unwritten = engine.expression(Op.EXTRACT, width, engine.unwritten(0), 0)
        byte = engine.leaf_expression(engine.leaf(engine.object("input"), 0, 8))
        self.byte = byte if width == 8 else engine.expression(Op.ZEXT, width, byte)

    def make(self, op: Op, left: int, number: int) -> int:
        """An operation with a constant."""
        return self.engine.expression(op, self.width, left, self.engine.constant(self.width, number))

    def with_field(self, word: int, at: int, mask: int, value: int) -> int:
        """As a compiler sets a bit-field: (word & ~(mask << at)) | (value << at)."""
        kept, moved = self.make(Op.AND, word, ~(mask << at)), self.make(Op.SHL, value, at)
        return self.engine.expression(Op.OR, self.width, kept, moved)

    def field(self, word: int, at: int, mask: int) -> int:
        """As a compiler reads a bit-field."""
        return self.make(Op.AND, self.make(Op.LSHR, word, at), mask)

    def holds_unwritten(self, expression: int) -> bool:
        """Whether the engine has marked it so."""
        return bool(self._shared.published("nodes")[expression]["flags"] & HOLDS_UNWRITTEN)


@pytest.fixture
def words(request: pytest.FixtureRequest) -> Iterator[Words]:
    with campaign() as (engine, shared):
        yield Words(engine, shared, request.param)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("words", [8, 16, 32, 64], indirect=True)
def test_fields_that_were_written_come_out_whole(words: Words, seed: int) -> None:
    chance = random.Random(seed)
    ends = sorted(chance.sample(range(words.width + 1), 4))
    fields = {at: (1 << end - at) - 1 for at, end in pairwise(ends)}
    word, written = words.unwritten, {}
    for at in chance.sample(sorted(fields), 3):
        number = words.engine.constant(words.width, chance.getrandbits(8) & fields[at])
        written[at] = chance.choice((number, words.make(Op.AND, words.byte, fields[at])))
        word = words.with_field(word, at, fields[at], written[at])
    for at, value in written.items():
        read = words.field(word, at, fields[at])
        assert words.engine.evaluate(read, b"\xa7") == words.engine.evaluate(value, b"\xa7")
        assert not words.holds_unwritten(read)


@pytest.mark.parametrize("words", [8, 32], indirect=True)
def test_a_field_that_was_not_written_is_unwritten(words: Words) -> None:
    word = words.with_field(words.unwritten, 3, 0b111, words.make(Op.AND, words.byte, 0b111))
    assert words.holds_unwritten(words.field(word, 0, 0b111))
    assert words.holds_unwritten(words.field(word, 5, 0b11))
    assert not words.holds_unwritten(words.field(word, 4, 0b11))


@pytest.mark.parametrize("words", [64], indirect=True)
def test_a_mask_of_many_parts_stays_a_mask(words: Words) -> None:
    striped = words.make(Op.OR, words.unwritten, 0x5555_5555_5555_5555)
    assert words.engine.evaluate(striped, b"\0") == 0x5555_5555_5555_5555
    assert words.holds_unwritten(striped)
