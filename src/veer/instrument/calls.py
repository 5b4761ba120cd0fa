"""Calls: how shadows travel to the callee and back (veer_runtime.h, "calls"), and calls that leave instrumented code.

Each argument has one slot (the members of a small struct or vector one each): its shadow goes to HOT.arguments[slot]
when any argument is symbolic. The results beyond the first of a function that returns a struct in registers come back
in the same array. Whether a callee is instrumented is known for definitions of this unit; for others, instrumented code
looks for the mark that lies before every instrumented function.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.instrument import convention
from veer.instrument.arguments import Arguments, Slot
from veer.instrument.callsyntax import Argument, Call
from veer.instrument.fastpath import CodePath
from veer.instrument.instructions import Instruction
from veer.instrument.jumps import Jumps
from veer.instrument.lexer import Operand, bare
from veer.instrument.pending import Pending
from veer.instrument.taint import CONCRETE, Lookup, Step, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter, defined
from veer.model.values import replace
from veer.wire.layout import Loss

_FLOAT_INTRINSICS = (
    *("pow", "exp", "log", "sin", "cos", "tan", "floor", "ceil", "trunc", "rint", "nearbyint", "round"),
    *("minnum", "maxnum", "minimum", "maximum", "ldexp", "frexp", "lround", "llround", "lrint"),
)


class Callees(Struct, frozen=True):
    """What the unit knows of functions by name (with sigil)."""

    instrumented: frozenset[str]  # defined here and instrumented
    uninstrumented: frozenset[str]  # known not to be instrumented
    defined: frozenset[str]  # all that this unit defines
    objects: dict[str, str]  # global variables → their types


class Calls:
    """Emits the calls of one function."""

    def __init__(
        self, writer: FunctionWriter, taint: Taint, path: CodePath, pending: Pending, layout: Layout, callees: Callees
    ) -> None:
        self._writer = writer
        self._taint = taint
        self._path = path
        self._pending = pending
        self._layout = layout
        self._callees = callees
        self._arguments = Arguments(writer, taint, layout)
        self.jumps = Jumps(writer, taint, pending, layout, self._plain)
        self.landings: dict[str, str] = {}  # of the current block: landing pad → label that its invoke stands in
        self.local_types: dict[str, str] = {}  # allocas of the function → their types

    def call(self, step: Step, site: int) -> None:
        """Any call instruction."""
        instruction = step.instruction
        call = _of(instruction)
        name = bare(call.callee) if call.callee.startswith("@") else ""
        if call.callee.startswith("asm "):
            self._assembly(instruction, site)
        elif name.startswith("llvm."):
            self._intrinsic(instruction, name[5:], site)
        elif call.callee not in self._callees.defined and name in convention.BUILT_IN_NAMES:
            self._built_in(step, name, site)
        elif name in convention.SETJMP_NAMES:
            self.jumps.set_jump(instruction)
        elif name in convention.LONGJMP_NAMES:
            self.jumps.long_jump(instruction, site)
        else:
            self._protocol(instruction, name, site)
        for landing_pad in instruction.labels:
            if landing_pad not in self.landings:
                self._invoke("void @llvm.donothing()", landing_pad)  # runtime calls stand here, which do not throw

    def unsupported(self, instruction: Instruction, site: int, loss: Loss) -> None:
        """Ends the run; notes a loss if an operand is symbolic."""
        shadows = [
            shadow
            for operand in instruction.operands
            if operand.type not in ("metadata", "label", "token")
            for shadow in self._taint.shadows(operand)
            if shadow != CONCRETE
        ]
        if not shadows:
            self._pending.close()
            return

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            self._arguments.note_loss(code, [lookup(shadow) for shadow in shadows], site, loss)
            return ()

        self._pending.close(shadows, (), tail)

    # -- calls of functions ---------------------------------------------------------------------------------------

    def _protocol(self, instruction: Instruction, name: str, site: int) -> None:
        call = _of(instruction)
        slots = self._arguments.slots_of(call)
        hot = self._writer.hot
        told = self._told(instruction, name)
        for argument in call.arguments:
            if argument.byval:
                self._pin_address(argument, site)
        if call.callee in self._callees.uninstrumented:
            self._pending.close()
            self._writer.flush(hot)
            self._arguments.enter_foreign(hot, slots, call, told, site, lambda shadow: shadow)
            self._writer.reload(hot)
            self._transfer(instruction, site, "")
            self._arguments.leave_foreign(hot, slots, name, site)
            self._writer.reload(hot)
            self._path.receive(instruction, "")
            return
        is_known = call.callee in self._callees.instrumented or name.startswith("veer_")
        if name in convention.DECLARATIONS:
            self._writer.unit.runtime(name)
        uninstrumented = ""
        if not name:
            self._check_target(call, site)
        if not is_known:
            uninstrumented = self._is_uninstrumented(call)
        hot.add(f"store i64 0, ptr {convention.hot('callee')}, align 8")
        self._marshal(slots, call, told, site, uninstrumented)
        address = f"ptrtoint (ptr {call.callee} to i64)" if name else ""
        if not address and any(shadow != CONCRETE for shadow in self._path.expected(instruction)):
            address = self._writer.value(hot, f"ptrtoint ptr {call.callee} to i64")
        self._transfer(instruction, site, address)
        if uninstrumented:
            slow, onward = self._writer.when(uninstrumented)
            cold = self._writer.cold
            cold.start(slow)
            self._arguments.leave_foreign(cold, slots, name, site)
            self._writer.reload(cold)
            cold.add(f"br label %{onward}")
            hot.start(onward)
        self._path.receive(instruction, address)

    def _told(self, instruction: Instruction, name: str) -> str:
        """The callee's name as the runtime is told it: behind a mark where something is computed with its result."""
        is_used = any(self._taint.users.get(shadow) for shadow in self._taint.result(instruction))
        return f"{convention.ANSWER_MARK}{name}" if name and is_used else name

    def _pin_address(self, argument: Argument, site: int) -> None:
        """The machine copies a struct that is passed in memory: the address that it lies at is fixed before."""
        shadow = self._taint.shadow(Operand("ptr", argument.value))

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            bits = self._writer.bits(code, "ptr", argument.value)
            runtime, place = self._writer.unit.runtime("veer_pin"), self._writer.unit.site(site)
            code.add(f"call void {runtime}(i32 {lookup(shadow)}, i64 {bits}, i32 64, i32 {place})")
            return ()

        self._pending.close((shadow,), (), tail if shadow != CONCRETE else None)

    def _check_target(self, call: Call, site: int) -> None:
        """An indirect call: the runtime ends the run unless the target is a function."""
        self._pending.close()
        shadow = self._taint.shadow(Operand("ptr", call.callee))
        hot = self._writer.hot
        target = self._writer.value(hot, f"ptrtoint ptr {call.callee} to i64")
        runtime = self._writer.unit.runtime("veer_indirect")
        self._writer.flush(hot)
        hot.add(f"call void {runtime}(i64 {target}, i32 {shadow}, i32 {self._writer.unit.site(site)})")

    def _is_uninstrumented(self, call: Call) -> str:
        """An i1: the callee does not carry the mark of an instrumented function."""
        hot = self._writer.hot
        mark = self._writer.value(hot, f"getelementptr i8, ptr {call.callee}, i64 -8")
        found = self._writer.value(hot, f"load i64, ptr {mark}, align 1")
        return self._writer.value(hot, f"icmp ne i64 {found}, {convention.FUNCTION_MARK}")

    def _marshal(self, slots: list[Slot], call: Call, name: str, site: int, uninstrumented: str) -> None:
        """Hands the shadows over when any is symbolic, or when the callee may be any or takes a struct by value."""
        symbolic = [slot.shadow for slot in slots if slot.shadow != CONCRETE]
        has_byval = any(argument.byval for argument in call.arguments)
        extra = ["true"] if has_byval else [uninstrumented] if uninstrumented else []

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            if not uninstrumented:
                self._arguments.hand_over(code, slots, call, site, lookup)
                return ()
            outside, inside, after = self._writer.label(), self._writer.label(), self._writer.label()
            code.add(f"br i1 {uninstrumented}, label %{outside}, label %{inside}")
            code.start(outside)
            self._arguments.enter_foreign(code, slots, call, name, site, lookup)
            code.add(f"br label %{after}")
            code.start(inside)
            self._arguments.hand_over(code, slots, call, site, lookup)
            code.add(f"br label %{after}")
            code.start(after)
            return ()

        if symbolic or extra:
            self._pending.close(symbolic, extra, tail, mixes=bool(uninstrumented))
        else:
            self._pending.close()

    def _transfer(self, instruction: Instruction, site: int, address: str) -> None:
        """The call itself within its frame; `address` is the callee as an i64, "" if its result is concrete."""
        hot = self._writer.hot
        if address and any(shadow != CONCRETE for shadow in self._path.expected(instruction)):
            hot.add(f"store i64 0, ptr {convention.hot('returner')}, align 8")
        hot.add(f"store i64 {self._writer.unit.site_word(site)}, ptr %veer.call.frame, align 8")
        hot.add(f"store i32 %veer.deeper, ptr {convention.hot('depth')}, align 4")
        self._writer.flush(hot)
        if instruction.labels:
            self.jumps.before_invoke()
        self._plain(instruction)
        self._writer.reload(hot)
        hot.add(f"store i32 %veer.depth, ptr {convention.hot('depth')}, align 4")

    def _plain(self, instruction: Instruction) -> None:
        call = _of(instruction)
        arguments = ", ".join(
            str(argument._replace(value=defined(argument.type, argument.value))) for argument in call.arguments
        )
        name = f"{instruction.result} = " if instruction.result else ""
        text = f"{call.prefix}{call.function_type} {call.callee}({arguments})"
        if instruction.labels:
            self._invoke(text, instruction.labels[0], name)
        else:
            self._writer.hot.add(f"{name}call {text}")

    def _invoke(self, text: str, landing_pad: str, name: str = "") -> None:
        """A call that may throw; the code goes on in a block of its own."""
        hot = self._writer.hot
        if text.endswith("@llvm.donothing()"):
            self._writer.unit.intrinsic("llvm.donothing", "declare void @llvm.donothing()")
        self.landings[landing_pad] = hot.label
        onward = self._writer.label()
        hot.add(f"{name}invoke {text} to label %{onward} unwind label %{landing_pad}")
        hot.start(onward)

    # -- special callees ------------------------------------------------------------------------------------------

    def _intrinsic(self, instruction: Instruction, name: str, site: int) -> None:
        writer = self._writer
        hot = writer.hot
        if name in ("trap", "debugtrap") or name == "ubsantrap":
            self._pending.close()
            kind = int(_of(instruction).arguments[0].value) % 256 if name == "ubsantrap" else 255
            writer.flush(hot)
            hot.add(f"call void {writer.unit.runtime('veer_trap')}(i32 {writer.unit.site(site)}, i32 {kind})")
        elif name.startswith("stacksave"):
            self._pending.close()
            hot.add(f"{instruction.result} = load ptr, ptr {convention.hot('stack_pointer')}, align 8")
        elif name.startswith("va_start"):
            self._pending.close()
            self._plain(instruction)
            runtime = writer.unit.runtime("veer_va_start")
            writer.flush(hot)
            place = writer.unit.site(site)
            hot.add(f"call void {runtime}(ptr {instruction.operands[0].value}, i64 %veer.areas, i32 {place})")
        elif name.startswith("stackrestore"):
            self._pending.close()
            mark = writer.value(hot, f"ptrtoint ptr {instruction.operands[0].value} to i64")
            hot.add(f"call void {writer.unit.runtime('veer_frame_end')}(i64 {mark})")
        else:
            is_float = name.startswith(_FLOAT_INTRINSICS)
            self.unsupported(instruction, site, Loss.FLOAT if is_float else Loss.UNSUPPORTED)
            self._plain(instruction)

    def _assembly(self, instruction: Instruction, site: int) -> None:
        call = _of(instruction)
        if not any(argument.type == "ptr" for argument in call.arguments):
            self.unsupported(instruction, site, Loss.UNSUPPORTED)
            self._plain(instruction)
            return
        self._pending.close()
        slots = self._arguments.slots_of(call)
        hot = self._writer.hot
        self._writer.flush(hot)
        self._arguments.enter_foreign(hot, slots, call, "asm", site, lambda shadow: shadow)
        self._plain(instruction)
        self._arguments.leave_foreign(hot, slots, "asm", site)
        self._writer.reload(hot)

    def _built_in(self, step: Step, name: str, site: int) -> None:
        instruction = step.instruction
        writer = self._writer
        place = writer.unit.site(site)
        arguments = _of(instruction).arguments
        if name in convention.INPUT_NAMES:
            self._make_symbolic(instruction, site)
            return
        self._pending.close()
        writer.flush(writer.hot)
        if name in convention.EXIT_NAMES:
            code = f"i32 {defined('i32', arguments[0].value)}" if arguments and arguments[0].type == "i32" else "i32 0"
            leave = writer.unit.runtime("veer_exit" if name == "exit" else "veer_exit_at_once")
            writer.hot.add(f"call void {leave}(i32 {place}, {code})")
        elif name in convention.ASSERT_NAMES:
            text = arguments[0].value if arguments and arguments[0].type == "ptr" else "null"
            writer.hot.add(f"call void {writer.unit.runtime('veer_assert_fail')}(i32 {place}, ptr {text})")
        else:
            writer.hot.add(f"call void {writer.unit.runtime('veer_abort')}(i32 {place})")
        if instruction.result:
            writer.hot.add(f"{instruction.result} = freeze {instruction.type} poison")

    def _make_symbolic(self, instruction: Instruction, site: int) -> None:
        """klee_make_symbolic(p, n, name), veer_input(p, n, name) → veer_make_symbolic(p, n, name, element)."""
        writer = self._writer
        arguments = list(_of(instruction).arguments)
        if len(arguments) < 3:
            arguments.append(Argument("ptr", "", writer.unit.string("input")))
        if arguments[1].type != "i64":
            self._pending.close()
            wide = writer.value(writer.hot, f"zext {arguments[1].type} {arguments[1].value} to i64")
            arguments[1] = Argument("i64", "", wide)
        target = arguments[0].value
        type_ = self.local_types.get(target) or self._callees.objects.get(target)
        element = self._layout.uniform_element(type_) if type_ else 1
        arguments[3:] = [Argument("i64", "", str(element))]
        writer.unit.runtime("veer_make_symbolic")
        call = Call("@veer_make_symbolic", tuple(arguments), "", "void", variadic=False, fixed=4)
        self._protocol(replace(instruction, result="", type="void", call=call), "veer_make_symbolic", site)
        if instruction.result:
            writer.hot.add(f"{instruction.result} = freeze {instruction.type} zeroinitializer")


def _of(instruction: Instruction) -> Call:
    assert instruction.call is not None
    return instruction.call


def needs_frame(instruction: Instruction) -> bool:
    """Whether a call pushes a frame (so that its function must know its depth)."""
    call = instruction.call
    return call is not None and not call.callee.startswith(("asm ", "@llvm."))
