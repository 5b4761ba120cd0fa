"""Summaries (section 3.1) shaped like the trie of the paths: an `ite` at each decision, no disjunction of paths.

              x > 0                     some path returns:  true
            1 /   \\ 0
        ret = 1   y == 3                ret = ite(x > 0, 1, 2)
                 1 /   \\ 0
             abort      ret = 2         with the abort:     x > 0 or y != 3

Their size is that of the trie, and what both sides of a decision give alike vanishes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from veer.search.compositional.activations import Place
from veer.search.compositional.terms import Terms

Signature = tuple[tuple[Place, int], ...]
"""How outputs look to a caller: Activation.signature."""


class Group(Struct, frozen=True):
    """The paths whose outputs look alike: that one of them is taken, and what the outputs then are (else anything)."""

    condition: int
    values: Mapping[Place, int]


Groups = Mapping[Signature, Group]


def decided(terms: Terms, literal: int, yes: Groups, no: Groups) -> Groups:
    """Before a decision between `yes`, where the literal holds, and `no`."""
    found: dict[Signature, Group] = {}
    for signature in {**yes, **no}:
        taken, other = yes.get(signature), no.get(signature)
        if taken is not None and other is not None:
            condition = terms.either(literal, taken.condition, other.condition)
            found[signature] = Group(condition, _chosen(terms, literal, taken, other))
        elif taken is not None:
            found[signature] = Group(terms.every((literal, taken.condition)), taken.values)
        elif other is not None:
            found[signature] = Group(terms.every((terms.negation(literal), other.condition)), other.values)
    return found


def joined(terms: Terms, alternatives: Iterable[tuple[int, Groups]]) -> Groups:
    """Before alternatives that exclude each other, each under its condition; there may be others."""
    found: dict[Signature, Group] = {}
    for holds, groups in alternatives:
        for signature, group in groups.items():
            condition = terms.every((holds, group.condition))
            if condition == terms.false:
                continue
            values, before = group.values, found.get(signature)
            if before is not None:
                values = _chosen(terms, condition, group, before)
                condition = terms.some((before.condition, condition))
            found[signature] = Group(condition, values)
    return found


def _chosen(terms: Terms, condition: int, yes: Group, no: Group) -> dict[Place, int]:
    return {place: terms.choice(condition, value, no.values[place]) for place, value in yes.values.items()}
