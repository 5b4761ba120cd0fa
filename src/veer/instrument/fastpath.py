"""A fast and a slow path of a function, each a copy of its body, so that concrete data costs no shadows.

The fast path has no shadows of values at all. It leaves for the slow path, and does not come back, where a symbolic one
would enter the function: behind a load, behind a call (the prologue chooses between the two for its arguments).

    fast:                                   slow:
    %w = load <4 x i32>, words of %p        %w = load <4 x i32>, words of %p
    br (%w is not all 1), %look, %on        ...
    ...                                     %shadow.a = phi [0, ...], [%t, ...]
    look:                                   br %landing
    %s = call @veer_load(...)               landing:                <- here from the fast path
    br (%s >u 1), %cross, %on               %a = load i32, ptr %p
    cross:
    store %fast.x, %variable.x              for each value that the slow path may use from here on
    store %s, %variable.shadow.a            all other shadows are 0
    br %landing

A value that is live at a landing has a variable: the slow path stores it where it is defined and loads it in the other
blocks that use it. LLVM's SROA turns these variables into values again (SSA construction, Cytron et al. 1991).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from veer.instrument import convention
from veer.instrument.instructions import Instruction
from veer.instrument.taint import CONCRETE, Taint, is_shadow
from veer.instrument.writer import Code, FunctionWriter


class CodePath(Protocol):
    """What a copy of a function does where shadows enter it."""

    def expected(self, instruction: Instruction) -> tuple[str, ...]:
        """The shadows of what a load or a call gives that must be looked at; "0" for those that nobody uses."""

    def looks_at_all(self, instruction: Instruction) -> bool:
        """Whether that is every shadow of what a load gives, so that a load of the same place need not look again."""

    def enter(self, code: Code, instruction: Instruction, values: Sequence[str]) -> None:
        """In the slow path of a load: these are the shadows that it found."""

    def loaded(self, instruction: Instruction) -> None:
        """In the hot block behind the slow path of a load."""

    def receive(self, instruction: Instruction, address: str) -> None:
        """In the hot block behind a call. `address`: the callee's as an i64, "" if its result is concrete."""


class OnlyPath:
    """The only copy of a function: all shadows are values."""

    def __init__(self, taint: Taint, writer: FunctionWriter) -> None:
        self._taint = taint
        self._writer = writer

    def expected(self, instruction: Instruction) -> tuple[str, ...]:
        """See CodePath."""
        return used_shadows(self._taint, instruction)

    def looks_at_all(self, instruction: Instruction) -> bool:
        """See CodePath."""
        return self.expected(instruction) == self._taint.result(instruction)

    def enter(self, code: Code, instruction: Instruction, values: Sequence[str]) -> None:
        """See CodePath: they get their names where the slow path ends."""

    def loaded(self, instruction: Instruction) -> None:
        """See CodePath."""

    def receive(self, instruction: Instruction, address: str) -> None:
        """See CodePath."""
        hot, results = self._writer.hot, self._taint.result(instruction)
        if not address or not _any(self.expected(instruction)):
            for shadow in results:
                if shadow != CONCRETE:
                    hot.add(f"{shadow} = add i32 {CONCRETE}, 0")
            return
        returner = self._writer.value(hot, f"load i64, ptr {convention.hot('returner')}, align 8")
        trusted = self._writer.value(hot, f"icmp eq i64 {returner}, {address}")
        for index, shadow in enumerate(results):
            if shadow != CONCRETE:
                loaded = self._writer.value(hot, f"load i32, ptr {returned_place(index)}, align 4")
                hot.add(f"{shadow} = select i1 {trusted}, i32 {loaded}, i32 {CONCRETE}")


