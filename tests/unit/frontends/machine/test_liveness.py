"""Registers that go between functions: random programs, run with one set of registers, and with copies in each call."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from veer.frontends.machine.liveness import Bridge, Live, Step, Steps, Use, live

REGISTERS = ("a", "b", "c", "d", "e")
BRIDGE = Bridge(frozenset("a"), frozenset("ab"), frozenset("a"))


class TooLongError(Exception):
    """The run takes too many steps."""


def program(random_: random.Random) -> dict[str, Steps]:
    """Three functions and calls between them; where a step calls, the call stands at its last jump."""
    names = ("f", "g", "h")
    return {name: Steps(0, {at: _step(random_, at, names) for at in range(5)}) for name in names}


def _step(random_: random.Random, at: int, names: tuple[str, ...]) -> Step:
    if at == 4:
        return Step(_uses(random_, 1), (), returns=True)
    uses, goes = _uses(random_, 2), [at + 1, random_.randrange(5)]
    kind = random_.random()
    if kind < 0.3:
        called = [random_.choice((*names, "library")) for _ in range(random_.choice((1, 1, 2)))]
        is_skipped = random_.random() < 0.3
        before = [*uses, (Use.JUMP, "")] if is_skipped else uses
        return Step([*before, (Use.JUMP, ""), *_uses(random_, 1)], goes, called, skips=is_skipped)
    if kind < 0.4:
        return Step(uses, goes, tails=[random_.choice(names)])
    if kind < 0.5:
        return Step([*uses, (Use.JUMP, ""), *_uses(random_, 2)], goes, returns=random_.random() < 0.3)
    return Step(uses, goes)


def _uses(random_: random.Random, most: int) -> list[tuple[Use, str]]:
    kinds = (Use.READ, Use.WRITE, Use.WRITE, Use.PART)
    return [(random_.choice(kinds), random_.choice(REGISTERS)) for _ in range(random_.randint(0, most))]


class Run:
    """Runs a program by the choices of `seed`. `live`: copies of registers go where it says; None: there is one set."""

    def __init__(self, functions: dict[str, Steps], seed: int, live_: Live | None) -> None:
        self.functions, self.random, self.live = functions, random.Random(seed), live_
        self.globals: dict[str, object] = dict.fromkeys(REGISTERS, 0)
        self.read: list[object] = []
        self.written = self.steps = 0

    def call(self, name: str) -> None:
        """One call of a function; where the copies are, all its registers are those of the call."""
        if name == "library":
            self.read.append(self.globals["a"])
            self._library()
            return
        copies = dict.fromkeys(REGISTERS, "old")
        if self.live is not None:
            self._come(copies, self.live.entry[name])
        registers = self.globals if self.live is None else copies
        at = self.functions[name].first
        while True:
            self.steps += 1
            if self.steps > 300:
                raise TooLongError
            step = self.functions[name].of[at]
            self._uses(name, at, step, registers)
            ways = [*step.goes, *(["return"] if step.returns else []), *step.tails]
            way = self.random.choice(ways)
            if isinstance(way, int):
                at = way
                continue
            if way == "return":
                self._go(registers, self.live.returned(name) if self.live is not None else 0)
                return
            self._go(registers, self.live.left(name, [way]) if self.live is not None else 0)
            return self.call(way)

    def _library(self) -> None:
        self.written += 1
        self.globals["a"], self.globals["b"] = self.written, ("part", self.globals["b"])

    def _uses(self, name: str, at: int, step: Step, registers: dict[str, object]) -> None:
        last = max((place for place, (use, _) in enumerate(step.uses) if use is Use.JUMP), default=-1)
        for place, (use, register) in enumerate(step.uses):
            if use is Use.JUMP:
                is_call = bool(step.calls) and place == last
                if is_call:
                    self._call(name, at, step, registers)
                elif self.random.random() < 0.5:
                    return
            elif use is Use.READ:
                self.read.append(registers[register])
            else:
                self.written += 1
                old = ("part", registers[register])
                registers[register] = self.written if use is Use.WRITE else (old, self.written)

    def _call(self, name: str, at: int, step: Step, registers: dict[str, object]) -> None:
        if self.live is not None:
            self._go(registers, self.live.spilled(name, step.calls))
        self.call(self.random.choice(list(step.calls)))
        if self.live is not None:
            self._come(registers, self.live.reloaded(name, step.calls, at))

    def _go(self, registers: dict[str, object], set_: int) -> None:
        self.globals.update({each: registers[each] for each in self._of(set_)})

    def _come(self, registers: dict[str, object], set_: int) -> None:
        registers.update({each: self.globals[each] for each in self._of(set_)})

    def _of(self, set_: int) -> Iterator[str]:
        assert self.live is not None or not set_
        return (each for each in REGISTERS if self.live is not None and self.live.has(set_, each))


def test_every_read_sees_what_it_sees_with_one_set_of_registers() -> None:
    ended = 0
    for seed in range(150):
        functions = program(random.Random(seed))
        found = live(functions, {"library": BRIDGE}, "f", ("a", "c"))
        for choices in range(8):
            one, copies = Run(functions, choices, None), Run(functions, choices, found)
            try:
                one.call("f")
            except (TooLongError, RecursionError):
                with pytest.raises((TooLongError, RecursionError)):
                    copies.call("f")
                assert _as_text(copies.read) == _as_text(one.read)
                continue
            copies.call("f")
            ended += 1
            assert _as_text(copies.read) == _as_text(one.read), seed
            assert _as_text([copies.globals[each] for each in "ac"]) == _as_text([one.globals[each] for each in "ac"])
    assert ended > 300, "runs that end are compared"


def _as_text(values: list[object]) -> list[str]:
    """A part that is kept of a register which nobody reads may be anything."""
    return [repr(each) for each in values]


def test_what_nobody_reads_stays_where_it_is() -> None:
    caller = {
        0: Step([(Use.WRITE, "flag"), (Use.WRITE, "r0"), (Use.WRITE, "r4")], [1]),
        1: Step([(Use.JUMP, "")], [2], ["g"]),
        2: Step([(Use.READ, "r0"), (Use.READ, "r4")], returns=True),
    }
    callee = {0: Step([(Use.READ, "r0"), (Use.WRITE, "r0"), (Use.WRITE, "flag")], returns=True)}
    found = live({"f": Steps(0, caller), "g": Steps(0, callee)}, {}, "f", ("r0",))
    names = [found.spilled("f", ["g"]), found.reloaded("f", ["g"], 1), found.returned("g"), found.entry["f"]]
    shown = [{each for each in ("flag", "r0", "r4") if found.has(set_, each)} for set_ in names]
    assert shown == [{"r0"}, {"r0"}, {"r0"}, set()]
