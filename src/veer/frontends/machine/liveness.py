"""Which registers go between functions: those that somebody reads later, and that the other one may have changed.

A function of the machine works on copies of registers (function.py). At a call, what the callee reads and the caller
has written goes to the module's variables; what the callee may have written comes back, if anybody reads it before it
is written again.

    a:  cmp r0, #3      writes flags, which nobody reads before they are written again: they stay where they are
        bl  g           g reads r0 and writes r0, r1, flags
        add r0, r4      r0 comes back; r4, which g does not touch, never left

It is the liveness of compilers (backwards over the instructions), over the whole program: at a function's return those
registers are live that are live behind any of its calls. A register that is live nowhere needs no way at all.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field

T = TypeVar("T", str, int)


class Use(enum.Enum):
    """How an instruction uses a register: reads it, writes the whole of it or a part. JUMP: it goes elsewhere, or a
    part of it may be left out, so that later writes are not sure."""

    READ = "read"
    WRITE = "write"
    PART = "part"
    JUMP = "jump"


Uses = list[tuple[Use, str]]
"""Of one instruction, in order, with the register's name."""


class Step(Struct):
    """One instruction. `goes`: where it may go on within the function; `calls`: functions that it calls, by name, and
    `tails` those that it leaves for; `skips`: whether the call may be left out."""

    uses: Uses
    goes: Sequence[int] = ()
    calls: Sequence[str] = ()
    tails: Sequence[str] = ()
    returns: bool = False
    skips: bool = False


class Steps(Struct, frozen=True):
    """A function: `first` is where it begins."""

    first: int
    of: Mapping[int, Step]


class Bridge(Struct, frozen=True):
    """What a call of the library does to registers. `kills`: those that it writes as a whole."""

    reads: frozenset[str]
    writes: frozenset[str]
    kills: frozenset[str]


class Live(Struct):
    """The answer, by the names of functions and the addresses of instructions: sets of registers."""

    registers: Mapping[str, int]  # the bit of each
    entry: dict[str, int] = field(default_factory=dict)
    exit: dict[str, int] = field(default_factory=dict)
    touched: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    behind: dict[tuple[str, int], int] = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)  # written by the function itself

    def spilled(self, own: str, called: Iterable[str]) -> int:
        """What the function writes back before it calls one of these."""
        names = list(called)
        return self.own[own] & _all(self.entry, names) & _all(self.touched, names)

    def left(self, own: str, to: Iterable[str]) -> int:
        """What it writes back before it goes to one of these for good."""
        return self.own[own] & _all(self.entry, to)

    def returned(self, own: str) -> int:
        """What it writes back before it returns."""
        return self.own[own] & self.exit[own]

    def reloaded(self, own: str, called: Iterable[str], at: int) -> int:
        """What comes back behind a call in the instruction there."""
        return _all(self.written, called) & self.behind.get((own, at), 0)

    def has(self, set_: int, register: str) -> bool:
        """Whether a register is one of the set."""
        return register in self.registers and bool(set_ >> self.registers[register] & 1)


class _Mask(Struct, frozen=True):
    """A step as sets: read before they are written, written for sure, read at all, written at all."""

    reads: int
    kills: int
    looks: int
    writes: int


def _all(of: Mapping[T, int], names: Iterable[T]) -> int:
    total = 0
    for each in names:
        total |= of[each]
    return total


def live(functions: Mapping[str, Steps], bridges: Mapping[str, Bridge], entry: str, results: Iterable[str]) -> Live:
    """What is live in the whole program. `results`: registers that whoever calls the entry reads."""
    bits = _bits(functions, bridges, results)
    found = Live(bits)
    masks = {name: {at: _mask(step.uses, bits) for at, step in each.of.items()} for name, each in functions.items()}
    reads = {name: _set(bridge.reads, bits) for name, bridge in bridges.items()}
    kills = {name: _set(bridge.kills, bits) for name, bridge in bridges.items()}
    for name, bridge in bridges.items():
        found.entry[name], found.exit[name], found.written[name] = reads[name], 0, _set(bridge.writes, bits)
        found.touched[name] = reads[name] | found.written[name]
    for name, rows in masks.items():
        found.entry[name] = found.exit[name] = 0
        found.own[name] = found.written[name] = _joined(each.writes for each in rows.values())
        found.touched[name] = found.written[name] | _joined(each.looks for each in rows.values())
    found.exit[entry] = _set(results, bits)
    _reach_callers(functions, found)
    is_open = True
    while is_open:
        before = (dict(found.entry), dict(found.exit))
        for name, each in functions.items():
            _backwards(name, each, masks[name], found)
        for name in bridges:
            found.entry[name] = reads[name] | found.exit[name] & ~kills[name]
        is_open = before != (found.entry, found.exit)
    return found


def _bits(functions: Mapping[str, Steps], bridges: Mapping[str, Bridge], results: Iterable[str]) -> dict[str, int]:
    names = {name for each in functions.values() for step in each.of.values() for _, name in step.uses if name}
    names |= {name for each in bridges.values() for name in each.reads | each.writes} | set(results)
    return {name: number for number, name in enumerate(sorted(names))}


def _set(names: Iterable[str], bits: Mapping[str, int]) -> int:
    return _joined(1 << bits[name] for name in names)


def _joined(sets: Iterable[int]) -> int:
    total = 0
    for each in sets:
        total |= each
    return total


def _mask(uses: Uses, bits: Mapping[str, int]) -> _Mask:
    reads = kills = looks = writes = 0
    is_sure = True
    for use, name in uses:
        if use is Use.JUMP:
            is_sure = False
            continue
        bit = 1 << bits[name]
        if use is Use.READ:
            looks |= bit
            reads |= bit & ~kills
        else:
            writes |= bit
            kills |= bit if use is Use.WRITE and is_sure else 0
    return _Mask(reads, kills, looks, writes)


def _reach_callers(functions: Mapping[str, Steps], found: Live) -> None:
    """What functions touch and write includes what those do that they call."""
    called = {
        name: {other for step in each.of.values() for other in (*step.calls, *step.tails)}
        for name, each in functions.items()
    }
    is_open = True
    while is_open:
        before = (dict(found.touched), dict(found.written))
        for name, others in called.items():
            found.touched[name] |= _all(found.touched, others)
            found.written[name] |= _all(found.written, others)
        is_open = before != (found.touched, found.written)


def _backwards(name: str, function: Steps, masks: Mapping[int, _Mask], found: Live) -> None:
    """Sets what is live at the function's entry, and adds to what is live at the exits of those that it calls."""
    before = dict.fromkeys(function.of, 0)
    places = sorted(function.of, reverse=True)
    is_open = True
    while is_open:
        is_open = False
        for at in places:
            step, mask = function.of[at], masks[at]
            out = _all(before, step.goes) | (found.exit[name] if step.returns else 0) | _all(found.entry, step.tails)
            for each in step.tails:
                found.exit[each] |= found.exit[name]
            needed = out
            if step.calls:
                found.behind[name, at] = out | mask.looks
                for each in step.calls:
                    found.exit[each] |= out | mask.looks
                needed = _all(found.entry, step.calls) | (out if step.skips else 0)
            needed = mask.reads | needed & ~mask.kills
            if needed != before[at]:
                before[at] = needed
                is_open = True
    found.entry[name] = before[function.first]
