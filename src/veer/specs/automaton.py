"""A machine as an automaton of states, where there are few: what reports draw, and how far a violation is.

A state is what the registers hold. A step is an event together with what holds of it: which of its patterns fit, and
which of the conditions that stand by themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain, combinations

from msgspec import Struct

from veer.specs.language import Condition, Pattern, Specification
from veer.specs.machine import Machine, value

MOST_STATES = 256
MOST_LETTERS = 512
FAR = 254
"""A distance of this many events or more: or no event leads to a violation."""

State = tuple[bool, ...]


class Step(Struct, frozen=True):
    """From a state by an event; `atoms`: what holds of it; `target`: -1 = the specification is violated."""

    source: int
    event: int  # in the order of Specification.events
    atoms: tuple[int, ...]
    target: int


class Automaton(Struct, frozen=True):
    """`states[0]` is the first one; `distances`: events to a violation, at least."""

    states: tuple[State, ...]
    steps: tuple[Step, ...]
    distances: tuple[int, ...]
    bad_ends: tuple[bool, ...]  # a run that ends there violates it, for some values of the conditions


def automaton_of(specification: Specification, machine: Machine) -> Automaton | None:
    """The automaton; None where it has too many states or letters."""
    letters = list(_letters(specification))
    if len(letters) > MOST_LETTERS:
        return None
    states: dict[State, int] = {machine.initial: 0}
    waiting = deque([machine.initial])
    steps: list[Step] = []
    while waiting:
        state = waiting.popleft()
        for event, atoms in letters:
            if not value(machine.seen, atoms, state):
                continue
            target = -1
            if not value(machine.broken, atoms, state):
                following = tuple(value(each, atoms, state) for each in machine.next)
                if following not in states:
                    if len(states) == MOST_STATES:
                        return None
                    states[following] = len(states)
                    waiting.append(following)
                target = states[following]
            steps.append(Step(states[state], event, tuple(sorted(atoms)), target))
    ends = tuple(_may_end_badly(specification, machine, state) for state in states)
    return Automaton(tuple(states), tuple(steps), _distances(len(states), steps, ends), ends)


def _letters(specification: Specification) -> Iterator[tuple[int, frozenset[int]]]:
    """Each event, with each set of what may hold at it."""
    conditions = [n for n, atom in enumerate(specification.atoms) if isinstance(atom, Condition)]
    for number, event in enumerate(specification.events):
        own = [n for n, atom in enumerate(specification.atoms) if isinstance(atom, Pattern) and atom.event == event]
        always = [n for n in own if _fits_always(specification, n)]
        free = [n for n in (*own, *conditions) if n not in always]
        if 1 << len(free) > MOST_LETTERS:
            yield from ((number, frozenset()) for _ in range(MOST_LETTERS + 1))
            return
        for chosen in _subsets(free):
            yield number, frozenset((*always, *chosen))


def _fits_always(specification: Specification, atom: int) -> bool:
    pattern = specification.atoms[atom]
    assert isinstance(pattern, Pattern)
    return not pattern.asks and not (specification.shared and specification.shared in pattern.names)


def _subsets(items: list[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def _may_end_badly(specification: Specification, machine: Machine, state: State) -> bool:
    conditions = [n for n, atom in enumerate(specification.atoms) if isinstance(atom, Condition)]
    return any(value(machine.broken_at_end, frozenset(chosen), state) for chosen in _subsets(conditions[:8]))


def _distances(count: int, steps: list[Step], bad_ends: tuple[bool, ...]) -> tuple[int, ...]:
    """Breadth first, backwards from violations: 1 where the next event, or the end of the run, may be one."""
    before: dict[int, set[int]] = {}
    found = [FAR] * count
    waiting: deque[int] = deque()
    for state, is_bad in enumerate(bad_ends):
        if is_bad:
            found[state] = 1
            waiting.append(state)
    for step in steps:
        if step.target >= 0:
            before.setdefault(step.target, set()).add(step.source)
        elif found[step.source] > 1:
            found[step.source] = 1
            waiting.append(step.source)
    while waiting:
        state = waiting.popleft()
        for source in before.get(state, ()):
            if found[source] > found[state] + 1:
                found[source] = found[state] + 1
                waiting.append(source)
    return tuple(found)
