"""How an instrumented function begins: steps, depth, the shadows of its arguments, the frame of its locals."""

from __future__ import annotations

from collections.abc import Callable

from veer.instrument import convention
from veer.instrument.boundary import Boundary
from veer.instrument.calls import needs_frame
from veer.instrument.callsyntax import Argument
from veer.instrument.facts import FunctionFacts
from veer.instrument.lexer import Operand
from veer.instrument.taint import CONCRETE, Taint
from veer.instrument.writer import COLD, FunctionWriter
from veer.wire.layout import MAX_ARGUMENTS, MAX_DEPTH


class Prologue:
    """Writes the beginning of one function. Defines %veer.depth, %veer.deeper and %veer.call.frame for its calls,
    %veer.mark for its returns, %veer.areas for its va_start."""

    def __init__(
        self,
        writer: FunctionWriter,
        taint: Taint,
        facts: FunctionFacts,
        boundary: Boundary | None,
        *,
        keeps_hash: bool,
    ) -> None:
        self._writer = writer
        self._taint = taint
        self._layout = facts.layout
        self._function = facts.function
        self._frame = facts.frame
        self._site = facts.sites.function
        self._has_calls = any(needs_frame(step.instruction) for step in facts.steps)
        self._has_mark = facts.has_mark
        self._has_list = facts.has_list
        self._keeps_hash = keeps_hash
        self._boundary = boundary if boundary is not None and boundary.is_drawn else None
        self._wanted, self._copies = self._slots()

    @property
    def shadows(self) -> tuple[str, ...]:
        """The shadows of arguments that are used."""
        return tuple(shadow for shadow, _ in self._wanted)

    def write(self, fast: str, slow: str = "", received: Callable[[str], str] = str) -> None:
        """Writes all of it; goes to one of two labels, `slow` when an argument is symbolic. The shadow of an argument
        is called what `received` makes of it."""
        hot = self._writer.hot
        count_step(self._writer, self._site)
        if self._has_calls:
            self._check_depth()
        callee = self._writer.value(hot, f"load i64, ptr {convention.hot('callee')}, align 8")
        hot.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")
        trusted = self._writer.value(hot, f"icmp eq i64 {callee}, ptrtoint (ptr {self._function.name} to i64)")
        goes_now = bool(slow) and not (self._frame.is_needed or self._has_list or self._has_mark)
        if goes_now:
            self._begin_body()
        symbolic, copies = self._receive_arguments(trusted, slow if goes_now else "", received)
        if self._boundary is not None:
            self._boundary.enter(self._taint)
        if self._has_mark:
            hot.add(f"%veer.mark = load i64, ptr {convention.hot('stack_pointer')}, align 8")
        if self._has_list:
            self._receive_places(trusted)
        self._make_frame(copies)
        if not goes_now:
            self._begin_body()
        goes_later = slow and not goes_now and symbolic
        hot.add(f"br i1 {symbolic}, label %{slow}, label %{fast}{COLD}" if goes_later else f"br label %{fast}")

    def _begin_body(self) -> None:
        if self._keeps_hash:
            self._writer.keep_hash()

    def _slots(self) -> tuple[list[tuple[str, int]], list[tuple[Argument, int]]]:
        """The shadows that are used and the byval parameters, with their slots."""
        wanted: list[tuple[str, int]] = []
        copies: list[tuple[Argument, int]] = []
        slot = 0
        for parameter in self._function.parameters:
            if parameter.byval:
                copies.append((parameter, slot))
                slot += 1
                continue
            shadows = self._taint.shadows(Operand(parameter.type, parameter.value))
            for leaf, shadow in enumerate(shadows):
                if self._boundary is not None:
                    wanted.append((self._boundary.received(slot + leaf), slot + leaf))
                elif shadow != CONCRETE and self._taint.users[shadow]:
                    wanted.append((shadow, slot + leaf))
            slot += max(len(shadows), 1)
        return wanted, copies

    def _check_depth(self) -> None:
        writer, hot = self._writer, self._writer.hot
        hot.add(f"%veer.depth = load i32, ptr {convention.hot('depth')}, align 4")
        stop_when(writer, writer.value(hot, f"icmp ugt i32 %veer.depth, {MAX_DEPTH}"), "veer_too_deep", self._site)
        hot.add("%veer.deeper = add i32 %veer.depth, 1")
        index = writer.value(hot, "zext i32 %veer.depth to i64")
        hot.add(f"%veer.call.frame = getelementptr i64, ptr {convention.hot('frames')}, i64 {index}")

    def _receive_arguments(
        self, trusted: str, slow_copy: str, received: Callable[[str], str]
    ) -> tuple[str, list[tuple[Argument, str]]]:
        """Defines the shadows of arguments, goes to `slow_copy` (unless it is "") when one is symbolic. Gives an i1
        that says so, if there are any, and the byval parameters with the address to copy them from."""
        if not self._wanted and not self._copies:
            return "", []
        writer, hot, cold = self._writer, self._writer.hot, self._writer.cold
        before = hot.label
        sources = {
            parameter.value: writer.value(hot, f"ptrtoint ptr {byval_name(parameter.value)} to i64")
            for parameter, _ in self._copies
        }
        slow, onward = writer.when(trusted)
        cold.start(slow)
        merged: list[tuple[str, str, str, str]] = []  # (result, type, otherwise, received)
        joined = CONCRETE
        for shadow, index in self._wanted:
            value = CONCRETE
            if index < MAX_ARGUMENTS:
                value = writer.value(cold, f"load i32, ptr {convention.hot('arguments', index)}, align 4")
            if slow_copy:
                cold.add(f"{received(shadow)} = or i32 {value}, {CONCRETE}")
            else:
                merged.append((received(shadow), "i32", CONCRETE, value))
            joined = writer.value(cold, f"or i32 {joined}, {value}")
        test = writer.value(cold, f"icmp ugt i32 {joined}, 1")
        symbolic = ""
        if self._wanted and not slow_copy:
            symbolic = writer.fresh()
            merged.append((symbolic, "i1", "false", test))
        found = []
        for parameter, index in self._copies:
            own = sources[parameter.value]
            place = own
            if index < MAX_ARGUMENTS:
                place = writer.value(cold, f"load i64, ptr {convention.hot('values', index)}, align 8")
            name = writer.fresh()
            merged.append((name, "i64", own, place))
            found.append((parameter, name))
        cold.add(f"br i1 {test}, label %{slow_copy}, label %{onward}" if slow_copy else f"br label %{onward}")
        hot.start(onward)
        for result, type_, otherwise, value in merged:
            hot.add(f"{result} = phi {type_} [ {otherwise}, %{before} ], [ {value}, %{slow} ]")
        return symbolic, found

    def _receive_places(self, trusted: str) -> None:
        """Defines %veer.areas: where the arguments behind `...` have shadows, 0 if none was handed over."""
        writer, hot = self._writer, self._writer.hot
        table = writer.value(hot, f"load ptr, ptr {convention.hot('variadic')}, align 8")
        known = writer.value(hot, f"select i1 {trusted}, ptr {table}, ptr null")
        runtime = writer.unit.runtime("veer_variadic")
        hot.add(f"%veer.areas = call i64 {runtime}(ptr {known}, i32 {writer.unit.site(self._site)})")

    def _make_frame(self, copies: list[tuple[Argument, str]]) -> None:
        frame = self._frame
        if not frame.is_needed:
            return
        writer, hot = self._writer, self._writer.hot
        words = ", ".join(f"i32 {number}" for place in frame.places for number in (place.offset, place.size))
        table = writer.unit.constant(f"[{2 * len(frame.places)} x i32] [{words}]")
        runtime = writer.unit.runtime("veer_frame")
        counts = f"i32 {len(frame.places)}, i32 {frame.written}"
        base = writer.value(hot, f"call i64 {runtime}(i64 {frame.total}, {counts}, ptr {table})")
        for place in frame.places:
            address = writer.value(hot, f"add i64 {base}, {place.offset}")
            hot.add(f"{place.value} = inttoptr i64 {address} to ptr")
        for parameter, source in copies:
            size = self._layout.size(parameter.byval)
            pointer = writer.value(hot, f"inttoptr i64 {source} to ptr")
            runtime = writer.unit.runtime("veer_memcpy")
            hot.add(f"call ptr {runtime}(ptr {parameter.value}, ptr {pointer}, i64 {size})")


def count_step(writer: FunctionWriter, site: int) -> None:
    """One step less; none left means that the run hangs."""
    hot = writer.hot
    steps = writer.value(hot, f"load i64, ptr {convention.hot('steps')}, align 8")
    left = writer.value(hot, f"sub i64 {steps}, 1")
    hot.add(f"store i64 {left}, ptr {convention.hot('steps')}, align 8")
    stop_when(writer, writer.value(hot, f"icmp slt i64 {left}, 0"), "veer_hang", site)


def stop_when(writer: FunctionWriter, condition: str, runtime: str, site: int) -> None:
    """A cold call that ends the run."""
    slow, onward = writer.when(condition)
    writer.cold.start(slow)
    writer.flush(writer.cold)
    writer.cold.add(f"call void {writer.unit.runtime(runtime)}(i32 {writer.unit.site(site)})")
    writer.cold.add(f"br label %{onward}")
    writer.hot.start(onward)


def byval_name(name: str) -> str:
    """What a byval parameter is called; its own name is that of the copy."""
    return f'%"veer.p.{name[2:]}' if name.startswith('%"') else f"%veer.p.{name[1:]}"
