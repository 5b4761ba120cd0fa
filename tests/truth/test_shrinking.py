"""Shrinking against brute force: on each of the seeded bugs the shown input is within one value of the smallest."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from seeded_bugs import SEEDED, Seeded
from smallest import Domain, distance, smallest

from veer.campaign import run as campaign
from veer.findings.shrinking.choices import Choice
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.plainness import Size, size_of
from veer.model.result import Bug, Confirmation, Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

SEARCH = SearchOptions(budget=60.0, max_bugs=1)
MOST_RUNS = 120_000
CHOICES = 4
"""Alternatives of pointers, calls and the like that are tried."""
_OF_EACH_KIND = (
    *("product", "mask", "narrow"),
    *("palindrome", "number"),
    *("repeated", "last"),
    *("five", "circle"),
    *("one_cell", "counted", "put_twice", "word", "two_answers"),
)
"""Numbers, strings, arrays, graphs; and aliases, sequences, readers and answers."""
SAMPLE = sampled(SEEDED, lambda each: each.name in _OF_EACH_KIND)


def _build(seeded: Seeded, folder: Path) -> BuildOptions:
    source = folder / f"{seeded.name}.c"
    source.write_text(seeded.source)
    return BuildOptions((source,), seeded.entry, no_checks=("all",), **seeded.build)


def domain_of(seeded: Seeded) -> Domain:
    """What brute force tries: the numbers and characters of the program, few alternatives, small counts."""

    def values(choice: Choice) -> list[int]:
        if choice.is_text:
            return [0, *map(ord, seeded.letters)] if seeded.letters != "a" else [each & 0xFF for each in seeded.numbers]
        if choice.is_pointer:
            return list(range(CHOICES))
        numbers = seeded.numbers or tuple(range(CHOICES + 1))
        return [choice.bits_of(each) for each in numbers if choice.allows(each)]

    return values


def shown(seeded: Seeded, build: BuildOptions, *, shrinks: bool = True) -> tuple[Result, Bug, Size]:
    """The result, the bug that was seeded, and how large the input is that is shown of it."""
    result = campaign.run(build, replace(SEARCH, shrink=shrinks))
    [bug] = [each for each in result.bugs if each.outcome is Outcome.ABORTED]
    [test] = [each for each in result.tests if each.name == bug.test]
    return result, bug, size_of(test.inputs)


@pytest.mark.parametrize("seeded", SAMPLE, ids=lambda each: each.name)
def test_the_input_is_within_one_value_of_the_smallest(seeded: Seeded, tmp_path: Path) -> None:
    build = _build(seeded, tmp_path)
    _, bug, size = shown(seeded, build)
    known = smallest(build, Outcome.ABORTED, domain_of(seeded), MOST_RUNS)
    assert known.size is not None, "brute force never came to the bug"
    assert distance(size.plainness, known.size.plainness) <= 1
    assert bug.confirmed is Confirmation.PLAIN
