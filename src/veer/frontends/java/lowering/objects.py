"""Fields, arrays, new objects, and what asks for the class of one."""

from __future__ import annotations

from veer.frontends.java.classfile.opcodes import ELEMENT_TYPES
from veer.frontends.java.lowering.exceptions import Exceptions, class_test
from veer.frontends.java.lowering.kinds import kind_of
from veer.frontends.java.lowering.layout import size_of
from veer.frontends.java.lowering.names import field_symbol
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.world import ELEMENTS_AT, LENGTH_AT
from veer.frontends.java.traps import Check

_MEMORY = {"Z": "i8", "B": "i8", "C": "i16", "S": "i16", "I": "i32", "J": "i64", "F": "float", "D": "double"}
COPY = "llvm.memcpy.p0.p0.i64"
_ARRAY_TYPES = {"b": "B", "c": "C", "s": "S", "i": "I", "l": "J", "f": "F", "d": "D", "a": "A"}


def load(state: MethodState, type_: str, place: str) -> str:
    """The value of a type that lies at a place; narrow ones as ints."""
    text, memory = state.text, _MEMORY.get(type_, "ptr")
    value = text.value(f"load {memory}, ptr {place}")
    if memory in ("i8", "i16"):
        return text.value(f"{'zext' if type_ in 'ZC' else 'sext'} {memory} {value} to i32")
    return value


def store(state: MethodState, type_: str, place: str, value: str) -> None:
    """Writes it; of an int the bits that fit, of a boolean the lowest one."""
    text, memory = state.text, _MEMORY.get(type_, "ptr")
    if type_ == "Z":
        value = text.value(f"and i32 {value}, 1")
    if memory in ("i8", "i16"):
        value = text.value(f"trunc i32 {value} to {memory}")
    text.add(f"store {memory} {value}, ptr {place}")


