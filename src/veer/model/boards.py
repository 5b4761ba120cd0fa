"""What tests depend on that another machine has otherwise, and what of a unit outlives a test that runs in the same
process as the next one."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Statics(Struct, frozen=True):
    """Variables of a unit that keep what a test writes to them. `named`: those that the entry's source can name at its
    end; `hidden`: the others (of functions, of other sources), in words."""

    named: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class Trait(StrEnum):
    """What machines differ in, in words for "depends on ..."."""

    CHAR = "the sign of char"
    LONG = "the size of long and of pointers"
    PROCESS = "a process of its own"
    HOST = "the machine on which it was recorded"


class BoardLook(Struct, frozen=True):
    """The tests that end otherwise where one of these is otherwise, by their names; `note`: why it could
    not be looked at, or empty."""

    trait: Trait
    failing: tuple[str, ...] = ()
    note: str = ""