class SlowPath(OnlyPath):
    """Has a block behind each place where shadows enter."""

    def __init__(self, taint: Taint, writer: FunctionWriter) -> None:
        super().__init__(taint, writer)
        self.landings: dict[str, str] = {}  # result of the load or call → label

    def loaded(self, instruction: Instruction) -> None:
        """See CodePath."""
        if _any(self.expected(instruction)):
            label = self._writer.label()
            self.landings[instruction.result] = label
            self._writer.hot.add(f"br label %{label}")
            self._writer.hot.start(label)

    def receive(self, instruction: Instruction, address: str) -> None:
        """See CodePath."""
        super().receive(instruction, address)
        if address:
            self.loaded(instruction)


class FastPath:
    """Goes to the slow path's landings. `taint` is that of the slow path; `live`: landing → values that must reach it,
    as (name, type, variable)."""

    def __init__(
        self,
        taint: Taint,
        writer: FunctionWriter,
        landings: Mapping[str, str],
        live: Mapping[str, Sequence[tuple[str, str, str]]],
    ) -> None:
        self._taint = taint
        self._writer = writer
        self._landings = landings
        self._live = live

    def expected(self, instruction: Instruction) -> tuple[str, ...]:
        """See CodePath."""
        return used_shadows(self._taint, instruction)

    def looks_at_all(self, instruction: Instruction) -> bool:
        """See CodePath."""
        return self.expected(instruction) == self._taint.result(instruction)

    def enter(self, code: Code, instruction: Instruction, values: Sequence[str]) -> None:
        """See CodePath. The code goes on where all of them are concrete."""
        expected = self.expected(instruction)
        found = {name: value for name, value in zip(expected, values, strict=True) if name != CONCRETE}
        if not found:
            return
        writer = self._writer
        joined = CONCRETE
        for value in found.values():
            joined = writer.value(code, f"or i32 {joined}, {value}")
        cross, stay = writer.label(), writer.label()
        code.add(f"br i1 {writer.value(code, f'icmp ugt i32 {joined}, 1')}, label %{cross}, label %{stay}")
        code.start(cross)
        writer.reload(code)
        landing = self._landings[instruction.result]
        for name, type_, variable in self._live[landing]:
            value = found.get(name, CONCRETE) if is_shadow(name) else name
            code.add(f"store {type_} {value}, ptr {variable}")
        code.add(f"br label %{landing}")
        code.start(stay)

    def loaded(self, instruction: Instruction) -> None:
        """See CodePath: nothing is symbolic here."""

    def receive(self, instruction: Instruction, address: str) -> None:
        """See CodePath. A fast path that returns names nobody as the returner."""
        expected = self.expected(instruction)
        if not address or not _any(expected):
            return
        writer, hot, cold = self._writer, self._writer.hot, self._writer.cold
        returner = writer.value(hot, f"load i64, ptr {convention.hot('returner')}, align 8")
        slow, onward = writer.when(writer.value(hot, f"icmp ne i64 {returner}, 0"))
        cold.start(slow)
        trusted = writer.value(cold, f"icmp eq i64 {returner}, {address}")
        values = [CONCRETE] * len(expected)
        for index, shadow in enumerate(expected):
            if shadow == CONCRETE:
                continue
            loaded = writer.value(cold, f"load i32, ptr {returned_place(index)}, align 4")
            values[index] = writer.value(cold, f"select i1 {trusted}, i32 {loaded}, i32 {CONCRETE}")
        writer.flush(cold)
        self.enter(cold, instruction, values)
        cold.add(f"br label %{onward}")
        hot.start(onward)


def returned_place(index: int) -> str:
    """Where the shadow of a leaf of a function's result lies."""
    return convention.hot("returned") if index == 0 else convention.hot("arguments", index)


def _any(shadows: Sequence[str]) -> bool:
    return any(shadow != CONCRETE for shadow in shadows)


def used_shadows(taint: Taint, instruction: Instruction) -> tuple[str, ...]:
    """The shadows of a result; "0" for those that nobody uses."""
    return tuple(
        shadow if shadow != CONCRETE and taint.users[shadow] else CONCRETE for shadow in taint.result(instruction)
    )
