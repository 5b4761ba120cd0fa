"""What a machine does at one event of the program: its functions, with what is known of the atoms there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.specs.language import Condition, Moment, Specification
from veer.specs.machine import (
    FALSE,
    TRUE,
    Bit,
    Function,
    Input,
    Machine,
    Register,
    both,
    either,
    given,
    inverse,
)
from veer.specs.shorter import leaves_of, shorter


class Moves(Struct, frozen=True):
    """`seen`: it sees the event; `broken`: and is violated by it; `following`: the registers that change, with what
    they hold then."""

    seen: Function
    broken: Function
    following: tuple[tuple[int, Function], ...]

    @property
    def is_idle(self) -> bool:
        """Whether nothing changes, and nothing is violated."""
        return self.broken == FALSE and not self.following

    @property
    def atoms(self) -> frozenset[int]:
        """What all this depends on."""
        return frozenset(
            atom for each in (self.seen, self.broken, *(new for _, new in self.following)) for atom in atoms_of(each)
        )


NONE = Moves(FALSE, FALSE, ())


def moves(specification: Specification, machine: Machine, event: tuple[Moment, str], *, with_shared: bool) -> Moves:
    """At this event. `with_shared`: for the value of the shared name that the event is about, else for all others."""
    known = _Known(specification, event, with_shared=with_shared)
    seen = given(machine.seen, known.atom)
    if seen == FALSE:
        return NONE
    broken = shorter(both(seen, given(machine.broken, known.atom)))
    changed = []
    for number, each in enumerate(machine.next):
        old = Register(number)
        new = shorter(either(both(seen, given(each, known.atom)), both(inverse(seen), old)))
        if new != old:
            changed.append((number, new))
    return Moves(seen, broken, tuple(changed))


def at_state(step: Moves, state: Sequence[bool | None]) -> Moves:
    """The same where registers hold this (None: it is not known), with as few operations as decide it; `seen` is TRUE,
    or left open (FALSE)."""
    broken = shorter(_in_state(step.broken, state))
    following = tuple((number, shorter(_in_state(new, state))) for number, new in step.following)
    changed = tuple((number, new) for number, new in following if new != _in_state(Register(number), state))
    return Moves(TRUE if step.seen == TRUE else FALSE, broken, changed)


def _in_state(function: Function, state: Sequence[bool | None]) -> Function:
    def known(leaf: Input | Register) -> Function:
        bit = state[leaf.number] if isinstance(leaf, Register) else None
        return leaf if bit is None else Bit(value=bit)

    return given(function, known)


def at_end(specification: Specification, machine: Machine) -> Function:
    """Whether it is violated by a run that has ended."""
    return given(machine.broken_at_end, _Known(specification, None, with_shared=False).atom)


class _Known:
    """What is known of the atoms at an event: patterns of others fit not, and of a shared name those of one value."""

    def __init__(self, specification: Specification, event: tuple[Moment, str] | None, *, with_shared: bool) -> None:
        self._specification = specification
        self._event = event
        self._with_shared = with_shared

    def atom(self, atom: Input | Register) -> Function:
        if isinstance(atom, Register):
            return atom
        found = self._specification.atoms[atom.atom]
        if isinstance(found, Condition):
            return atom
        shared = self._specification.shared
        is_other = bool(shared) and shared in found.names and not self._with_shared
        if found.event != self._event or is_other:
            return FALSE
        return atom if found.asks else TRUE


def atoms_of(function: Function) -> Iterator[int]:
    """The atoms that a function depends on."""
    return (leaf.atom for leaf in leaves_of(function) if isinstance(leaf, Input))
