"""Call sites whose code the JVM makes when they run first: lambdas, method references, the methods of records.

    x -> x + n          a class with the field c0 = n, whose method calls the lambda's own one
    record P(int a)     static methods equals, hashCode, toString, which look at each component
    case Circle c       a static method that says which label fits (patternswitches.py)

Both are written as class files (`classfile/writing.py`), so that they are lowered as all others are. What the classes
of lambdas do is said in LambdaMetafactory's documentation, what methods of records do in ObjectMethods'.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.frontends.java.classfile.constants import (
    ClassRef,
    Int32,
    MemberRef,
    MethodHandle,
    MethodTypeRef,
    StringConstant,
)
from veer.frontends.java.classfile.descriptors import class_of, is_reference, method_types, type_of
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.classfile.writing import Assembly, ClassWriter, words
from veer.frontends.java.lowering.patternswitches import SWITCHES, pattern_switch

_LAMBDAS = "java/lang/invoke/LambdaMetafactory"
_RECORDS = "java/lang/runtime/ObjectMethods"
_OBJECT, _STRING, _BUILDER = "java/lang/Object", "java/lang/String", "java/lang/StringBuilder"
MADE = "$$Veer"
"""Between the name of a class and the number of its call site: the class that veer wrote for it."""
_BOXES = {
    **{"Z": ("java/lang/Boolean", "booleanValue"), "B": ("java/lang/Byte", "byteValue")},
    **{"C": ("java/lang/Character", "charValue"), "S": ("java/lang/Short", "shortValue")},
    **{"I": ("java/lang/Integer", "intValue"), "J": ("java/lang/Long", "longValue")},
    **{"F": ("java/lang/Float", "floatValue"), "D": ("java/lang/Double", "doubleValue")},
}
_BOXED = {name: letter for letter, (name, _) in _BOXES.items()}
_SERIALIZABLE, _MARKERS, _BRIDGES = 1, 2, 4
"""Flags of altMetafactory: one more interface; what follows are more interfaces, more descriptors."""
_STATIC, _SPECIAL, _NEW, _INTERFACE = 6, 7, 8, 9


class CallSite(Struct, frozen=True):
    """The class that was written for a call site, and its static method that stands in the place of the call."""

    made: ClassFile
    member: MemberRef


def call_site(owner: ClassFile, number: int) -> CallSite | None:
    """What the call site with this number in the constant pool runs; None where veer does not know it."""
    site = owner.pool.dynamic(number)
    if site.bootstrap >= len(owner.bootstraps):
        return None
    bootstrap = owner.bootstraps[site.bootstrap]
    factory = bootstrap.method.member
    name = f"{owner.name}{MADE}{number}"
    if factory.owner == _LAMBDAS:
        return _lambda(name, owner.source, site.name, site.descriptor, bootstrap.arguments)
    if factory.owner == _RECORDS:
        return _record_method(name, owner.source, site.name, site.descriptor, bootstrap.arguments)
    if factory.owner == SWITCHES:
        switch = pattern_switch(name, owner, factory.name, site.descriptor, bootstrap.arguments)
        return CallSite(switch, MemberRef(name, factory.name, site.descriptor)) if switch is not None else None
    return None


# -- lambdas ----------------------------------------------------------------------------------------------------------


def _lambda(name: str, source: str, method: str, descriptor: str, arguments: Sequence[object]) -> CallSite | None:
    if len(arguments) < 3:
        return None
    erased, handle, actual, *more = arguments
    if not (
        isinstance(erased, MethodTypeRef) and isinstance(handle, MethodHandle) and isinstance(actual, MethodTypeRef)
    ):
        return None
    captured, interface = method_types(descriptor)
    interfaces, bridges = _extras(more)
    writer = ClassWriter(name, interfaces=[class_of(interface), *interfaces], source=source)
    fields = [writer.add_field(f"c{place}", type_) for place, type_ in enumerate(captured)]
    for form in dict.fromkeys((erased.descriptor, *bridges)):
        code = writer.code()
        _forward(code, fields, form, handle, actual.descriptor)
        writer.add_method(method, form, code, is_static=False)
    make = writer.code()
    make.of_class("new", name)
    number = 0
    for each in fields:
        make.plain("dup")
        make.load(each.descriptor, number)
        make.of_field("putfield", each)
        number += words([each.descriptor])
    make.leave(interface)
    writer.add_method("make", descriptor, make, is_static=True)
    return CallSite(writer.made(), MemberRef(name, "make", descriptor))


def _extras(more: Sequence[object]) -> tuple[list[str], list[str]]:
    """What altMetafactory is given beside: interfaces, descriptors of bridges."""
    numbers = list(more)
    if not numbers or not isinstance(numbers[0], Int32):
        return [], []
    flags, at = numbers[0].value, 1
    interfaces = ["java/io/Serializable"] if flags & _SERIALIZABLE else []
    bridges: list[str] = []
    for flag in (_MARKERS, _BRIDGES):
        count = numbers[at] if flags & flag and at < len(numbers) else None
        if not isinstance(count, Int32):
            continue
        part = numbers[at + 1 : at + 1 + count.value]
        at += 1 + count.value
        interfaces += [each.name for each in part if isinstance(each, ClassRef)]
        bridges += [each.descriptor for each in part if isinstance(each, MethodTypeRef)]
    return interfaces, bridges


def _forward(code: Assembly, fields: Sequence[MemberRef], erased: str, handle: MethodHandle, actual: str) -> None:
    """Calls what the handle names with the captured values and the arguments."""
    member = handle.member
    taken, given = method_types(member.descriptor)
    if handle.kind == _NEW:
        code.of_class("new", member.owner)
        code.plain("dup")
        given = type_of(member.owner)
    elif handle.kind != _STATIC:
        taken = (type_of(member.owner), *taken)
    for each, to in zip(fields, taken, strict=False):
        code.load("L", 0)
        code.of_field("getfield", each)
        _converted(code, each.descriptor, to)
    number = 1
    (erased_types, erased_result), (actual_types, actual_result) = method_types(erased), method_types(actual)
    for from_, between, to in zip(erased_types, actual_types, taken[len(fields) :], strict=False):
        code.load(from_, number)
        number += words([from_])
        _converted(code, from_, between)
        _converted(code, between, to)
    names = {_STATIC: "invokestatic", _SPECIAL: "invokespecial", _NEW: "invokespecial", _INTERFACE: "invokeinterface"}
    code.call(names.get(handle.kind, "invokevirtual"), member)
    if erased_result == "V":
        if given != "V":
            code.plain("pop2" if given in "JD" else "pop")
    else:
        _converted(code, given, actual_result if actual_result != "V" else erased_result)
    code.leave(erased_result)


def _converted(code: Assembly, from_: str, to: str) -> None:
    """The value on top of the stack as one of another type: wider, boxed, unboxed, cast."""
    if from_ == to:
        return
    if is_reference(from_) and is_reference(to):
        if class_of(to) != _OBJECT:
            code.of_class("checkcast", class_of(to))
    elif is_reference(to):
        box = _BOXES[from_][0]
        code.call("invokestatic", MemberRef(box, "valueOf", f"({from_})L{box};"))
    elif is_reference(from_):
        letter = _BOXED.get(class_of(from_), to)
        box, value = _BOXES[letter]
        if class_of(from_) != box:
            code.of_class("checkcast", box)
        code.call("invokevirtual", MemberRef(box, value, f"(){letter}"))
        _converted(code, letter, to)
    else:
        _widened(code, from_, to)


def _widened(code: Assembly, from_: str, to: str) -> None:
    kinds = {"J": "l", "F": "f", "D": "d"}
    one, other = kinds.get(from_, "i"), kinds.get(to, "i")
    if one != other:
        code.plain(f"{one}2{other}")


# -- records ----------------------------------------------------------------------------------------------------------


def _record_method(
    name: str, source: str, method: str, descriptor: str, arguments: Sequence[object]
) -> CallSite | None:
    if len(arguments) < 2 or not isinstance(arguments[0], ClassRef) or not isinstance(arguments[1], StringConstant):
        return None
    owner = arguments[0].name
    fields = [each.member for each in arguments[2:] if isinstance(each, MethodHandle)]
    names = [each for each in arguments[1].text.split(";") if each]
    if len(names) != len(fields):
        return None
    writers = {"hashCode": _hash_code, "equals": _equals, "toString": _to_string}
    if method not in writers:
        return None
    writer = ClassWriter(name, source=source)
    code = writer.code()
    writers[method](code, owner, list(zip(names, fields, strict=True)))
    writer.add_method(method, descriptor, code, is_static=True)
    return CallSite(writer.made(), MemberRef(name, method, descriptor))


_Components = Sequence[tuple[str, MemberRef]]


def _component(code: Assembly, number: int, member: MemberRef) -> None:
    code.load("L", number)
    code.of_field("getfield", member)


def _hash_code(code: Assembly, owner: str, components: _Components) -> None:
    code.number(0)
    for _, member in components:
        code.number(31)
        code.plain("imul")
        _component(code, 0, member)
        type_ = member.descriptor
        if is_reference(type_):
            code.call("invokestatic", MemberRef("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I"))
        else:
            code.call("invokestatic", MemberRef(_BOXES[type_][0], "hashCode", f"({type_})I"))
        code.plain("iadd")
    code.leave("I")


def _equals(code: Assembly, owner: str, components: _Components) -> None:
    code.load("L", 0)
    code.load("L", 1)
    is_same = code.jump("if_acmpeq")
    code.load("L", 1)
    code.of_class("instanceof", owner)
    others = [code.jump("ifeq")]
    if components:
        code.load("L", 1)
        code.of_class("checkcast", owner)
        code.store("L", 2)
    for _, member in components:
        _component(code, 0, member)
        _component(code, 2, member)
        type_ = member.descriptor
        if is_reference(type_):
            objects = "(Ljava/lang/Object;Ljava/lang/Object;)Z"
            code.call("invokestatic", MemberRef("java/util/Objects", "equals", objects))
            others.append(code.jump("ifeq"))
        elif type_ in "FD":
            code.call("invokestatic", MemberRef(_BOXES[type_][0], "compare", f"({type_}{type_})I"))
            others.append(code.jump("ifne"))
        elif type_ == "J":
            code.plain("lcmp")
            others.append(code.jump("ifne"))
        else:
            others.append(code.jump("if_icmpne"))
    code.land(is_same)
    code.number(1)
    code.leave("I")
    for each in others:
        code.land(each)
    code.number(0)
    code.leave("I")


def _to_string(code: Assembly, owner: str, components: _Components) -> None:
    code.of_class("new", _BUILDER)
    code.plain("dup")
    code.call("invokespecial", MemberRef(_BUILDER, "<init>", "()V"))
    before = owner.rpartition("/")[2].rpartition("$")[2].lstrip("0123456789") + "["  # of a local class: 1Pair
    for name, member in components:
        _append_text(code, f"{before}{name}=")
        _component(code, 0, member)
        type_ = member.descriptor
        appended = {"B": "I", "S": "I"}.get(type_, "Ljava/lang/Object;" if is_reference(type_) else type_)
        code.call("invokevirtual", MemberRef(_BUILDER, "append", f"({appended})L{_BUILDER};"))
        before = ", "
    _append_text(code, "]" if components else f"{before}]")
    code.call("invokevirtual", MemberRef(_BUILDER, "toString", f"()L{_STRING};"))
    code.leave("L")


def _append_text(code: Assembly, text: str) -> None:
    code.string(text)
    code.call("invokevirtual", MemberRef(_BUILDER, "append", f"(L{_STRING};)L{_BUILDER};"))
