"""The smallest input that shows a bug, by brute force: every input over a small domain is run, and measured.

The values that a run asks for, in order, are a path in a tree; behind a prefix each value of the domain is tried:

    f(x, p)     x = 0 ─┬─ p = NULL            x = 1 ─┬─ p = NULL         ...
                       └─ p = fresh ─ *p = 0         └─ p = fresh ─ ...
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veer.campaign.languages import language_of
from veer.execution.decode import decode, model_outcome
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.findings.shrinking.choices import Choice
from veer.findings.shrinking.drawing import drawn
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.plainness import Plainness, Size, size_of
from veer.model.searchoptions import SearchOptions
from veer.search.settings import configure
from veer.wire.shared import Shared

Domain = Callable[[Choice], Sequence[int]]
"""The bits of the values that are tried for a choice."""


@dataclass(frozen=True, slots=True)
class Enumerated:
    """The smallest input that ended so, None where none did, and how many inputs were run."""

    size: Size | None
    runs: int


def smallest(build: BuildOptions, outcome: Outcome, domain: Domain, most_runs: int) -> Enumerated:
    """Runs every input over the domain; raises OverflowError when they are too many."""
    found: Size | None = None
    runs = 0
    with Shared() as shared:
        built = language_of(build.sources).build(build)
        configure(shared, built.program, build, SearchOptions())
        with contextlib.closing(PersistentExecutor(built.program.executable, shared, ExecutorLimits())) as executor:
            left: list[tuple[int, ...]] = [()]
            while left:
                prefix = left.pop()
                runs += 1
                if runs > most_runs:
                    raise OverflowError(f"more than {most_runs} inputs")
                run = drawn(executor, shared, prefix)
                assert run is not None
                data, choices = run
                if tuple(choice.bits for choice in choices[: len(prefix)]) != prefix:
                    continue  # a value that the input cannot have: another prefix stands for it
                left += _others(prefix, choices, domain)
                if model_outcome(shared.run.last_outcome) is outcome:
                    size = size_of(decode(shared, built.program, data).inputs)
                    found = size if found is None else min(found, size)
    return Enumerated(found, runs)


def _others(prefix: tuple[int, ...], choices: Sequence[Choice], domain: Domain) -> Iterator[tuple[int, ...]]:
    """The run's values behind the prefix, each with those of the domain in its place, the ones behind it left open."""
    values = tuple(choice.bits for choice in choices)
    for place in range(len(prefix), len(choices)):
        for bits in domain(choices[place]):
            if bits != values[place]:
                yield (*values[:place], bits)


def distance(one: Sequence[Plainness], other: Sequence[Plainness]) -> int:
    """By how many values two inputs differ: the least number that are changed, added or left out (Levenshtein)."""
    row = list(range(len(other) + 1))
    for place, value in enumerate(one, 1):
        before, row[0] = row[0], place
        for at, wanted in enumerate(other, 1):
            changed = before + (value != wanted)
            before, row[at] = row[at], min(changed, row[at] + 1, row[at - 1] + 1)
    return row[-1]
