"""`switch` over types and patterns (JEP 441, JEP 440) as Java's own instructions say it.

    case Circle c -> ...     typeSwitch(Object of, int from): the first label from `from` on that fits
    case "a" -> ...          (null: -1, none: as many as there are labels)
    case RED -> ...          enumSwitch: the same of an enum, whose labels are the names of constants

What the JVM does is said in java.lang.runtime.SwitchBootstraps' documentation. Labels are classes, strings, numbers
(of an Integer, Short, Byte or Character) and constants of enums; a switch with others is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veer.frontends.java.classfile.constants import ClassRef, Dynamic, Int32, MemberRef, StringConstant
from veer.frontends.java.classfile.descriptors import class_of, is_reference, method_types, type_of
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.classfile.writing import Assembly, ClassWriter

SWITCHES = "java/lang/runtime/SwitchBootstraps"
_TYPES, _ENUMS = "typeSwitch", "enumSwitch"
_DESCRIPTION, _CONSTANTS = "java/lang/Enum$EnumDesc", "java/lang/invoke/ConstantBootstraps"
_CLASS_DESCRIPTION = "java/lang/constant/ClassDesc"
_STRING, _NUMBER, _CHARACTER = "java/lang/String", "java/lang/Number", "java/lang/Character"
_ASCII = 0x80

Test = Callable[[Assembly], Sequence[int]]
"""Writes a test of local variable 0; gives the jumps that are taken where it does not hold."""


def pattern_switch(
    name: str, owner: ClassFile, method: str, descriptor: str, labels: Sequence[object]
) -> ClassFile | None:
    """A class with the static method `method`, which says which label fits; None where veer does not know a label."""
    types = method_types(descriptor)[0]
    if len(types) != 2 or not is_reference(types[0]) or method not in (_TYPES, _ENUMS):
        return None
    enum = class_of(types[0]) if method == _ENUMS else ""
    tests = [_test(each, owner, enum) for each in labels]
    known = [each for each in tests if each is not None]
    if len(known) != len(tests):
        return None
    writer = ClassWriter(name, source=owner.source)
    code = writer.code()
    code.load("L", 0)
    is_there = code.jump("ifnonnull")
    code.number(-1)
    code.leave("I")
    code.land(is_there)
    for number, test in enumerate(known):
        code.load("I", 1)
        code.number(number)
        others = [code.jump("if_icmpgt"), *test(code)]
        code.number(number)
        code.leave("I")
        for each in others:
            code.land(each)
    code.number(len(known))
    code.leave("I")
    writer.add_method(method, descriptor, code, is_static=True)
    return writer.made()


def _test(label: object, owner: ClassFile, enum: str) -> Test | None:
    if isinstance(label, ClassRef):
        return lambda code: _is_instance(code, label.name)
    if isinstance(label, StringConstant) and enum:
        return _constant(enum, label.text)
    if isinstance(label, StringConstant) and all(unit < _ASCII for unit in label.units):
        return lambda code: _equals(code, label.text)
    if isinstance(label, Int32):
        return lambda code: _is_number(code, label.value)
    if isinstance(label, Dynamic):
        return _described(label, owner)
    return None


def _is_instance(code: Assembly, name: str) -> list[int]:
    code.load("L", 0)
    code.of_class("instanceof", name)
    return [code.jump("ifeq")]


def _equals(code: Assembly, text: str) -> list[int]:
    code.string(text)
    code.load("L", 0)
    code.call("invokevirtual", MemberRef(_STRING, "equals", "(Ljava/lang/Object;)Z"))
    return [code.jump("ifeq")]


def _is_number(code: Assembly, value: int) -> list[int]:
    """A box of a number, or of a character, with this value."""
    others = []
    ends = []
    for name, read in ((_NUMBER, "intValue"), (_CHARACTER, "charValue")):
        code.load("L", 0)
        code.of_class("instanceof", name)
        is_other = code.jump("ifeq")
        code.load("L", 0)
        code.of_class("checkcast", name)
        code.call("invokevirtual", MemberRef(name, read, f"(){'I' if name == _NUMBER else 'C'}"))
        code.integer(value)
        if name == _NUMBER:
            ends.append(code.jump("if_icmpeq"))
        else:
            others.append(code.jump("if_icmpne"))
            ends.append(code.jump("goto"))
        code.land(is_other)
    others.append(code.jump("goto"))
    for each in ends:
        code.land(each)
    return others


def _constant(enum: str, name: str) -> Test:
    def test(code: Assembly) -> list[int]:
        code.load("L", 0)
        code.of_field("getstatic", MemberRef(enum, name, type_of(enum)))
        return [code.jump("if_acmpne")]

    return test


def _described(label: Dynamic, owner: ClassFile) -> Test | None:
    """`case Color.RED` where the switch is over a wider type: EnumDesc.of(ClassDesc.of("Color"), "RED")."""
    given = _invoked(label, owner, _DESCRIPTION)
    if given is None or len(given) != 2:
        return None
    described, name = given
    if not isinstance(described, Dynamic) or not isinstance(name, StringConstant):
        return None
    inner = _invoked(described, owner, _CLASS_DESCRIPTION)
    if inner is None or len(inner) != 1 or not isinstance(inner[0], StringConstant):
        return None
    enum, constant = inner[0].text.replace(".", "/"), _constant(inner[0].text.replace(".", "/"), name.text)

    def test(code: Assembly) -> list[int]:
        return [*_is_instance(code, enum), *constant(code)]

    return test


def _invoked(label: Dynamic, owner: ClassFile, factory: str) -> Sequence[object] | None:
    """What a constant gives to `factory.of`, which ConstantBootstraps.invoke calls; None for other constants."""
    if label.bootstrap >= len(owner.bootstraps):
        return None
    bootstrap = owner.bootstraps[label.bootstrap]
    if bootstrap.method.member.owner != _CONSTANTS or bootstrap.method.member.name != "invoke":
        return None
    handle, *given = bootstrap.arguments
    member = getattr(handle, "member", None)
    return given if member is not None and (member.owner, member.name) == (factory, "of") else None
