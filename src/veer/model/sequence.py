"""Call sequences: what a harness may call, and what one run called (CUTE section 3.6).

list_1 = list_new()        Call(callee 0, receivers (), made 1)
list_add(list_1, 5)        Call(callee 1, receivers (1,)); its argument is the root `list_add.value`

The user writes `list_new,list_add*,{list_remove,list_find}`: a name is called once, `name*` any number of times, and
`{a,b}` is a choice between functions, any number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from veer.model.errors import UsageError
from veer.model.ownstruct import Making

RECEIVER = "receiver()"
"""The root of the choices between receivers."""
CHOICES = ("next()", "times()", RECEIVER)
"""The roots of choices; those between calls have their name from runtime/tracer/sequence.c."""

_ITEM = re.compile(r"\s*(?:\{([^{}]*)\}(\*?)|([A-Za-z_]\w*)(\*?))\s*(?:,|$)")
_NAME = re.compile(r"[A-Za-z_]\w*")


def argument_root(function: str, parameter: str) -> str:
    """The name of the root of a parameter, where several functions are called."""
    return f"{function}.{parameter}"


class Pool(Struct, frozen=True):
    """The objects of one type that calls work on; `pointer`: the type id of a pointer to them, `type`: their own."""

    name: str
    type: int
    pointer: int
    making: Making


class Callee(Struct, frozen=True):
    """A function of the sequence. `receivers`: for each parameter its pool, or -1 for an input of its own.

    `makes`: the pool of what it returns, or -1; `replaces`: what it returns takes the place of its first receiver;
    `initialises`: the place among its parameters of one that is a new object at each call, or -1; `delivers`: the place
    of one behind which it stores the pointer that it makes, which it does not return then, or -1; `ends`: the object
    that it is given is no more then, so that nothing may be left of it.
    """

    function: str
    receivers: tuple[int, ...]
    returns: int
    result_size: int
    makes: int = -1
    replaces: bool = False
    initialises: int = -1
    delivers: int = -1
    ends: bool = False

    def argument(self, parameter: str) -> str:
        """The name of the root of a parameter."""
        return argument_root(self.function, parameter)


class CallSequence(Struct, frozen=True):
    """All that a sequence harness may call, in the order of its choices."""

    specification: str
    pools: tuple[Pool, ...]
    callees: tuple[Callee, ...]


class Call(Struct, frozen=True):
    """One call of a run: the numbers of its receivers in their pools, what it returned (None: it did not return).

    `occurrence`: how often the function was called before, which tells its roots; `made`: number of the object that it
    returned, 0 for NULL or none.
    """

    callee: int
    occurrence: int
    receivers: tuple[int, ...]
    result: bytes | None = None
    made: int = 0


def read_calls(sequence: CallSequence, log: bytes) -> tuple[Call, ...]:
    """The calls of a run from its results (runtime/tracer/sequence.c); what is cut short is left out."""
    return tuple(_calls(sequence, _Log(log)))


class _Log:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes | None:
        """The next bytes, None where there are not so many."""
        if self._at + size > len(self._data):
            return None
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self) -> int | None:
        """The next number."""
        taken = self.take(4)
        return None if taken is None else int.from_bytes(taken, "little")


def _calls(sequence: CallSequence, log: _Log) -> Iterator[Call]:
    counts: dict[str, int] = {}
    for pool in sequence.pools:
        if pool.making in (Making.ZEROS, Making.VALUE):
            log.number()
    while (index := log.number()) is not None and index < len(sequence.callees):
        callee = sequence.callees[index]
        receivers = [log.number() for pool in callee.receivers if pool >= 0]
        occurrence = counts.get(callee.function, 0)
        counts[callee.function] = occurrence + 1
        result = log.take(callee.result_size) if callee.returns >= 0 else b""
        made = log.number() if callee.makes >= 0 and result is not None else 0
        yield Call(index, occurrence, tuple(each or 0 for each in receivers), result, made or 0)


def result_places(sequence: CallSequence, calls: Sequence[Call]) -> tuple[int, ...]:
    """Where in the results of a run with these calls stands what each returned."""
    at = 4 * sum(pool.making in (Making.ZEROS, Making.VALUE) for pool in sequence.pools)
    places = []
    for call in calls:
        callee = sequence.callees[call.callee]
        at += 4 + 4 * sum(pool >= 0 for pool in callee.receivers)
        places.append(at)
        at += (callee.result_size if callee.returns >= 0 else 0) + 4 * (callee.makes >= 0)
    return tuple(places)


def call_orders(sequence: CallSequence | None, calls: Sequence[Call]) -> frozenset[tuple[int, ...]]:
    """The callees of calls that return, each behind the one before it (-1: none), and behind two calls of one callee
    that has inputs of its own: two elements show what one does not."""
    if sequence is None:
        return frozenset()
    all_of_them = [-1, *(call.callee for call in calls if call.result is not None)]
    fed = {number for number, callee in enumerate(sequence.callees) if -1 in callee.receivers}
    threes = zip(all_of_them, all_of_them[1:], all_of_them[2:], strict=False)
    return frozenset(pairwise(all_of_them)) | {each for each in threes if each[0] == each[1] and each[0] in fed}


class Step(Struct, frozen=True):
    """One of these functions, once or any number of times."""

    functions: tuple[str, ...]
    repeats: bool


def parse(text: str) -> tuple[Step, ...]:
    """The steps of a sequence as the user writes it. Raises UsageError."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        matched = _ITEM.match(text, at)
        if matched is None:
            raise _unreadable(text, text[at:])
        names = tuple(part.strip() for part in matched[1].split(",")) if matched[1] is not None else (matched[3],)
        if not all(_NAME.fullmatch(name) for name in names):
            raise _unreadable(text, matched[0])
        steps.append(Step(names, matched[1] is not None or bool(matched[4])))
        at = matched.end()
    if not steps:
        raise _unreadable(text, text)
    return tuple(steps)


def _unreadable(text: str, rest: str) -> UsageError:
    return UsageError(
        f"--sequence {text}: {rest.strip() or 'nothing'!r} is no step; write names with commas between them, NAME* for "
        "any number of calls, {NAME,NAME} for a choice at each call"
    )


def entry_name(steps: Sequence[Step]) -> str:
    """What a campaign over this sequence is called."""
    return f"sequence_{steps[0].functions[0]}"
