"""How the shadows of a call's arguments are written down: for an instrumented callee, or for any other.

instrumented    HOT.arguments[slot] = shadow of each slot, HOT.callee = whom they are meant for
uninstrumented         the values as well, between veer_uninstrumented_begin and veer_uninstrumented_end
"""

from __future__ import annotations

from msgspec import Struct

from veer.instrument import convention, variadic
from veer.instrument.callsyntax import Argument, Call
from veer.instrument.lexer import Operand
from veer.instrument.taint import CONCRETE, Lookup, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter, defined
from veer.wire.layout import MAX_ARGUMENTS, Loss


class Slot(Struct, frozen=True):
    """One shadow that travels: leaf `leaf` of argument `argument`."""

    argument: Argument
    leaf: int
    shadow: str


class Arguments:
    """Writes the arguments of one function's calls."""

    def __init__(self, writer: FunctionWriter, taint: Taint, layout: Layout) -> None:
        self._writer = writer
        self._taint = taint
        self._layout = layout

    def slots_of(self, call: Call) -> list[Slot]:
        """The shadows that travel with a call, one or more an argument; what lies beyond MAX_ARGUMENTS is lost."""
        slots: list[Slot] = []
        for argument in call.arguments:
            if argument.type == "metadata":
                continue
            shadows = (
                (CONCRETE,)
                if argument.byval
                else self._taint.shadows(Operand(argument.type, argument.value)) or (CONCRETE,)
            )
            slots.extend(Slot(argument, leaf, shadow) for leaf, shadow in enumerate(shadows))
        return slots

    def hand_over(self, code: Code, slots: list[Slot], call: Call, site: int, lookup: Lookup) -> None:
        """For an instrumented callee."""
        for index, slot in enumerate(slots[:MAX_ARGUMENTS]):
            code.add(f"store i32 {lookup(slot.shadow)}, ptr {convention.hot('arguments', index)}, align 4")
            if slot.argument.byval:
                bits = self._writer.bits(code, "ptr", slot.argument.value)
                code.add(f"store i64 {bits}, ptr {convention.hot('values', index)}, align 8")
        callee = f"ptrtoint (ptr {call.callee} to i64)"
        if not call.callee.startswith("@"):
            callee = self._writer.value(code, f"ptrtoint ptr {call.callee} to i64")
        code.add(f"store i64 {callee}, ptr {convention.hot('callee')}, align 8")
        lost = self._hand_over_places(code, slots[:MAX_ARGUMENTS], call)
        lost += [slot.shadow for slot in slots[MAX_ARGUMENTS:] if slot.shadow != CONCRETE]
        if lost:
            self.note_loss(code, [lookup(shadow) for shadow in lost], site, Loss.UNSUPPORTED)

    def _hand_over_places(self, code: Code, slots: list[Slot], call: Call) -> list[str]:
        """Says where the arguments behind `...` lie; gives the shadows of those whose place is not known."""
        if not call.variadic:
            code.add(f"store i64 0, ptr {convention.hot('variadic')}, align 8")
            return []
        places = variadic.assign(self._layout, call)
        table = self._writer.unit.constant(places.table())
        code.add(f"store ptr {table}, ptr {convention.hot('variadic')}, align 8")
        return [slot.shadow for index, slot in enumerate(slots) if index in places.lost and slot.shadow != CONCRETE]

    def enter_foreign(self, code: Code, slots: list[Slot], call: Call, name: str, site: int, lookup: Lookup) -> None:
        """Before a callee that is not instrumented."""
        beyond = [lookup(slot.shadow) for slot in slots[MAX_ARGUMENTS:] if slot.shadow != CONCRETE]
        if beyond:
            self.note_loss(code, beyond, site, Loss.EXTERNAL)
        for index, slot in enumerate(slots[:MAX_ARGUMENTS]):
            code.add(f"store i32 {lookup(slot.shadow)}, ptr {convention.hot('arguments', index)}, align 4")
            code.add(f"store i64 {self._slot_bits(code, slot)}, ptr {convention.hot('values', index)}, align 8")
        code.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")
        self._external(code, "veer_uninstrumented_begin", len(slots), name, site)

    def leave_foreign(self, code: Code, slots: list[Slot], name: str, site: int) -> None:
        """Behind it; it may have called back, so the arguments' values are written again."""
        for index, slot in enumerate(slots[:MAX_ARGUMENTS]):
            code.add(f"store i64 {self._slot_bits(code, slot)}, ptr {convention.hot('values', index)}, align 8")
        self._external(code, "veer_uninstrumented_end", len(slots), name, site)

    def _external(self, code: Code, runtime: str, count: int, name: str, site: int) -> None:
        text = self._writer.unit.string(name) if name else "null"
        place = self._writer.unit.site(site)
        code.add(f"call void {self._writer.unit.runtime(runtime)}(i32 {place}, i32 {count}, ptr {text})")

    def _slot_bits(self, code: Code, slot: Slot) -> str:
        """The value of a slot as an i64; 0 for what has no shadow and is no pointer."""
        type_, value = slot.argument.type, defined(slot.argument.type, slot.argument.value)
        if self._layout.width(type_):
            return self._writer.bits(code, type_, value)
        if not self._layout.leaves(type_):
            return "0"
        return self._writer.leaf_bits(code, type_, value, self._layout.leaf_paths(type_)[slot.leaf])

    def note_loss(self, code: Code, shadows: list[str], site: int, loss: Loss) -> None:
        """Fixes these shadows, and notes a loss when one of them stays symbolic."""
        writer = self._writer
        settle, place = writer.unit.runtime("veer_settle"), writer.unit.site(site)
        joined = CONCRETE
        for shadow in shadows:
            settled = writer.value(code, f"call i32 {settle}(i32 {shadow}, i32 {place})")
            joined = writer.value(code, f"or i32 {joined}, {settled}")
        test = writer.value(code, f"icmp ugt i32 {joined}, 1")
        inside, after = writer.label(), writer.label()
        code.add(f"br i1 {test}, label %{inside}, label %{after}")
        code.start(inside)
        runtime = writer.unit.runtime("veer_unsupported")
        code.add(f"call void {runtime}(i32 {writer.unit.site(site)}, i32 {int(loss)})")
        code.add(f"br label %{after}")
        code.start(after)
