"""setjmp, longjmp and exceptions: depth and locals are set back, the value that travels is concrete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veer.instrument import convention
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.pending import Pending
from veer.instrument.taint import CONCRETE, Lookup, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter

MARK_BEFORE_INVOKE = "%veer.unwound"
"""A local of a function with landing pads: the stack of locals as it was before the call that threw."""


class Jumps:
    """Emits the jumps of one function; `plain` writes the call itself."""

    def __init__(
        self,
        writer: FunctionWriter,
        taint: Taint,
        pending: Pending,
        layout: Layout,
        plain: Callable[[Instruction], None],
    ) -> None:
        self._writer = writer
        self._taint = taint
        self._pending = pending
        self._layout = layout
        self._plain = plain

    def long_jump(self, instruction: Instruction, site: int) -> None:
        """What setjmp will return has no shadow there: it is pinned here, and other values get their own runs."""
        operands = (
            [Operand(argument.type, argument.value) for argument in instruction.call.arguments]
            if instruction.call
            else []
        )
        symbolic = [operand for operand in operands if self._taint.shadow(operand) != CONCRETE]

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            for operand in symbolic:
                bits = self._writer.bits(code, operand.type, operand.value)
                width = self._layout.width(operand.type)
                arguments = f"i32 {lookup(self._taint.shadow(operand))}, i64 {bits}, i32 {width}"
                runtime = self._writer.unit.runtime("veer_pin")
                code.add(f"call void {runtime}({arguments}, i32 {self._writer.unit.site(site)})")
            return ()

        self._pending.close([self._taint.shadow(operand) for operand in symbolic], (), tail if symbolic else None)
        self._writer.hot.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")
        self._writer.flush(self._writer.hot)
        self._plain(instruction)

    def before_invoke(self) -> None:
        """Remembers what the landing pad sets back."""
        hot = self._writer.hot
        mark = self._writer.value(hot, f"load i64, ptr {convention.hot('stack_pointer')}, align 8")
        hot.add(f"store i64 {mark}, ptr {MARK_BEFORE_INVOKE}, align 8")

    def land(self, instruction: Instruction) -> None:
        """An exception arrived: depth and locals are those of this function, no shadows travel with it."""
        hot = self._writer.hot
        hot.add(instruction.text)
        self._writer.reload(hot)
        mark = self._writer.value(hot, f"load i64, ptr {MARK_BEFORE_INVOKE}, align 8")
        hot.add(f"call void {self._writer.unit.runtime('veer_frame_end')}(i64 {mark})")
        hot.add(f"store i32 %veer.depth, ptr {convention.hot('depth')}, align 4")
        hot.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")

    def set_jump(self, instruction: Instruction) -> None:
        """After a setjmp, whichever way it returns, depth and the stack of locals are what they were before."""
        self._pending.close()
        hot = self._writer.hot
        mark = self._writer.value(hot, f"load i64, ptr {convention.hot('stack_pointer')}, align 8")
        hot.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")
        self._writer.flush(hot)
        self._plain(instruction)
        self._writer.reload(hot)
        hot.add(f"call void {self._writer.unit.runtime('veer_frame_end')}(i64 {mark})")
        hot.add(f"store i32 %veer.depth, ptr {convention.hot('depth')}, align 4")
        for shadow in self._taint.result(instruction):
            if shadow != CONCRETE:
                hot.add(f"{shadow} = add i32 {CONCRETE}, 0")
