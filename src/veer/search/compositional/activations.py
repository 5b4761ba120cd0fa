"""A recorded compositional run → the tree of its activations, each over symbols of its own (tracer/levels.c).

    root ─ decision ─ decision ─ activation of f ─ decision ─ end
                                   └ decision ─ activation of g ─ end

What an activation decided speaks of nothing but its own slots: its inputs, and the outputs of the activations below it.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from veer.wire.layout import NONE, Crossing, Kind
from veer.wire.shared import Shared

Shape = tuple[tuple[int, ...], ...]
"""What is concrete in the state at an activation's entry: paths of one shape decide alike."""
Place = tuple[int, int, int, int]
"""Where an output goes: (Crossing, number, address, width), which for a pointer tell its constant base, too."""


class Decision(NamedTuple):
    """One decision of an activation: which alternative of `sides` it took. See wire.layout.EVENT."""

    kind: int
    literal: int
    site: int
    sides: int
    flags: int
    alternative: int


class Value(NamedTuple):
    """A value that crossed: `slot` stands for it on the side that it came to, 0 = it is concrete there.

    `term`: what it is on the side that it came from, 0 = the constant `value`.
    """

    slot: int
    term: int
    value: int
    width: int


class Activation(Struct):
    """One activation of a function (its site; NONE: the run as a whole) in one run."""

    function: int
    recursion: int = 0
    number: int = 0
    inputs: list[Value] = field(default_factory=list)
    outputs: dict[Place, Value] = field(default_factory=dict)
    steps: list[Decision | Activation] = field(default_factory=list)
    is_finished: bool = False
    shape: Shape = ()
    is_stored: bool = False  # from disk (stored.py); of one below another, the steps are not told

    @property
    def signature(self) -> tuple[tuple[Place, int], ...]:
        """How its outputs look to the caller: which are slots (-1), and the values of the others."""
        return tuple((place, -1 if value.slot else value.value) for place, value in self.outputs.items())


def activations(shared: Shared) -> Activation:
    """The last run of a compositional executor."""
    events = shared.published("trace")
    decisions = [
        Decision(kind, literal, site, alternatives, flags, alternative)
        for kind, flags, alternatives, alternative, literal, site, *_ in events.tolist()
    ]
    root = Activation(NONE)
    stack, told = [root], 0
    shapes: list[list[tuple[int, ...]]] = [[]]
    for kind, width, level, function, number, event, slot, term, address, value in shared.published(
        "crossings"
    ).tolist():
        if kind == Crossing.ENTER:
            stack[-1].steps += decisions[told:event]
            told = event
            del stack[level:], shapes[level:]
            activation = Activation(function, value, number)
            stack[-1].steps.append(activation)
            stack.append(activation)
            shapes.append([])
        elif kind in (Crossing.ARGUMENT, Crossing.OBJECT, Crossing.CELL):
            # A pointer input that was decided while it was handed over is the caller's decision.
            stack[-2].steps[-1:-1] = decisions[told:event]
            told = event
            stack[-1].inputs.append(Value(slot, term, value, width))
            known = -1 if slot else value
            shapes[-1].append((kind, number, address, width, known))
        else:
            stack[-1].steps += decisions[told:event]
            told = event
            if kind == Crossing.LEAVE:
                stack[-1].is_finished = True
                stack[-1].shape = tuple(shapes[-1])
                del stack[level:], shapes[level:]
            else:
                stack[-1].outputs[kind, number, address, width] = Value(slot, term, value, width)
    stack[-1].steps += decisions[told:]
    for activation, shape in zip(stack, shapes, strict=True):
        activation.shape = tuple(shape)
    return root


def is_choice(decision: Decision) -> bool:
    """Whether it is n-way, over a leaf of the input."""
    return decision.kind == Kind.CHOICE
