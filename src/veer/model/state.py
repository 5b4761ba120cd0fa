"""How the static data of a unit came to be what it is when the entry is called, in three stages (docs/state.md).

    as initialised    static int level = 1;     the only one where no function of the unit changes what the entry reads
    by calls          set_level(3); f(x);       of the unit's own functions, chosen by the input
    set free          level = 77; f(x);         any value, where nothing else covers a branch

A run makes its choices under two roots, in which 0 is the stage before, so that an input means the same in all stages:

    state()     1: the variables are inputs       before()    k: the k-th function is called next, 0: the entry is
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from veer.model.inputs import InputMap, Root, Scalar
from veer.model.sequence import argument_root

FREE, NEXT = CHOICES = ("state()", "before()")
"""The roots of the choices, whose names runtime/tracer/before.c has."""


class Origin(StrEnum):
    """How the state of a test came about: its word in summary.json."""

    INITIALISED = "initialised"
    CALLS = "calls"
    FREE = "free"


class StateBefore(Struct, frozen=True):
    """What may be done to the static data that an entry reads.

    `functions`: of the unit, which may be called before; `free`: the variables that may be set; `begins`: the bound of
    the campaign that takes it as initialised, in words; `of_calls`, `of_free`: those of the inputs of these calls, and
    of the variables; `on_object`: the functions that are called on the entry's own object.
    """

    functions: tuple[str, ...]
    free: tuple[str, ...]
    begins: str
    of_calls: tuple[str, ...] = ()
    of_free: tuple[str, ...] = ()
    on_object: frozenset[str] = frozenset()


class CallBefore(Struct, frozen=True):
    """One call before the entry; `occurrence`: how often that function was called before it, which tells its roots."""

    function: str
    occurrence: int

    def root(self, parameter: str) -> tuple[str, int]:
        """Name and occurrence of the root of an argument."""
        return argument_root(self.function, parameter), self.occurrence


def calls_before(state: StateBefore | None, inputs: InputMap) -> tuple[CallBefore, ...]:
    """The calls that a run made before the entry, in their order."""
    if state is None:
        return ()
    counts: dict[str, int] = {}
    found = []
    for number in _choices(inputs, NEXT):
        if not 0 < number <= len(state.functions):
            break
        name = state.functions[number - 1]
        found.append(CallBefore(name, counts.get(name, 0)))
        counts[name] = counts.get(name, 0) + 1
    return tuple(found)


def is_set_free(state: StateBefore | None, inputs: InputMap) -> bool:
    """Whether a run began with values of its own in the variables."""
    return state is not None and 1 in _choices(inputs, FREE)


def origin(state: StateBefore | None, inputs: InputMap) -> Origin | None:
    """How the state of a run came about; None: nothing could have changed what the entry reads."""
    if state is None:
        return None
    if is_set_free(state, inputs):
        return Origin.FREE
    return Origin.CALLS if calls_before(state, inputs) else Origin.INITIALISED


def is_choice(root: Root) -> bool:
    """Whether a root is no input of the unit's, but one of these choices."""
    return root.name in CHOICES


def is_argument(state: StateBefore | None, root: Root) -> bool:
    """Whether a root is an argument of a call before the entry."""
    return state is not None and root.name.rpartition(".")[0] in state.functions


def _choices(inputs: InputMap, name: str) -> Iterator[int]:
    roots = sorted((root for root in inputs.roots if root.name == name), key=lambda root: root.occurrence)
    return (value.bits for root in roots for cell in root.cells if isinstance(value := cell.value, Scalar))
