"""Tape, a language of the tests: a stack machine whose truth is this interpreter. It is veer's guest from outside.

    entry middle low high      numbers are 32 bits wide and wrap round
      push low
      push high
      less                     1 where the one below the top is less than the top, else 0
      unless swapped           pops; goes on at the label where it is 0
      ...
    swapped:
      give                     ends with the top of the stack

`divide` by 0 and `fail` are bugs. A value is written with its sign: +5, -3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veer.model.errors import UsageError
from veer.model.outcome import Outcome

MOST_STEPS = 10_000
OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda one, other: one + other,
    "subtract": lambda one, other: one - other,
    "multiply": lambda one, other: one * other,
    "divide": lambda one, other: abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1),
    "less": lambda one, other: int(one < other),
    "equal": lambda one, other: int(one == other),
}


@dataclass(frozen=True)
class Step:
    """An instruction: its line, counted from 1, its word, and what it is about: a value's name, a number, a label."""

    line: int
    word: str
    about: str = ""


@dataclass(frozen=True)
class Routine:
    """An entry: its line, its inputs, its steps, and the step behind each label."""

    name: str
    line: int
    inputs: tuple[str, ...]
    steps: tuple[Step, ...]
    labels: Mapping[str, int]


@dataclass(frozen=True)
class Ran:
    """What a run did: how it ended, what it gave, the steps that it made, and (step, went on elsewhere) of branches."""

    outcome: Outcome
    given: int | None
    steps: tuple[int, ...]
    branches: tuple[tuple[int, bool], ...]


def routines(file: Path) -> Iterator[Routine]:
    """The entries of a file. Raises UsageError for a line that is no instruction."""
    head: tuple[str, int, tuple[str, ...]] | None = None
    steps: list[Step] = []
    labels: dict[str, int] = {}
    for number, line in enumerate([*file.read_text().splitlines(), "entry"], 1):
        words = line.split("#")[0].split()
        if words[:1] == ["entry"]:
            if head is not None:
                yield Routine(*head, tuple(steps), dict(labels))
            head, steps, labels = (words[1], number, tuple(words[2:])) if words[1:] else None, [], {}
        elif words and words[0].endswith(":"):
            labels[words[0][:-1]] = len(steps)
        elif words:
            if words[0] not in (*OPERATORS, "push", "unless", "go", "fail", "give"):
                raise UsageError(f"{file}:{number}: {words[0]} is no instruction")
            steps.append(Step(number, words[0], words[1] if words[1:] else ""))


def run(routine: Routine, values: Mapping[str, int]) -> Ran:
    """The language's own truth."""
    stack: list[int] = []
    made: list[int] = []
    branches: list[tuple[int, bool]] = []
    at = 0
    while len(made) < MOST_STEPS:
        step = routine.steps[at]
        made.append(at)
        at += 1
        if step.word == "push":
            stack.append(wrapped(int(step.about) if step.about not in routine.inputs else values.get(step.about, 0)))
        elif step.word == "give":
            return Ran(Outcome.RETURNED, stack[-1], tuple(made), tuple(branches))
        elif step.word == "fail":
            return Ran(Outcome.ASSERTION, None, tuple(made), tuple(branches))
        elif step.word == "go":
            at = routine.labels[step.about]
        elif step.word == "unless":
            branches.append((at - 1, stack.pop() == 0))
            at = routine.labels[step.about] if branches[-1][1] else at
        else:
            other, one = stack.pop(), stack.pop()
            if step.word == "divide" and (other == 0 or (one, other) == (-(1 << 31), -1)):
                return Ran(Outcome.QUOTIENT if other else Outcome.DIVISION, None, tuple(made), tuple(branches))
            stack.append(wrapped(OPERATORS[step.word](one, other)))
    return Ran(Outcome.HANG, None, tuple(made), tuple(branches))


def depths(routine: Routine) -> Mapping[int, int]:
    """How many values lie on the stack before each step that can be reached."""
    found: dict[int, int] = {}
    waiting = [(0, 0)]
    while waiting:
        at, depth = waiting.pop()
        if at in found:
            continue
        found[at], step = depth, routine.steps[at]
        if step.word in ("go", "unless"):
            waiting.append((routine.labels[step.about], depth - (step.word == "unless")))
        if step.word not in ("go", "give", "fail"):
            waiting.append((at + 1, depth + (1 if step.word == "push" else -1)))
    return found


def wrapped(number: int) -> int:
    """A number of 32 bits."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def written(numbers: Sequence[int]) -> str:
    """Values as the language writes them."""
    return " ".join(f"{number:+d}" for number in numbers)
