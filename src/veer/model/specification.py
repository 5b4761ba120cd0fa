"""Specifications that a program is watched by, as reports, suites and the search see them (docs/specifications.md)."""

from __future__ import annotations

from msgspec import Struct


class Watch(Struct, frozen=True):
    """Handlers of one function, "" for none: at calls, at returns. They take its first `parameters`, and what it
    returns."""

    function: str
    at_call: str = ""
    at_return: str = ""
    parameters: int = 0
    has_result: bool = False


class Event(Struct, frozen=True):
    """An event that is watched: the call or the return of a function. `told`: what its numbers are, in order;
    `has_more`: it has arguments that are no numbers, or are not told of."""

    function: str
    is_return: bool
    told: tuple[str, ...] = ()
    has_more: bool = False

    @property
    def words(self) -> str:
        """As users read it."""
        return f"{'return' if self.is_return else 'call'} {self.function}"


class Step(Struct, frozen=True):
    """From a state to a state (-1: a violation); `when`: the event and what holds of it, in words."""

    source: int
    target: int
    when: str


class Drawn(Struct, frozen=True):
    """An automaton: `registers[k]` are the bits of state k, the first one in the lowest bit; 0 is the first state.

    `distances`: events to a violation, at least (`specs/automaton.py`).
    """

    registers: tuple[int, ...]
    steps: tuple[Step, ...]
    distances: tuple[int, ...]


class Specification(Struct, frozen=True):
    """One specification. `text` is what stands behind its name; `events`: numbers of those it sees."""

    name: str
    text: str
    file: str
    line: int
    events: tuple[int, ...]
    drawn: Drawn | None = None  # None: it has too many states


class InSuite(Struct, frozen=True):
    """What a suite in C checks without veer. `events`: declarations of the handlers, and which calls they hear of;
    `monitor`: the C text behind the entry's source; `left_out`: sentences about specifications that it cannot check."""

    events: str = ""
    monitor: str = ""
    left_out: tuple[str, ...] = ()
    is_any: bool = False


class Watching(Struct, frozen=True):
    """All that a program is watched by. `monitor`: the C text of the monitors, to stand behind the entry's source;
    `has_end`: something is asked when the entry has returned."""

    specifications: tuple[Specification, ...]
    events: tuple[Event, ...]
    watches: tuple[Watch, ...]
    monitor: str
    has_end: bool = False
    notes: tuple[str, ...] = ()
    in_suite: InSuite = InSuite()


class Seen(Struct, frozen=True):
    """What runs showed of one specification: whether it saw an event, and the registers that it had then."""

    is_seen: bool = False
    registers: tuple[int, ...] = ()