class Objects:
    """The instructions of one method that are about objects."""

    def __init__(self, state: MethodState, exceptions: Exceptions) -> None:
        self._state = state
        self._exceptions = exceptions

    def field(self) -> None:
        """getfield, putfield."""
        state = self._state
        member = state.pool.member(state.at.number)
        value = state.pop() if state.at.name == "putfield" else ""
        object_ = state.pop()
        self._exceptions.null_check(object_)
        offset = state.layouts.offset(member.owner, member.name, member.descriptor)
        place = state.text.value(f"getelementptr i8, ptr {object_}, i64 {offset}")
        if value:
            store(state, member.descriptor, place, value)
        else:
            state.push(kind_of(member.descriptor), load(state, member.descriptor, place))

    def static(self) -> None:
        """getstatic, putstatic; the class is initialised already."""
        state = self._state
        member = state.pool.member(state.at.number)
        owner, found = state.world.static_field(member.owner, member.name, member.descriptor)
        place = field_symbol(owner.name, found.name)
        if state.at.name == "putstatic":
            store(state, member.descriptor, f"@{place}", state.pop())
        else:
            state.push(kind_of(member.descriptor), load(state, member.descriptor, f"@{place}"))

    def element(self) -> None:
        """iaload and its kin."""
        state = self._state
        type_ = _ARRAY_TYPES[state.at.name[0]]
        index, array = state.pop(), state.pop()
        place = self._place(array, index, type_)
        state.push(kind_of(type_), load(state, type_, place))

    def store_element(self) -> None:
        """iastore and its kin."""
        state, text = self._state, self._state.text
        type_ = _ARRAY_TYPES[state.at.name[0]]
        value, index, array = state.pop(), state.pop(), state.pop()
        place = self._place(array, index, type_)
        if type_ == "A":
            fits = text.value(
                f"call i1 @veer_call_java_storable(ptr {array}, ptr {value}, ptr {state.module.elements()})"
            )
            self._exceptions.check(fits, Check.STORE)
        if type_ == "B":  # bytes and booleans alike
            narrow = text.value(f"trunc i32 {value} to i8")
            text.add(f"store i8 {text.value(f'call i8 @veer_call_java_byte(ptr {array}, i8 {narrow})')}, ptr {place}")
        else:
            store(state, type_, place, value)

    def length(self) -> None:
        """arraylength."""
        array = self._state.pop()
        self._exceptions.null_check(array)
        self._state.push("I", self._length(array))

    def new(self) -> None:
        """new: all fields are zeros."""
        state = self._state
        state.push("A", state.made(state.pool.class_name(state.at.number)))

    def new_array(self) -> None:
        """newarray, anewarray."""
        state = self._state
        if state.at.name == "newarray":
            name = f"[{ELEMENT_TYPES[state.at.number]}"
        else:
            below = state.pool.class_name(state.at.number)
            name = f"[{below}" if below.startswith("[") else f"[L{below};"
        state.push("A", self._array(name, state.pop()))

    def fill(self, data: bytes) -> None:
        """The new array on the stack holds these bytes."""
        state = self._state
        first = state.text.value(f"getelementptr i8, ptr {state.stack[-1][1]}, i64 {ELEMENTS_AT}")
        given = f"ptr {first}, ptr {state.module.data(data)}, i64 {len(data)}, i1 false"
        state.text.add(f"call void @{COPY}({given})")

    def multiple_arrays(self) -> None:
        """multianewarray: all sizes are looked at before anything is made."""
        state = self._state
        name = state.pool.class_name(state.at.number)
        counts = [state.pop() for _ in range(state.at.second)][::-1]
        for count in counts:
            self._exceptions.check(state.text.value(f"icmp sge i32 {count}, 0"), Check.SIZE, count)
        state.push("A", self._nested(name, counts))

    def cast(self) -> None:
        """checkcast: null is of every class."""
        state, text = self._state, self._state.text
        value = state.stack[-1][1]
        is_one = self._is_instance(value, state.pool.class_name(state.at.number))
        is_null = text.value(f"icmp eq ptr {value}, null")
        self._exceptions.check(text.value(f"or i1 {is_one}, {is_null}"), Check.CAST)

    def is_instance(self) -> None:
        """instanceof: null is of no class."""
        state = self._state
        found = self._is_instance(state.pop(), state.pool.class_name(state.at.number))
        state.push("I", state.text.value(f"zext i1 {found} to i32"))

    def _is_instance(self, value: str, name: str) -> str:
        number = self._state.text.value(f"call i32 @veer_call_java_class(ptr {value})")
        return class_test(self._state, number, name)

    def _array(self, name: str, count: str) -> str:
        state = self._state
        self._exceptions.check(state.text.value(f"icmp sge i32 {count}, 0"), Check.SIZE, count)
        return self._raw_array(name, count)

    def _raw_array(self, name: str, count: str) -> str:
        size, number = size_of(name[1:]), self._state.number(name)
        return self._state.text.value(f"call ptr @veer_call_java_array(i32 {count}, i64 {size}, i32 {number})")

    def _nested(self, name: str, counts: list[str]) -> str:
        if len(counts) == 1:
            return self._raw_array(name, counts[0])
        state, text = self._state, self._state.text
        place = f"%n{len(counts)}"
        state.slots[place] = f"[{len(counts)} x i32]"
        for number, count in enumerate(counts):
            text.add(f"store i32 {count}, ptr {text.value(f'getelementptr i8, ptr {place}, i64 {4 * number}')}")
        numbers = state.module.dimensions(name, len(counts))
        given = f"ptr {place}, ptr {numbers}, i64 {size_of(name[len(counts) :])}, i32 {len(counts)}"
        return text.value(f"call ptr @veer_call_java_arrays({given})")

    def _length(self, array: str) -> str:
        place = self._state.text.value(f"getelementptr i8, ptr {array}, i64 {LENGTH_AT}")
        return self._state.text.value(f"load i32, ptr {place}")

    def _place(self, array: str, index: str, type_: str) -> str:
        """Where an element lies, once the array is not null and has it."""
        text = self._state.text
        self._exceptions.null_check(array)
        length = self._length(array)
        self._exceptions.check(text.value(f"icmp ult i32 {index}, {length}"), Check.BOUNDS, index, length)
        wide = text.value(f"zext i32 {index} to i64")
        offset = text.value(f"mul i64 {wide}, {size_of(type_)}")
        first = text.value(f"getelementptr i8, ptr {array}, i64 {ELEMENTS_AT}")
        return text.value(f"getelementptr i8, ptr {first}, i64 {offset}")
