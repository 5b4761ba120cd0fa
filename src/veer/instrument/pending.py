"""Pending pure operations: consecutive ones in a block share one check.

    %a = add ...                      the operations themselves, always executed
    %b = icmp ...
    %t = or i32 %shadow.x, %shadow.y  the shadows that come from outside of these
    br (%t >u 1), %slow, %on          never taken while everything is concrete
    on:
    %shadow.b = phi [0, here], [%q, slow]
    ...
    slow:                             out of line: veer_binary, veer_compare, ... for each operation
    %q = call @veer_compare(...)
    br %on

What ends them (a load, a store, a branch, a call) puts its own condition and its own slow path into the same check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from veer.instrument.symbolic import SymbolicOperations
from veer.instrument.taint import CONCRETE, Lookup, Step, Taint
from veer.instrument.writer import Code, FunctionWriter

Tail = Callable[[Code, Lookup], Sequence[tuple[str, str]]]
"""Writes the slow path of what ends the run; gives (shadow, what it is called in the slow block) of what it defines."""


class Pending:
    """The pending operations of one function's current block."""

    def __init__(
        self, writer: FunctionWriter, taint: Taint, operations: SymbolicOperations, site_of: Callable[[int], int]
    ) -> None:
        self._writer = writer
        self._taint = taint
        self._operations = operations
        self._site_of = site_of
        self._pending: list[Step] = []

    def add(self, step: Step) -> None:
        """A pure operation whose result may be symbolic; its plain form has been written."""
        self._pending.append(step)

    def close(
        self,
        inputs: Iterable[str] = (),
        extra: Sequence[str] = (),
        tail: Tail | None = None,
        *,
        mixes: bool = False,
        slow: str = "",
    ) -> None:
        """Ends the run. The slow path is taken when a shadow from outside or one of `inputs` is symbolic, or an i1 of
        `extra` holds; `tail` writes the slow path of what comes next, `mixes`: it may change the path hash, `slow`: the
        label of the slow path, if something leads there already."""
        pending, self._pending = self._pending, []
        inside: dict[str, str] = {}
        outside: dict[str, None] = {}
        for step in pending:
            for operand in step.instruction.operands:
                for shadow in self._taint.shadows(operand):
                    if shadow != CONCRETE and shadow not in inside:
                        outside[shadow] = None
            for shadow in self._taint.result(step.instruction):
                inside[shadow] = ""
        for shadow in inputs:
            if shadow != CONCRETE and shadow not in inside:
                outside[shadow] = None
        numbers = {step.number for step in pending}
        live = [shadow for shadow in inside if not self._taint.users[shadow] <= numbers]
        needed_by_tail = tail is not None and (outside or extra)
        if not live and not needed_by_tail:
            return
        if not outside and not extra:
            for shadow in live:
                self._writer.hot.add(f"{shadow} = add i32 {CONCRETE}, 0")
            return
        before = self._writer.hot.label
        slow, onward = self._writer.when(self._condition(list(outside), extra), slow)
        cold = self._writer.cold
        cold.start(slow)
        self._writer.flush(cold)
        self._write_slow(pending, inside)
        outputs = [(shadow, inside[shadow]) for shadow in live]
        if tail is not None:
            outputs += tail(cold, lambda shadow: inside.get(shadow, shadow))
        if mixes:
            self._writer.reload(cold)
        cold.add(f"br label %{onward}")
        hot = self._writer.hot
        hot.start(onward)
        for shadow, value in outputs:
            hot.add(f"{shadow} = phi i32 [ {CONCRETE}, %{before} ], [ {value}, %{cold.label} ]")

    def divide(self, step: Step, suspicious: str, site: int) -> None:
        """A division ends the run: its slow path, also taken when the i1 `suspicious` holds, comes before it."""

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            values = self._operations.emit(code, step.instruction, lookup, site)
            results = zip(self._taint.result(step.instruction), values, strict=True)
            return [(shadow, value) for shadow, value in results if shadow != CONCRETE]

        inputs = [shadow for operand in step.instruction.operands for shadow in self._taint.shadows(operand)]
        self.close(inputs, [suspicious], tail)

    def _write_slow(self, pending: list[Step], inside: dict[str, str]) -> None:
        """Writes the operations' slow paths; fills in what their results are called."""

        def lookup(shadow: str) -> str:
            return inside.get(shadow, shadow)

        for step in pending:
            site = self._site_of(step.position)
            values = self._operations.emit(self._writer.cold, step.instruction, lookup, site)
            inside.update(zip(self._taint.result(step.instruction), values, strict=True))

    def _condition(self, shadows: list[str], extra: Sequence[str]) -> str:
        hot = self._writer.hot
        conditions = list(extra)
        if shadows:
            joined = shadows[0]
            for shadow in shadows[1:]:
                joined = self._writer.value(hot, f"or i32 {joined}, {shadow}")
            conditions.append(self._writer.value(hot, f"icmp ugt i32 {joined}, 1"))
        condition = conditions[0]
        for other in conditions[1:]:
            condition = self._writer.value(hot, f"or i1 {condition}, {other}")
        return condition
