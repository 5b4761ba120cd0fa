"""The calls of functions that are defined nowhere, and what a run gave them: what tests expect of mocks.

uart_write(0x48); send(buf, 2);

counts     uart_write 1, send 1
first      StubCall("uart_write", [Argument(b"\\x48")])
           StubCall("send", [Argument(..., leads_to=1, behind=Behind(b"ab...")), Argument(b"\\x02\\0\\0\\0")])
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

MOST_SEEN, MOST_COUNTED = 20, 4096
"""Calls of a run of which the arguments are known, and calls that are counted (runtime/include/veer_harness.h)."""
FIRST_CALLBACK = 1 << 16
"""From this number on calls are those of veer_callback_0, veer_callback_1, ..., to which pointers lead."""


class Mocks(StrEnum):
    """What tests expect of the calls of functions that are defined nowhere."""

    NONE = "no arguments"  # and the number of calls only where they return numbers
    CALLS = "calls"  # how many there are, and their arguments
    ORDER = "calls in order"  # and which comes before which


class Passed(Struct, frozen=True):
    """A parameter of a function that is a stub: its type in C, and what the stub writes behind it.

    `target`: type id of an object there, or -1. `element`: bytes of one of the numbers there, where there is more than
    one object; 0: the stub writes one object, or nothing. `type`: type id of a number; `held`: of what tests look at
    behind a pointer, -1 for nothing; `is_counted`: the next parameter may say how many there are; `is_const`: what is
    behind the pointer is only read.
    """

    c_type: str
    element: int = 0
    target: int = -1
    type: int = -1
    held: int = -1
    is_counted: bool = False
    is_const: bool = False

    @property
    def is_pointer(self) -> bool:
        """Whether it is no number."""
        return self.c_type.endswith("*")

    @property
    def is_written(self) -> bool:
        """Whether the stub writes behind this pointer."""
        return self.element > 0 or self.target >= 0


class Behind(Struct, frozen=True):
    """Bytes behind a pointer when the call was made.

    `pointers`: (offset, number of the input object that the word there leads to, 0 for another address);
    `unwritten`: offsets of bytes that nobody had written.
    """

    data: bytes
    pointers: tuple[tuple[int, int], ...] = ()
    unwritten: tuple[int, ...] = ()


class Argument(Struct, frozen=True):
    """What an argument was: the bytes of a number; of a pointer whether it is NULL, and what it leads to.

    `is_settled`: it was written, and no build differs in it: it is no address that is cast to a number.
    `leads_to`: the number of an input object; `variable`: a variable of the unit; `offset`: how far behind its start.
    """

    value: bytes
    is_settled: bool = True
    leads_to: int = 0
    variable: str = ""
    offset: int = 0
    behind: Behind | None = None


class StubCall(Struct, frozen=True):
    """One call."""

    function: str
    arguments: tuple[Argument, ...] = ()


class Called(Struct, frozen=True):
    """The calls of a run since its entry was called: how many of each function, the first of them in their order.

    `is_confirmed`: the plain build makes the same calls, and gives them what is settled here.
    """

    counts: tuple[tuple[str, int], ...] = ()
    first: tuple[StubCall, ...] = ()
    is_confirmed: bool = False

    @property
    def total(self) -> int:
        """All calls."""
        return sum(count for _, count in self.counts)
