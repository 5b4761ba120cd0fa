"""A specification with its machine, and what is known of it for reports and the search."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.model.specification import Drawn, Step
from veer.model.specification import Specification as Facts
from veer.specs.automaton import Automaton, automaton_of
from veer.specs.language import Moment, Specification
from veer.specs.machine import Machine, machine_of


class Watched(Struct, frozen=True):
    """A specification with its machine."""

    specification: Specification
    machine: Machine
    automaton: Automaton | None


def watched(specification: Specification) -> Watched:
    """The specification with its machine."""
    machine = machine_of(specification)
    return Watched(specification, machine, automaton_of(specification, machine))


def events_of(watched: Sequence[Watched]) -> tuple[tuple[Moment, str], ...]:
    """All events that are watched, each once; its place is its number."""
    return tuple(dict.fromkeys(event for each in watched for event in each.specification.events))


def facts(each: Watched, events: Sequence[tuple[Moment, str]]) -> Facts:
    """What reports tell of it. `events`: all that are watched."""
    specification = each.specification
    drawn = _drawn(each.automaton, specification) if each.automaton is not None else None
    numbers = tuple(events.index(event) for event in specification.events)
    place = specification.place
    return Facts(specification.name, specification.text, place.file, place.line, numbers, drawn)


def _drawn(automaton: Automaton, specification: Specification) -> Drawn:
    """The automaton with its steps in words; steps between the same states by the same patterns are one."""
    registers = tuple(sum(int(bit) << place for place, bit in enumerate(state)) for state in automaton.states)
    steps = dict.fromkeys(Step(each.source, each.target, _when(each.atoms, specification)) for each in automaton.steps)
    return Drawn(registers, tuple(steps), automaton.distances)


def _when(atoms: Sequence[int], specification: Specification) -> str:
    return ", ".join(specification.atoms[atom].text for atom in atoms)
