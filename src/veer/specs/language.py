"""What a specification says, as values (docs/specifications.md).

locking: always (call unlock(m) implies previously call lock(m))
         └ Formula over atoms: Pattern (an event), Condition (an expression of the program's language)
order:   calls (open (read | write)* close)*
         └ Regex over the same atoms
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

RESULT = "result"
"""What conditions call the value that a function returns."""


class Place(Struct, frozen=True):
    """Where a part of a specification stands; line and column from 1 on."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Condition(Struct, frozen=True):
    """An expression of the program's language, as it is written."""

    text: str
    place: Place
    words: tuple[str, ...] = ()  # its identifiers, members of structs left out


class Moment(StrEnum):
    """When an event is: a function is entered, or it returns."""

    CALL = "call"
    RETURN = "return"


class Argument(Struct, frozen=True):
    """What a pattern says of one argument: a name for it, a value that it must have, or nothing (both are empty)."""

    name: str = ""
    equals: Condition | None = None


class Pattern(Struct, frozen=True):
    """An event: of which function, and what must hold of it.

    `relation` and `operand` are about what it returns; `result` is a name for that.
    """

    moment: Moment
    function: str
    place: Place
    arguments: tuple[Argument, ...] = ()
    result: str = ""
    relation: str = ""
    operand: Condition | None = None
    where: Condition | None = None
    text: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it gives, in order."""
        return tuple(name for name in (*(each.name for each in self.arguments), self.result) if name)

    @property
    def asks(self) -> bool:
        """Whether it asks anything of the values, but for a name that it shares with others."""
        is_equal = any(each.equals is not None for each in self.arguments)
        return is_equal or bool(self.relation) or self.where is not None

    @property
    def event(self) -> tuple[Moment, str]:
        """Which events it may fit."""
        return self.moment, self.function


Atom = Pattern | Condition


# -- formulas of past-time LTL ------------------------------------------------------------------------------------


class Truth(Struct, frozen=True):
    """Always `holds`."""

    holds: bool


class Holds(Struct, frozen=True):
    """The atom of this number holds now."""

    atom: int


class Not(Struct, frozen=True):
    operand: Formula


class And(Struct, frozen=True):
    left: Formula
    right: Formula


class Or(Struct, frozen=True):
    left: Formula
    right: Formula


class Previously(Struct, frozen=True):
    """The operand held at the event before; at the first one: `is_weak`."""

    operand: Formula
    is_weak: bool


class Once(Struct, frozen=True):
    """The operand holds now, or held before."""

    operand: Formula


class Historically(Struct, frozen=True):
    """The operand holds now, and always held before."""

    operand: Formula


class Since(Struct, frozen=True):
    """`right` holds, or it held before and `left` has held ever since; `is_weak`: or `left` always held."""

    left: Formula
    right: Formula
    is_weak: bool


Formula = Truth | Holds | Not | And | Or | Previously | Once | Historically | Since


# -- regular expressions -------------------------------------------------------------------------------------------


class Nothing(Struct, frozen=True):
    """The empty sequence."""


class Letter(Struct, frozen=True):
    """One event that fits the atom of this number; -1: any event that the specification sees."""

    atom: int


class Then(Struct, frozen=True):
    first: Regex
    second: Regex


class Either(Struct, frozen=True):
    left: Regex
    right: Regex


class Repeated(Struct, frozen=True):
    """Any number of times, none included."""

    operand: Regex


Regex = Nothing | Letter | Then | Either | Repeated


class Kind(StrEnum):
    """What must hold of what a specification says."""

    ALWAYS = "always"  # of the formula, at each event
    AT_END = "at end"  # of the formula, when the entry has returned
    CALLS = "calls"  # of the events so far: they begin a word of the expression
    COMPLETE = "complete"  # the same, and when the entry has returned they are one


class Specification(Struct, frozen=True):
    """A specification. `shared`: the name that stands for one value in several patterns, or empty."""

    name: str
    kind: Kind
    body: Formula | Regex
    atoms: tuple[Atom, ...]
    place: Place
    text: str  # behind the name, on one line
    shared: str = ""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The events that it names."""
        return tuple(atom for atom in self.atoms if isinstance(atom, Pattern))

    @property
    def events(self) -> tuple[tuple[Moment, str], ...]:
        """The events that it may see, each once."""
        return tuple(dict.fromkeys(pattern.event for pattern in self.patterns))
