"""Exceptions: one that is on its way lies in a variable, and is looked at behind each call.

    %p = load ptr, ptr @veer_call_java_pending        behind a call: is there one?
    %t = icmp ne ptr %p, null
    br i1 %t, label %unwind, label %on

    unwind: is it of a class that a handler catches? else return

An instruction's own check (null, bounds, ...) is a check of veer's where nobody in the world catches anything: the run
ends there, as a bug. Where a handler may wait the exception is made instead; how many calls within the reach of
handlers there are says `@veer_call_java_guarded`.
"""

from __future__ import annotations

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import Handler
from veer.frontends.java.lowering.kinds import IR_TYPES, ZEROS, kind_of
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.world import ASSERTION
from veer.frontends.java.traps import Check, trap_number

PENDING, GUARDED = "@veer_call_java_pending", "@veer_call_java_guarded"


class Exceptions:
    """Checks, throws and handlers of one method."""

    def __init__(self, state: MethodState) -> None:
        self._state = state
        self._unwinding: dict[tuple[Handler, ...], str] = {}
        self._traps: dict[tuple[Check, str], str] = {}

    def check(self, holds: str, check: Check, index: str = "0", length: str = "0") -> None:
        """Goes on where the condition holds; else the instruction throws. `index`, `length`: what its message says."""
        state, text = self._state, self._state.text
        text.where = state.place(check)
        good = text.label()
        bad = self._trap(check) if self._ends_here() else text.label()
        text.add(f"br i1 {holds}, label %{good}, label %{bad}")
        if not self._ends_here():
            text.start(bad)
            if not state.handlers():
                self._trap_unless_guarded(check)
            text.add(f"call void @veer_call_java_throw(i32 {check.value}, i32 {index}, i32 {length})")
            self.unwind()
        text.start(good)
        text.where = state.place(0)

    def null_check(self, value: str) -> None:
        """A reference that is followed is not null."""
        if value != "%this":
            self.check(self._state.text.value(f"icmp ne ptr {value}, null"), Check.NULL)

    def begin_call(self) -> None:
        """Before a call: what it throws may be caught here."""
        self._guard(1)

    def end_call(self) -> None:
        """Behind a call: an exception on its way is caught here, or goes on."""
        text = self._state.text
        self._guard(-1)
        pending = text.value(f"load ptr, ptr {PENDING}")
        is_thrown = text.value(f"icmp ne ptr {pending}, null")
        thrown, good = text.label(), text.label()
        text.add(f"br i1 {is_thrown}, label %{thrown}, label %{good}")
        text.start(thrown)
        self.unwind()
        text.start(good)

    def throw(self, value: str) -> None:
        """athrow."""
        text = self._state.text
        self.null_check(value)
        if not self._state.handlers():
            table = self._state.module.subtypes(ASSERTION)
            text.add(f"call void @veer_call_java_thrown(ptr {value}, ptr {table})")
        text.add(f"store ptr {value}, ptr {PENDING}")
        self.unwind()

    def unwind(self) -> None:
        """Ends the block: the exception on its way is caught here, or the method is left."""
        handlers = self._state.handlers()
        if handlers not in self._unwinding:
            self._unwinding[handlers] = self._state.text.label()
        self._state.text.add(f"br label %{self._unwinding[handlers]}")

    def finish(self) -> None:
        """Writes the blocks that others lead to."""
        text = self._state.text
        for handlers, label in self._unwinding.items():
            text.start(label)
            self._unwind_to(handlers)
        for (check, where), label in self._traps.items():
            text.start(label)
            text.where = where
            text.add(f"call void @llvm.ubsantrap(i8 {trap_number(check)})")
            text.add("unreachable")

    def _ends_here(self) -> bool:
        """Whether nobody in the world can catch what this method throws."""
        return not self._state.module.catches

    def _trap(self, check: Check) -> str:
        """A block that ends the run; one for each check at a place."""
        key = (check, self._state.text.where)
        if key not in self._traps:
            self._traps[key] = self._state.text.label()
        return self._traps[key]

    def _trap_unless_guarded(self, check: Check) -> None:
        text = self._state.text
        guards = text.value(f"load i32, ptr {GUARDED}")
        is_guarded = text.value(f"icmp ne i32 {guards}, 0")
        on = text.label()
        text.add(f"br i1 {is_guarded}, label %{on}, label %{self._trap(check)}")
        text.start(on)

    def _guard(self, by: int) -> None:
        if self._state.handlers():
            text = self._state.text
            guards = text.value(f"load i32, ptr {GUARDED}")
            text.add(f"store i32 {text.value(f'add i32 {guards}, {by}')}, ptr {GUARDED}")

    def _unwind_to(self, handlers: tuple[Handler, ...]) -> None:
        state, text = self._state, self._state.text
        pending = text.value(f"load ptr, ptr {PENDING}")
        number = text.value(f"load i32, ptr {pending}") if any(each.caught for each in handlers) else ""
        for handler in handlers:
            caught = text.label()
            if handler.caught:
                is_caught = class_test(state, number, handler.caught)
                otherwise = text.label()
                text.add(f"br i1 {is_caught}, label %{caught}, label %{otherwise}")
            else:
                otherwise = ""
                text.add(f"br label %{caught}")
            text.start(caught)
            text.add(f"store ptr null, ptr {PENDING}")
            text.add(f"store ptr {pending}, ptr {state.slot('s', 0, 'A')}")
            text.add(f"br label %b{handler.target}")
            if not otherwise:
                return
            text.start(otherwise)
        result = kind_of(method_types(state.reached.method.descriptor)[1])
        text.add(f"ret {IR_TYPES[result]} {ZEROS[result]}" if result else "ret void")


def class_test(state: MethodState, number: str, name: str) -> str:
    """Whether the class of that number is a subtype of `name`: an i1."""
    text = state.text
    wide = text.value(f"zext i32 {number} to i64")
    place = text.value(f"getelementptr i8, ptr {state.module.subtypes(name)}, i64 {wide}")
    found = text.value(f"load i8, ptr {place}")
    return text.value(f"icmp ne i8 {found}, 0")
