"""What every back end does: terms that are renewed, the leaves of a query, a parent input with a model's values."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from veer.smt.arena import Arena, Leaf
from veer.smt.protocol import Query, SmtOptions
from veer.smt.terms import TermBuilder

LEAST_MILLISECONDS = 20
"""What a check gets at least, however near the deadline is."""


def time_limit(query: Query, limits: SmtOptions) -> int:
    """The time limit of a check in milliseconds, no more than is left."""
    left = min((query.deadline - monotonic()) * 1000, limits.time_limit * query.patience)
    return max(int(left), LEAST_MILLISECONDS)


def most_bits(milliseconds: int, limits: SmtOptions) -> int:
    """How large a formula may be that is taken in for a check of that time: no limit interrupts a solver in that."""
    return limits.bits_per_millisecond * limits.patience * milliseconds


class TermPool:
    """The term builder that several back ends share, renewed when it holds too many terms."""

    def __init__(self, arena: Arena, make_manager: Callable[[], Any], most_terms: int) -> None:
        self._arena = arena
        self._make_manager = make_manager
        self._most_terms = most_terms
        self._builder = TermBuilder(arena, make_manager())

    def builder(self) -> TermBuilder:
        """The current builder; another object than last time means that all earlier terms are void."""
        if len(self._builder) > self._most_terms:
            self._builder = TermBuilder(self._arena, self._make_manager())
        return self._builder


def leaves_of(arena: Arena, expressions: list[int]) -> list[Leaf]:
    """The leaves that expressions depend on, by ascending index."""
    indices: set[int] = set()
    for expression in expressions:
        indices |= arena.support(expression)
    return [arena.leaf(index) for index in sorted(indices)]


def patched(parent: bytes, values: dict[Leaf, int]) -> bytes:
    """The parent input with the leaves that got another value replaced."""
    data = bytearray(parent)
    for leaf, value in values.items():
        if leaf.read(data) != value:
            leaf.write(data, value)
    return bytes(data)
