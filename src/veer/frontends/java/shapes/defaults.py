"""Whether a constructor takes zeros and nulls: its bytecode is run on them, as far as that says what happens.

Item(String name, int price) { if (price <= 0) throw ...; this.name = requireNonNull(name); }      no
UnionFind(int n) { parent = new int[n]; for (int i = 0; i < n; i++) parent[i] = i; }               yes

A value is a number, NULL, SOME (an object), or UNKNOWN. What is not known, or may throw, is a no.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import Int32, Int64, MemberRef, StringConstant
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.shapes.statics import called

_MOST_STEPS, _DEEPEST = 2000, 8


class _Word(Enum):
    NULL = auto()
    SOME = auto()
    UNKNOWN = auto()


NULL, SOME, UNKNOWN = _Word.NULL, _Word.SOME, _Word.UNKNOWN
_Value = int | _Word
_CONSTANTS: dict[str, _Value] = {
    **{f"iconst_{number}": number for number in range(6)},
    **{f"{letter}const_{number}": number for letter in "lfd" for number in range(3)},
    **{"iconst_m1": -1, "aconst_null": NULL, "new": SOME, "getstatic": UNKNOWN},
}
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    **{"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b},
    **{"ge": lambda a, b: a >= b, "gt": lambda a, b: a > b, "le": lambda a, b: a <= b},
}
_TWO = ("add", "sub", "mul", "shl", "shr", "ushr", "and", "or", "xor")
_COMPARING = ("lcmp", "fcmpl", "fcmpg", "dcmpl", "dcmpg")
_SAME = ("checkcast", "i2l", "i2f", "i2d", "l2i", "l2f", "l2d", "f2d", "f2l", "f2i", "d2f", "d2l", "d2i")
"""What leaves small numbers and objects as they are."""
_POPPED = ("pop", "monitorenter", "monitorexit", "putstatic")
_SMALL = 1 << 30


class _MayThrowError(Exception):
    """What happens is not known, or it throws."""


def takes_defaults(path: ClassPath, owner: ClassFile, constructor: Method) -> bool:
    """Whether the constructor, or the static method that makes an object, returns where each number is 0 and each
    reference null, as far as this can tell."""
    types = method_types(constructor.descriptor)[0]
    own = [] if constructor.is_static else [SOME]
    given = [*own, *(NULL if each[0] in "L[" else 0 for each in types)]
    try:
        _Run(path).call(owner, constructor, given, 0)
    except _MayThrowError:
        return False
    return True


class _Run(Struct):
    """One run. `fields`: those of the object that is made, by name; all others are not known."""

    path: ClassPath
    steps: int = 0
    fields: dict[str, _Value] = field(default_factory=dict)

    def call(self, owner: ClassFile, method: Method, given: list[_Value], depth: int) -> _Value:
        """What a method of the user's returns."""
        code = method.code
        if code is None or depth == _DEEPEST:
            raise _MayThrowError
        places = {each.at: place for place, each in enumerate(code.instructions)}
        types = [*([] if method.is_static else ["L"]), *method_types(method.descriptor)[0]]
        slots, number = dict[int, _Value](), 0
        for type_, value in zip(types, given, strict=True):
            slots[number] = value
            number += 2 if type_ in ("J", "D") else 1
        stack, place = list[_Value](), 0
        while True:
            self.steps += 1
            each = code.instructions[place]
            if self.steps > _MOST_STEPS:
                raise _MayThrowError
            if each.name.endswith("return"):
                return stack.pop() if each.name != "return" else UNKNOWN
            target = self._step(each, owner, stack, slots, depth)
            place = places[target] if target is not None else place + 1

    def _step(
        self, each: Instruction, owner: ClassFile, stack: list[_Value], slots: dict[int, _Value], depth: int
    ) -> int | None:
        """The offset that it jumps to, if it does."""
        name = each.name
        if name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in ("bipush", "sipush"):
            stack.append(each.number)
        elif name.startswith("ldc"):
            stack.append(_constant(owner, each.number))
        elif name[1:] == "load" and name[0] in "ilfda":
            stack.append(slots.get(each.number, UNKNOWN))
        elif name[1:] == "store" and name[0] in "ilfda":
            slots[each.number] = stack.pop()
        elif name == "iinc":
            slots[each.number] = _sum(slots.get(each.number, UNKNOWN), each.second)
        elif name == "dup":
            stack.append(stack[-1])
        elif name in _POPPED:
            stack.pop()
        elif name in _SAME or name == "nop":
            pass
        elif name[1:] in _TWO:
            right, left = stack.pop(), stack.pop()
            stack.append(_sum(left, right) if name[1:] == "add" else UNKNOWN)
        elif name in _COMPARING:
            right, left = stack.pop(), stack.pop()
            are_known = isinstance(left, int) and isinstance(right, int)
            stack.append((left > right) - (left < right) if are_known else UNKNOWN)  # type: ignore[operator]
        elif each.is_jump:
            return self._jump(each, stack)
        else:
            self._other(each, owner, stack, depth)
        return None

    @staticmethod
    def _jump(each: Instruction, stack: list[_Value]) -> int | None:
        if each.name.startswith("goto"):
            return each.number
        one: _Value = stack.pop()
        if each.name in ("ifnull", "ifnonnull"):
            if not isinstance(one, _Word) or one is UNKNOWN:
                raise _MayThrowError
            return each.number if (one is NULL) == (each.name == "ifnull") else None
        other: _Value = 0
        if each.name.startswith("if_icmp"):
            one, other = stack.pop(), one
        if not isinstance(one, int) or not isinstance(other, int) or each.name.startswith(("if_acmp", "jsr")):
            raise _MayThrowError
        if each.name.endswith("switch"):
            return dict(each.cases).get(one, each.number)
        return each.number if _COMPARED[each.name[-2:]](one, other) else None

    def _other(self, each: Instruction, owner: ClassFile, stack: list[_Value], depth: int) -> None:
        """Fields, arrays and calls."""
        if each.name == "putfield":
            value, holder = stack.pop(), stack.pop()
            if holder is not SOME:
                raise _MayThrowError
            self.fields[owner.pool.member(each.number).name] = value
        elif each.name == "getfield":
            if stack.pop() is not SOME:
                raise _MayThrowError
            stack.append(self.fields.get(owner.pool.member(each.number).name, UNKNOWN))
        elif each.name in ("newarray", "anewarray"):
            length = stack.pop()
            if not isinstance(length, int) or not 0 <= length < _SMALL:
                raise _MayThrowError
            stack.append(SOME)
        elif each.name == "invokedynamic":
            types, _ = method_types(owner.pool.dynamic(each.number).descriptor)
            del stack[len(stack) - len(types) :]
            stack.append(SOME)
        elif each.name.startswith("invoke"):
            member = owner.pool.member(each.number)
            self._called(member, stack, depth, has_object=each.name != "invokestatic")
        else:
            raise _MayThrowError

    def _called(self, member: MemberRef, stack: list[_Value], depth: int, *, has_object: bool) -> None:
        types, result = method_types(member.descriptor)
        count = len(types) + has_object
        given = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        if has_object and given[0] is not SOME:
            raise _MayThrowError
        found = called(self.path, member)
        if found is not None:
            value = self.call(*found, given, depth + 1)
        elif not any(each is NULL for each in given) and (not types or has_object):
            value = UNKNOWN  # of the runtime, with what is there
        else:
            raise _MayThrowError
        if result != "V":
            stack.append(value)


def _sum(left: _Value, right: _Value) -> _Value:
    if not isinstance(left, int) or not isinstance(right, int) or abs(left + right) >= _SMALL:
        return UNKNOWN
    return left + right


def _constant(owner: ClassFile, number: int) -> _Value:
    found = owner.pool.constant(number)
    if isinstance(found, Int32 | Int64):
        return found.value
    return SOME if isinstance(found, StringConstant) else UNKNOWN
