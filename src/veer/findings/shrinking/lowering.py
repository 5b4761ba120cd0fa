"""Passes that make the values of an input plainer, each on its own."""

from __future__ import annotations

from veer.findings.shrinking.choices import Choice
from veer.findings.shrinking.shrinker import Shrinking


def make_plain(shrinking: Shrinking) -> None:
    """Gives as many neighbours as possible their plainest values at once: halves, then halves of those."""
    parts = [(0, len(shrinking.best.choices))]
    while parts and not shrinking.is_spent:
        first, end = parts.pop()
        choices = shrinking.best.choices
        end = min(end, len(choices))
        if first >= end or all(choice.bits == choice.plainest() for choice in choices[first:end]):
            continue
        if not shrinking.puts((place, choices[place].plainest()) for place in range(first, end)) and end - first > 1:
            middle = (first + end) // 2
            parts += [(middle, end), (first, middle)]


def lower(shrinking: Shrinking) -> None:
    """Moves each value to the plainest that there is, then numbers towards 0 by halving the distance."""
    place = 0
    while place < len(shrinking.best.choices) and not shrinking.is_spent:
        choice = shrinking.best.choices[place]
        if choice.bits != choice.plainest():
            any(shrinking.puts([(place, bits)]) for bits in choice.plainer())
            _halve(shrinking, place)
        place += 1


def _halve(shrinking: Shrinking, place: int) -> None:
    """The number nearest to 0, if all that are farther away on its side show the same."""
    if place >= len(shrinking.best.choices) or not _is_large(choice := shrinking.best.choices[place]):
        return
    sign = -1 if choice.number < 0 else 1
    good, bad = abs(choice.number), max(0, sign * (choice.low if sign > 0 else choice.high)) - 1
    while good - bad > 1 and not shrinking.is_spent:
        middle = (good + bad) // 2
        if shrinking.puts([(place, choice.bits_of(sign * middle))]):
            good = middle
        else:
            bad = middle
        if place >= len(shrinking.best.choices):
            break


def _is_large(choice: Choice) -> bool:
    return choice.is_number and not choice.is_text and abs(choice.number) > 1
