"""Passes that change several values of an input together, for conditions over more than one of them.

x + y == 10     4, 6  →  0, 10      one goes down, the other one up by as much
x - y == 10     14, 4 →  10, 0      both go down
x == y          9, 9  →  1, 1       equal values stay equal
3*x + y == 30   10, 0 →  0, 30      one goes down, the other one by a small multiple of that
a < b < c       -1, 0, 1 → 0, 1, 2  all are moved
one is 'z'      z, a  →  a, z       the plainer value comes first
s[0] == s[2]    b, a, b → a, b, a   two values change their roles
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from veer.findings.shrinking.shrinker import Shrinking
from veer.wire.layout import LeafKind

_MOST_PAIRS = 600
"""Pairs of an input that are looked at."""
_MOST_MULTIPLIED = 30
_MULTIPLES = tuple(sign * factor for factor in range(2, 11) for sign in (1, -1))
"""How much farther the second number of a pair is moved than the first, in the first few pairs."""


def lower_equal(shrinking: Shrinking) -> None:
    """Moves values that are equal to a plainer one, all of them."""
    groups: dict[tuple[int, int, object], list[int]] = defaultdict(list)
    for place, choice in enumerate(shrinking.best.choices):
        if choice.bits and (choice.is_number or choice.is_float):
            groups[choice.bits, choice.width, choice.kind].append(place)
    for places in groups.values():
        if len(places) > 1 and places[-1] < len(shrinking.best.choices):
            choice = shrinking.best.choices[places[0]]
            any(shrinking.puts([(place, bits) for place in places]) for bits in choice.plainer())


def lower_pairs(shrinking: Shrinking) -> None:
    """Moves a number towards the plainest and another one by as much, up or down: as far as possible, else half as far,
    ..., or by a multiple of that."""
    for turn, (first, second) in enumerate(_pairs(shrinking)):
        for near, other in ((first, second), (second, first)):
            if not shrinking.is_spent and _can_move(shrinking, near, other):
                _lower_pair(shrinking, near, other)
                if turn < _MOST_MULTIPLIED:
                    _multiply(shrinking, near, other)


def _lower_pair(shrinking: Shrinking, near: int, other: int) -> None:
    distance = _distance(shrinking, near)
    while distance and not shrinking.is_spent:
        if not any(_moves(shrinking, near, other, distance, factor) for factor in (-1, 1)):
            distance = int(distance / 2)
        elif not _can_move(shrinking, near, other):
            break
        left = _distance(shrinking, near)
        distance = left if abs(left) < abs(distance) else distance


def _multiply(shrinking: Shrinking, near: int, other: int) -> None:
    """The first value to the plainest, or by one, and the second one farther."""
    for factor in _MULTIPLES:
        if not _can_move(shrinking, near, other) or shrinking.is_spent:
            break
        distances = (_distance(shrinking, near), 1, -1)
        any(_moves(shrinking, near, other, distance, factor) for distance in distances)


def _distance(shrinking: Shrinking, place: int) -> int:
    choice = shrinking.best.choices[place]
    return choice.number - choice.plainest_number


def _can_move(shrinking: Shrinking, near: int, other: int) -> bool:
    choices = shrinking.best.choices
    if max(near, other) >= len(choices):
        return False
    return choices[near].is_number and choices[other].is_number and choices[near].bits != choices[near].plainest()


def _moves(shrinking: Shrinking, near: int, other: int, distance: int, factor: int) -> bool:
    """Whether it is accepted with the first number that far moved, and the second one by a multiple of it."""
    one, two = shrinking.best.choices[near], shrinking.best.choices[other]
    lowered, moved = one.number - distance, two.number + factor * distance
    if not (one.allows(lowered) and two.allows(moved)):
        return False
    return shrinking.puts([(near, one.bits_of(lowered)), (other, two.bits_of(moved))])


def move_all(shrinking: Shrinking) -> None:
    """Moves all signed numbers, or all unsigned ones, by the distance of one of them from the plainest."""
    for kind in (LeafKind.SIGNED, LeafKind.UNSIGNED):
        places = [place for place, choice in enumerate(shrinking.best.choices) if choice.kind is kind]
        for place in places if len(places) > 2 else ():
            choices = shrinking.best.choices
            if shrinking.is_spent or places[-1] >= len(choices) or choices[place].bits == choices[place].plainest():
                continue
            distance = _distance(shrinking, place)
            moved = [(each, choices[each].number - distance) for each in places]
            if all(choices[each].allows(number) for each, number in moved):
                shrinking.puts((each, choices[each].bits_of(number)) for each, number in moved)


def swap(shrinking: Shrinking) -> None:
    """Exchanges two values of one kind where the plainer one comes second."""
    for first, second in _pairs(shrinking):
        if shrinking.is_spent:
            break
        choices = shrinking.best.choices
        if second >= len(choices):
            continue
        one, other = choices[first], choices[second]
        if (one.kind, one.width) == (other.kind, other.width) and one.is_plainer(other.bits):
            shrinking.puts([(first, other.bits), (second, one.bits)])


def exchange(shrinking: Shrinking) -> None:
    """Exchanges two values wherever they are, where the plainer one comes second."""
    for first, second in _pairs(shrinking):
        choices = shrinking.best.choices
        if shrinking.is_spent or second >= len(choices):
            break
        one, other = choices[first], choices[second]
        if (one.kind, one.width) == (other.kind, other.width) and one.is_plainer(other.bits):
            roles = {one.bits: other.bits, other.bits: one.bits}
            alike = [place for place, each in enumerate(choices) if (each.kind, each.width) == (one.kind, one.width)]
            shrinking.puts((place, roles.get(choices[place].bits, choices[place].bits)) for place in alike)


def _pairs(shrinking: Shrinking) -> Iterator[tuple[int, int]]:
    """Places of two numbers, neighbours first."""
    places = [place for place, choice in enumerate(shrinking.best.choices) if choice.is_number or choice.is_float]
    count = len(places)
    pairs = ((places[first], places[first + gap]) for gap in range(1, count) for first in range(count - gap))
    yield from islice(pairs, _MOST_PAIRS)
