"""One method → one function of LLVM IR.

Local variables, and what lies on the stack where blocks begin, are slots of memory, which LLVM promotes to values.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ClassRef, Float32, Float64, Int32, Int64, StringConstant
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.opcodes import LEAVING
from veer.frontends.java.lowering import numbers
from veer.frontends.java.lowering.branches import Branches, SourceBranch
from veer.frontends.java.lowering.calls import Calls
from veer.frontends.java.lowering.cuts import is_lowered, known_static
from veer.frontends.java.lowering.exceptions import Exceptions
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of, rearranged, stacks
from veer.frontends.java.lowering.literals import array_literals
from veer.frontends.java.lowering.objects import Objects
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.stringswitches import EQUALS, string_switches
from veer.frontends.java.lowering.words import Words
from veer.frontends.java.lowering.world import primitive_class
from veer.frontends.java.traps import Check

_ARITHMETIC = frozenset(
    f"{kind}{name}" for kind in "ilfd" for name in ("add", "sub", "mul", "div", "rem", "and", "or", "xor")
)
_SHIFTS = frozenset(f"{kind}{name}" for kind in "il" for name in ("shl", "shr", "ushr"))
_NEGATIONS = frozenset(f"{kind}neg" for kind in "ilfd")
_DIVISIONS = ("idiv", "irem", "ldiv", "lrem")
_COMPARISONS = ("lcmp", "fcmpl", "fcmpg", "dcmpl", "dcmpg")


class MethodLowering:
    """Lowers one method."""

    def __init__(self, state: MethodState) -> None:
        self._state = state
        self._words = Words(state.code)
        self._exceptions = Exceptions(state)
        self._objects = Objects(state, self._exceptions)
        self._calls = Calls(state, self._exceptions)
        self._branches = Branches(state, self._words)
        self._strings = string_switches(state.code, state.pool)
        self._literals = array_literals(state.code, state.pool)
        code, method = state.code, state.reached.method
        self._keeps_this = not method.is_static and not any(
            each.name == "astore" and each.number == 0 for each in code.instructions
        )

    @property
    def branches(self) -> dict[int, SourceBranch]:
        """The branches of the source, once it is lowered."""
        return self._branches.found

    def lines(self, scope: str) -> list[str]:
        """The function's text. `scope`: " !dbg !3"."""
        state = self._state
        before = stacks(state.code, state.pool)
        heads = self._heads()
        parts = list(self._parameters())
        written = {at for each in self._literals.values() for at in each.inside}
        for number, each in enumerate(state.code.instructions):
            if each.at in before and each.at not in written:
                self._one(each, before[each.at], heads, is_first=not number)
        self._exceptions.finish()
        result = kind_of(method_types(state.reached.method.descriptor)[1])
        given = ", ".join(f"{IR_TYPES[kind]} {name}" for kind, name, _ in parts)
        return [
            f"define {IR_TYPES[result] if result else 'void'} @{state.reached.symbol}({given}){scope} {{",
            *(f"  {name} = alloca {type_}" for name, type_ in state.slots.items()),
            *(f"  store {IR_TYPES[kind]} {name}, ptr {slot}" for kind, name, slot in parts),
            "  br label %b0",
            *state.text.lines,
            "}",
        ]

    def _parameters(self) -> Iterator[tuple[str, str, str]]:
        """Kind, name and slot of each."""
        state, number = self._state, 0
        if not state.reached.method.is_static:
            yield "A", "%this", state.slot("l", 0, "A")
            number = 1
        for type_ in method_types(state.reached.method.descriptor)[0]:
            kind = kind_of(type_)
            yield kind, f"%a{number}", state.slot("l", number, kind)
            number += 2 if kind in "JD" else 1

    def _heads(self) -> set[int]:
        """Where blocks begin."""
        code = self._state.code
        found = {0, *(handler.target for handler in code.handlers)}
        for each in code.instructions:
            found |= set(each.targets)
            if each.is_jump or each.name in LEAVING or each.name.endswith("return"):
                found.add(each.at + each.size)
        return found

    def _one(self, each: Instruction, stack: str, heads: set[int], *, is_first: bool) -> None:
        state = self._state
        state.before, state.at = state.at if not is_first else None, each
        state.text.where = state.place(0)
        if each.at in heads or is_first:
            state.text.start(f"b{each.at}")
            state.stack = [(kind, self._load("s", place, kind)) for place, kind in enumerate(stack)]
        self._lower(each)
        end = each.at + each.size
        if each.at in self._literals:
            self._objects.fill(self._literals[each.at].data)
            end = self._literals[each.at].end
        follows = each.name not in LEAVING and not each.name.endswith("return")
        if follows and not each.is_jump and end in heads:
            self._keep_stack()
            state.text.add(f"br label %b{end}")

    def _load(self, role: str, number: int, kind: str) -> str:
        return self._state.text.value(f"load {IR_TYPES[kind]}, ptr {self._state.slot(role, number, kind)}")

    def _keep_stack(self) -> None:
        """What lies on the stack goes on in another block."""
        for place, (kind, value) in enumerate(self._state.stack):
            slot = self._state.slot("s", place, kind)
            self._state.text.add(f"store {IR_TYPES[kind]} {value}, ptr {slot}")

    # -- instructions ---------------------------------------------------------------------------------------------

    def _lower(self, each: Instruction) -> None:
        state, name = self._state, each.name
        moved = rearranged(name, [kind for kind, _ in state.stack])
        if moved is not None:
            state.stack = [state.stack[place] for place in moved]
        elif name in _ARITHMETIC or name in _SHIFTS:
            self._arithmetic(name)
        elif name in _NEGATIONS:
            state.push(numbers.kind_of_prefix(name), numbers.negate(state.text, name, state.pop()))
        elif name in _COMPARISONS:
            other, one = state.pop(), state.pop()
            value = numbers.compare(state.text, name, one, other)
            self._branches.compared[value] = (name, one, other)
            state.push("I", value)
        elif len(name) == 3 and name[1] == "2":
            value = numbers.convert(state.text, name, state.pop())
            state.push({"l": "J", "f": "F", "d": "D"}.get(name[2], "I"), value)
        elif name[1:] == "load":
            self._local(each)
        elif name[1:] == "store":
            kind, value = state.stack.pop()
            state.text.add(f"store {IR_TYPES[kind]} {value}, ptr {state.slot('l', each.number, kind)}")
        elif name.endswith("return"):
            self._return(name)
        else:
            self._other(each)

    def _local(self, each: Instruction) -> None:
        state = self._state
        kind = kind_of({"i": "I", "l": "J", "f": "F", "d": "D"}.get(each.name[0], "A"))
        value = "%this" if each.number == 0 and self._keeps_this else self._load("l", each.number, kind)
        self._words.note_local(value, each.number, each.at)
        state.push(kind, value)

    def _arithmetic(self, name: str) -> None:
        state = self._state
        other, one = state.pop(), state.pop()
        kind = numbers.kind_of_prefix(name)
        if name in _DIVISIONS:
            type_ = IR_TYPES[kind]
            self._exceptions.check(state.text.value(f"icmp ne {type_} {other}, 0"), Check.DIVISOR)
            value = numbers.divide(state.text, name, one, other)
        elif name in _SHIFTS:
            value = numbers.shift(state.text, name, one, other)
        else:
            value = numbers.binary(state.text, name, one, other)
        self._words.note_operation(value, name, one, other)
        state.push(kind, value)

    def _return(self, name: str) -> None:
        state = self._state
        if name == "return":
            state.text.add("ret void")
            return
        kind, value = state.stack.pop()
        result = method_types(state.reached.method.descriptor)[1]
        if result in "ZBCS":
            value = self._narrowed(result, value)
        state.text.add(f"ret {IR_TYPES[kind]} {value}")

    def _narrowed(self, type_: str, value: str) -> str:
        """What a method of a narrow type gives: the JVM keeps the bits that fit."""
        text = self._state.text
        if type_ == "Z":
            return text.value(f"and i32 {value}, 1")
        return numbers.convert(text, f"i2{type_.lower()}", value)

    def _other(self, each: Instruction) -> None:
        state, name = self._state, each.name
        if name.startswith("ldc"):
            self._constant(each)
        elif "const_" in name and name != "aconst_null":
            self._small_constant(name)
        elif name in ("bipush", "sipush"):
            state.push("I", str(each.number))
        elif name == "iinc":
            slot = state.slot("l", each.number, "I")
            value = state.text.value(f"load i32, ptr {slot}")
            state.text.add(f"store i32 {state.text.value(f'add i32 {value}, {each.second}')}, ptr {slot}")
        elif name in ("goto", "goto_w"):
            self._keep_stack()
            state.text.add(f"br label %b{each.number}")
        elif each.at in self._strings.cases:
            self._end(self._string_switch)
        elif name.endswith("switch"):
            self._end(self._branches.switch)
        elif name.startswith("if"):
            self._end(lambda: self._branches.jump_if(f"b{each.at + each.size}"))
            if each.at in self._strings.compared:
                self._branches.found.pop(each.at, None)
        elif name == "aconst_null":
            state.push("A", "null")
        else:
            self._about_objects(each)

    def _end(self, write: Callable[[], None]) -> None:
        """The end of a block: what lies below the operands goes on."""
        state = self._state
        taken = 1 if "cmp" not in state.at.name else 2
        operands = state.stack[-taken:]
        state.stack = state.stack[:-taken]
        self._keep_stack()
        state.stack += operands
        write()

    def _string_switch(self) -> None:
        """A switch over the hash of a string: to the case that compares it with what it is."""
        state = self._state
        value, each = state.pop(), state.at
        for to, texts in self._strings.cases[each.at]:
            for units in texts:
                self._calls.named(EQUALS, [("A", value), ("A", state.module.string(units))])
                is_one = state.text.value(f"icmp ne i32 {state.pop()}, 0")
                other = state.text.label()
                state.text.add(f"br i1 {is_one}, label %b{to}, label %{other}")
                state.text.start(other)
        state.text.add(f"br label %b{each.number}")

    def _about_objects(self, each: Instruction) -> None:
        state, name, objects = self._state, each.name, self._objects
        if name in ("getstatic", "putstatic"):
            self._static()
        elif name == "new":
            self._calls.initialise(state.pool.class_name(each.number))
            objects.new()
        elif name == "invokedynamic":
            self._calls.dynamic()
        elif name.startswith("invoke"):
            self._call()
        elif name == "athrow":
            self._exceptions.throw(state.pop())
        elif name in ("monitorenter", "monitorexit"):
            self._exceptions.null_check(state.pop())
        else:
            self._simple(each, objects)

    def _simple(self, each: Instruction, objects: Objects) -> None:
        state, name = self._state, each.name
        if name == "getfield":
            below = self._words.of(state.stack[-1][1])
            objects.field()
            member = state.pool.member(each.number).name
            self._words.note(state.stack[-1][1], member if below == "this" else f"{below}.{member}" if below else "")
        elif name == "arraylength":
            below = self._words.of(state.stack[-1][1])
            objects.length()
            self._words.note(state.stack[-1][1], f"{below}.length" if below else "")
        elif name.endswith("aload"):
            array, index = (self._words.of(value) for _, value in state.stack[-2:])
            objects.element()
            self._words.note(state.stack[-1][1], f"{array}[{index}]" if array and index else "")
        else:
            others: dict[str, Callable[[], None]] = {
                "putfield": objects.field,
                "newarray": objects.new_array,
                "anewarray": objects.new_array,
                "multianewarray": objects.multiple_arrays,
                "checkcast": objects.cast,
                "instanceof": objects.is_instance,
                "nop": _nothing,
            }
            others.get(name, objects.store_element)()

    def _static(self) -> None:
        state = self._state
        member = state.pool.member(state.at.number)
        owner, found = state.world.static_field(member.owner, member.name, member.descriptor)
        if primitive := primitive_class(owner.name, found):
            state.push("A", state.module.class_object(primitive))
            return
        if not state.world.path.is_own(owner.name) and found.constant is None:
            value = known_static(owner.name, found.name)
            if value is not None:
                state.push(kind_of(found.descriptor), str(value))
                return
            is_followed = is_lowered(state.world.path, owner.name) and owner.method("<clinit>", "()V") is None
            if owner.name not in state.world.initialised and not is_followed:
                self._calls.refuse(f"the static field {owner.name.replace('/', '.')}.{found.name} of the Java runtime")
        self._calls.initialise(owner.name, for_field=True)
        self._objects.static()
        if state.at.name == "getstatic":
            self._words.note(state.stack[-1][1], found.name)

    def _call(self) -> None:
        state = self._state
        if state.at.at in self._strings.hashes:
            self._exceptions.null_check(state.stack[-1][1])
            state.push("I", state.pop())  # the switch behind it takes the string itself
            return
        member = state.pool.member(state.at.number)
        parameters, result = method_types(member.descriptor)
        given = [self._words.of(value) for _, value in state.stack[len(state.stack) - len(parameters) :]]
        depth = len(state.stack)
        self._calls.call()
        if result == "V" or len(state.stack) > depth + 1:
            return
        value = state.stack[-1][1]
        if all(given):
            self._words.note(value, f"{member.name}({', '.join(given)})")
        if result == "Z":
            self._branches.answers[value] = (value, "")

    def _constant(self, each: Instruction) -> None:
        state = self._state
        constant = state.pool.constant(each.number)
        if isinstance(constant, Int32 | Int64):
            state.push("I" if isinstance(constant, Int32) else "J", str(constant.value))
        elif isinstance(constant, Float32):
            state.push("F", float_text(constant.number))
        elif isinstance(constant, Float64):
            state.push("D", f"0x{constant.bits:016X}")
        elif isinstance(constant, StringConstant):
            state.push("A", state.module.string(constant.units))
            state.literals[state.stack[-1][1]] = constant.text
        elif isinstance(constant, ClassRef):
            state.push("A", state.module.class_object(constant.name))
            state.classes[state.stack[-1][1]] = constant.name
        else:
            self._calls.refuse(f"a constant of the class file in {state.reached.symbol}")
            state.push("A", "null")

    def _small_constant(self, name: str) -> None:
        kind = numbers.kind_of_prefix(name)
        text = name.rpartition("_")[2].replace("m", "-")
        self._state.push(kind, f"{text}.0" if kind in "FD" else text)


def _nothing() -> None:
    """nop."""


def float_text(value: float) -> str:
    """A float as LLVM writes it: by the bits of the double of the same value."""
    return f"0x{int.from_bytes(struct.pack('<d', value), 'little'):016X}"


def lowered_code(state: MethodState, scope: str) -> tuple[list[str], dict[int, SourceBranch]]:
    """The function of a method with code, and its branches by offset."""
    lowering = MethodLowering(state)
    return lowering.lines(scope), lowering.branches
