"""What is known where paths of a function are: conditions, what slots stand for, what a run must do to go on."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from veer.search.compositional.activations import Place
from veer.search.compositional.folding import Signature

Conditions = tuple[int, ...]


class Goal(Struct, frozen=True):
    """What a run must do in a loop that is closed (closed.py): take a side of a branch (its site, 0 or 1), or load what
    is not known (block, step)."""

    kind: str  # side, load
    place: int
    number: int


Key = int | Signature | Goal
END = Goal("end", 0, 0)
"""Of the end of a path that was on disk: that a run takes it."""


class Environment(Struct, frozen=True):
    """What slots stand for; `memo` is that of its substitutions (Terms.substitute)."""

    values: Mapping[int, int] = field(default_factory=dict)
    memo: dict[int, int] = field(default_factory=dict)


class PathState(Struct, frozen=True):
    """The conditions under which a path comes to a node, and what the outputs of the calls before it are: as of a state
    of the functions that are called."""

    state: int
    conditions: Conditions
    outputs: Environment


class Case(Struct, frozen=True):
    """Paths that return with outputs that look alike: that one is taken, and what the outputs are (section 3.2)."""

    conditions: Conditions
    signature: Signature
    values: Mapping[Place, int]
