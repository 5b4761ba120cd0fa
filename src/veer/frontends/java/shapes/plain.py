"""Code that does nothing but set fields: constructors and setters by which tests build the objects that they need.

Node(int value, Node next) { this.value = value; this.next = next; }     value from 0, next from 1
void setNext(Node next) { this.next = next; }                            next
Node(byte value) { this.value = value; }                                 none: not every int can be put into `value`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile, Method

FieldKey = tuple[str, str]
"""The class that declares a field, and the field's name."""
INIT = "<init>"
_OBJECTS = ("java/lang/Object", "java/lang/Record")
_CONSTANTS = ("aconst_null", "iconst_", "lconst_", "fconst_", "dconst_", "bipush", "sipush", "ldc")
_LOADS = ("iload", "lload", "fload", "dload", "aload")
_KEEPING = ("putfield", "ifnull", "ifnonnull")
FindClass = Callable[[str], ClassFile | None]


class PlainConstructor(Struct, frozen=True):
    """A constructor that only sets fields. `given`: the field that each parameter is put into; `constant`: fields that
    get a constant."""

    method: Method
    given: tuple[FieldKey, ...]
    constant: frozenset[FieldKey] = field(default_factory=frozenset)


def plain_constructors(owner: ClassFile, find: FindClass) -> Iterator[PlainConstructor]:
    """All of a class whose parameters each go into a field of their own."""
    for method in owner.methods:
        if method.name == INIT and (found := _constructor(owner, method, find)) is not None:
            yield found


def plain_setter(owner: ClassFile, method: Method) -> FieldKey | None:
    """The field that a method of one parameter sets, when it does nothing else."""
    types, result = method_types(method.descriptor)
    code = method.code
    if method.is_static or result != "V" or len(types) != 1 or code is None or code.handlers:
        return None
    steps = list(code.instructions)
    if len(steps) != 4 or not _is_this(steps[0]) or steps[1].name not in _LOADS or steps[1].number != 1:
        return None
    if steps[2].name != "putfield" or steps[3].name != "return":
        return None
    member = owner.pool.member(steps[2].number)
    return (owner.name, member.name) if (member.owner, member.descriptor) == (owner.name, types[0]) else None


def _constructor(owner: ClassFile, method: Method, find: FindClass) -> PlainConstructor | None:
    code = method.code
    if code is None or code.handlers:
        return None
    steps = list(code.instructions)
    if len(steps) < 3 or not _is_this(steps[0]) or steps[1].name != "invokespecial" or steps[-1].name != "return":
        return None
    constant = _above(owner, steps[1], find)
    rest = steps[2:-1]
    if constant is None or len(rest) % 3:
        return None
    numbers, types = _numbers(method), method_types(method.descriptor)[0]
    given: dict[int, FieldKey] = {}
    for object_, value, put in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        if not _is_this(object_) or put.name != "putfield":
            return None
        member = owner.pool.member(put.number)
        key = (owner.name, member.name)
        if member.owner != owner.name or key in given.values():
            return None
        place = numbers.get(value.number) if value.name in _LOADS else None
        if place is not None and place not in given and types[place] == member.descriptor:
            given[place] = key
            constant.discard(key)
        elif value.name.startswith(_CONSTANTS):
            constant.add(key)
        else:
            return None
    if len(given) != len(numbers):
        return None
    return PlainConstructor(method, tuple(given[place] for place in range(len(given))), frozenset(constant))


def _above(owner: ClassFile, call: Instruction, find: FindClass) -> set[FieldKey] | None:
    """The fields that the superclass's constructor without parameters sets; None where it does more."""
    member = owner.pool.member(call.number)
    if member.owner != owner.above or member.name != INIT or member.descriptor != "()V":
        return None
    if member.owner in _OBJECTS:
        return set()
    above = find(member.owner)
    method = above.method(INIT, "()V") if above is not None else None
    found = _constructor(above, method, find) if above is not None and method is not None else None
    return set(found.constant) if found is not None else None


def _is_this(each: Instruction) -> bool:
    return each.name == "aload" and each.number == 0


def only_kept(owner: ClassFile, method: Method) -> frozenset[int]:
    """The places of the parameters with which a constructor does nothing but keep them in a field that it does not look
    at, or ask whether they are null: it takes null for them."""
    steps = method.code.instructions if method.code is not None else ()
    read = {owner.pool.member(each.number).name for each in steps if each.name == "getfield"}
    looked_at = set()
    for one, after in pairwise(steps):
        is_read = after.name == "putfield" and owner.pool.member(after.number).name in read
        if one.name == "aload" and (after.name not in _KEEPING or is_read):
            looked_at.add(one.number)
    return frozenset(place for number, place in _numbers(method).items() if number not in looked_at)


def _numbers(method: Method) -> dict[int, int]:
    """Local variable → place among the parameters."""
    found, number = {}, 1
    for place, type_ in enumerate(method_types(method.descriptor)[0]):
        found[number] = place
        number += 2 if type_ in "JD" else 1
    return found
