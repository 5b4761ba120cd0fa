"""Calls: direct where one method alone can be meant, else through a table by the class of the object."""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.descriptors import method_types, words
from veer.frontends.java.lowering import concatenation
from veer.frontends.java.lowering.cuts import KNOWN_TO_RUNTIME, LIBM, OFFSET_OF_FIELD, REFUSE, not_supported
from veer.frontends.java.lowering.exceptions import Exceptions
from veer.frontends.java.lowering.kinds import IR_TYPES, ZEROS, kind_of
from veer.frontends.java.lowering.names import once_symbol
from veer.frontends.java.lowering.specialised import specialised
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.world import Reached

STRING_TYPE = "Ljava/lang/String;"
_ASSERTIONS = MemberRef("java/lang/Class", "desiredAssertionStatus", "()Z")


class Calls:
    """The calls of one method, and the initialisation of classes."""

    def __init__(self, state: MethodState, exceptions: Exceptions) -> None:
        self._state = state
        self._exceptions = exceptions

    def call(self) -> None:
        """invokestatic, invokespecial, invokevirtual, invokeinterface."""
        state = self._state
        member = state.pool.member(state.at.number)
        parameters, result = method_types(member.descriptor)
        arguments = [(kind_of(type_), state.pop()) for type_ in reversed(parameters)][::-1]
        is_virtual = state.at.name in ("invokevirtual", "invokeinterface")
        if state.at.name != "invokestatic":
            arguments.insert(0, ("A", state.pop()))
        known = self._known(member)
        if known is not None:
            state.push(kind_of(result), str(known))
            return
        if state.at.name != "invokestatic":
            self._exceptions.null_check(arguments[0][1])
        instead = specialised(state.before, state.at, state.code, state.pool)
        if instead is not None:
            self.named(instead, arguments)
            return
        find = state.world.fixed if is_virtual else state.world.resolve
        found = find(member.owner, member.name, member.descriptor)
        if found is not None:
            if state.at.name == "invokestatic":
                self.initialise(found[0].name)
            self._direct(state.world.reach(*found), arguments, result)
        elif is_virtual:
            self._virtual(member, arguments, result)
        else:
            name = f"{member.owner.replace('/', '.')}.{member.name}"
            self.refuse(self._left_out(member) or f"{name}, which is not on the class path")
            self._push_zero(result)

    def _known(self, member: MemberRef) -> int | None:
        """What a method gives, where that is known before it runs: whether assertions are on; what the runtime's own
        code asks of the machine."""
        is_own = self._state.world.path.is_own(self._state.reached.owner.name)
        if member == _ASSERTIONS:
            return int(is_own)
        return None if is_own else KNOWN_TO_RUNTIME.get(member[:3])

    def dynamic(self) -> None:
        """invokedynamic: concatenation, lambdas, methods of records; the rest is not supported yet."""
        state = self._state
        parameters, result = method_types(state.pool.dynamic(state.at.number).descriptor)
        arguments = [(type_, state.pop()) for type_ in reversed(parameters)][::-1]
        owner = state.reached.owner
        pieces = concatenation.pieces(owner, state.at.number)
        is_joined = concatenation.is_concatenation(owner, state.at.number)
        site = None if is_joined else state.world.site(owner, state.at.number)
        if site is not None:
            self.named(site.member, [(kind_of(type_), value) for type_, value in arguments])
        elif pieces is None:
            self.refuse(f"{self._dynamic_name()} in {state.reached.symbol}")
            self._push_zero(result)
        elif self._is_printed():
            self._tell(arguments)
        else:
            self._concatenate(pieces, iter(arguments))

    def _dynamic_name(self) -> str:
        """What an invokedynamic that is not supported is called."""
        owner, number = self._state.reached.owner, self._state.at.number
        if not concatenation.is_concatenation(owner, number):
            return "invokedynamic"
        others = concatenation.not_written(owner, number)
        return f"a string joined with {' and '.join(map(words, others))}" if others else "invokedynamic"

    def _concatenate(self, pieces: list[concatenation.Piece], arguments: Iterator[tuple[str, str]]) -> None:
        """The string is on top of the stack behind it."""
        state = self._state
        builder = state.made(concatenation.BUILDER)
        self.named(concatenation.MADE, [("A", builder)])
        for each in pieces:
            type_, value = next(arguments) if each is None else (STRING_TYPE, state.module.string(each))
            self.named(concatenation.append(type_), [("A", builder), (kind_of(type_), value)])
            state.pop()
        self.named(concatenation.WRITTEN, [("A", builder)])

    def _is_printed(self) -> bool:
        """Whether nothing but veer's own standard output gets the string that is joined here."""
        state = self._state
        member = concatenation.printing(state.at, state.code, state.pool)
        if member is None or not state.world.path.is_own(state.reached.owner.name):
            return False
        targets = state.world.targets(member.owner, member.name, member.descriptor).values()
        return all(state.world.path.is_core(each.owner.name) for each in targets)

    def _tell(self, arguments: list[tuple[str, str]]) -> None:
        """Objects make their texts; the string is an empty one."""
        for type_, value in arguments:
            if concatenation.is_object(type_):
                self.named(concatenation.TOLD, [("A", value)])
        self._state.push("A", self._state.module.string(()))

    def named(self, member: MemberRef, arguments: list[tuple[str, str]]) -> None:
        """A call of one certain method."""
        found = self._state.world.resolve(member.owner, member.name, member.descriptor)
        assert found is not None
        self._direct(self._state.world.reach(*found), arguments, method_types(member.descriptor)[1])

    def initialise(self, name: str, *, for_field: bool = False) -> None:
        """A class is used: its initialiser has run, or runs now; of the runtime, where a static field is read."""
        state = self._state
        is_own = state.world.path.is_own
        if not for_field and not is_own(name):
            return
        here = {each.name for each in state.world.superclasses(state.reached.owner.name) if is_own(each.name)}
        for each in state.world.superclasses(name):
            if each.name in state.world.initialised and each.name not in here:
                self._exceptions.begin_call()
                state.text.add(f"call void @{once_symbol(each)}()")
                self._exceptions.end_call()
                return  # those above come before it

    def refuse(self, why: str) -> None:
        """The run ends here as unsupported."""
        self._state.text.add(f"call void @veer_refuse(ptr {self._state.module.text(why)})")

    def _offset_of_field(self, class_: str, name: str) -> None:
        """A call of Unsafe.objectFieldOffset with a class and a name that are literals, as the runtime writes them."""
        state = self._state
        if class_ not in state.classes or name not in state.literals:
            self.refuse("the offset of a field that is not named at its place")
            state.push("J", "0")
            return
        owner, wanted = state.classes[class_], state.literals[name]
        found = next(each for each in state.world.type(owner).fields if each.name == wanted)
        state.push("J", str(state.layouts.offset(owner, wanted, found.descriptor)))

    def _left_out(self, member: MemberRef) -> str:
        """The words for a method that veer's own class in the place of the runtime's does not have; else empty."""
        world = self._state.world
        if not world.path.is_core(member.owner) or world.resolve(member.owner, member.name, member.descriptor):
            return ""
        return not_supported(member.owner, member.name)

    def _refuse_literal(self, value: str) -> None:
        """A call of Engine.refuse with a literal."""
        self.refuse(self._state.literals.get(value, "something that veer's core does not follow"))

    def _virtual(self, member: MemberRef, arguments: list[tuple[str, str]], result: str) -> None:
        state = self._state
        if state.module.is_shared:
            self._through_table(member, arguments, result)
            return
        targets = state.world.targets(member.owner, member.name, member.descriptor)
        if not targets:
            name = f"{member.owner.replace('/', '.')}.{member.name}"
            self.refuse(self._left_out(member) or f"a call of {name}, of which veer made no object")
            self._push_zero(result)
            return
        only = {each.symbol: each for each in targets.values()}
        if len(only) == 1:
            self._direct(next(iter(only.values())), arguments, result)
            return
        self._through_table(member, arguments, result)

    def _through_table(self, member: MemberRef, arguments: list[tuple[str, str]], result: str) -> None:
        state, text = self._state, self._state.text
        table = state.module.dispatch((member.owner, member.name, member.descriptor))
        number = text.value(f"load i32, ptr {arguments[0][1]}")
        wide = text.value(f"zext i32 {number} to i64")
        place = text.value(f"getelementptr ptr, ptr {table}, i64 {wide}")
        self._make(text.value(f"load ptr, ptr {place}"), arguments, result)

    def _direct(self, target: Reached, arguments: list[tuple[str, str]], result: str) -> None:
        if (target.owner.name, *target.method.key) == REFUSE:
            self._refuse_literal(arguments[0][1])
            return
        if (target.owner.name, *target.method.key) == OFFSET_OF_FIELD:
            self._offset_of_field(arguments[1][1], arguments[2][1])
            return
        if target.replacement == "nothing":
            return
        if target.replacement.startswith(LIBM):
            given = ", ".join(f"double {value}" for _, value in arguments)
            name = target.replacement.removeprefix(LIBM)
            self._state.push("D", self._state.text.value(f"call double @{name}({given})"))
            return
        if target.why_cut:
            self.refuse(target.why_cut)
            self._push_zero(result)
            return
        self._make(f"@{target.symbol}", arguments, result)

    def _make(self, function: str, arguments: list[tuple[str, str]], result: str) -> None:
        state, text = self._state, self._state.text
        given = ", ".join(f"{IR_TYPES[kind]} {value}" for kind, value in arguments)
        kind = kind_of(result)
        self._exceptions.begin_call()
        if kind:
            value = text.value(f"call {IR_TYPES[kind]} {function}({given})")
            self._exceptions.end_call()
            state.push(kind, value)
        else:
            text.add(f"call void {function}({given})")
            self._exceptions.end_call()

    def _push_zero(self, result: str) -> None:
        if kind := kind_of(result):
            self._state.push(kind, ZEROS[kind])
