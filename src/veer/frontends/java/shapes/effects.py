"""Which fields of the user's classes a method reads, and which it changes: by its bytecode and what it calls by name.

this.size++;            reads size, changes size
this.stack.push(7);     reads stack, changes what it holds: a method of the runtime's with such a name is called
TABLE[i] = 3;           the same
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.model import Access, ClassFile, FieldInfo, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.shapes.plain import FieldKey
from veer.frontends.java.shapes.statics import called

_MOST = 300
"""Methods that are looked at for one."""
_CHANGING = (
    *("add", "put", "push", "pop", "remove", "set", "clear", "offer", "poll", "append", "insert", "delete"),
    *("increment", "decrement", "getAnd", "compareAnd", "compute", "merge", "replace", "retain", "sort"),
    *("reverse", "shuffle", "fill", "swap", "take", "flip", "next", "update", "accumulate", "setLength"),
)
"""How names of methods of the runtime begin that change the object that they are called on, or given."""
_LAMBDA = "lambda$"
_UNCHANGING = (
    *("java/lang/String", "java/lang/Class", "java/lang/Boolean", "java/lang/Byte", "java/lang/Character"),
    *("java/lang/Short", "java/lang/Integer", "java/lang/Long", "java/lang/Float", "java/lang/Double"),
    *("java/math/BigInteger", "java/math/BigDecimal", "java/util/regex/Pattern", "java/util/Locale"),
    *("java/nio/charset/Charset", "java/util/Comparator", "java/util/UUID", "java/lang/Enum"),
)
"""Classes of the runtime whose objects nobody changes, and packages of such."""
_UNCHANGING_PACKAGES = ("java/util/function/", "java/time/")
_STORES = ("aastore", "bastore", "castore", "sastore", "iastore", "lastore", "fastore", "dastore")


class Effects(Struct, frozen=True):
    """Fields by the class that declares them and their names. `statics`: those of both that are static."""

    reads: frozenset[FieldKey]
    changes: frozenset[FieldKey]
    statics: frozenset[FieldKey]


def effects(path: ClassPath, owner: ClassFile, method: Method) -> Effects:
    """Looked at is what calls name in the user's classes; of a virtual call the method of the class that it names."""
    waiting, seen = [(owner, method)], {(owner.name, *method.key)}
    reads, changes, statics = set[FieldKey](), set[FieldKey](), set[FieldKey]()
    while waiting and len(seen) <= _MOST:
        one, each = waiting.pop()
        loaded, stored, changes_more = _fields(path, one, each)
        held = {(name, found.name) for name, found in loaded if may_change(path, found.descriptor)}
        reads |= {(name, found.name) for name, found in loaded}
        changes |= {(name, found.name) for name, found in stored} | (held if changes_more else set())
        statics |= {(name, found.name) for name, found in (*loaded, *stored) if found.is_static}
        for target in _called(path, one, each):
            key = (target[0].name, *target[1].key)
            if key not in seen:
                seen.add(key)
                waiting.append(target)
    return Effects(frozenset(reads), frozenset(changes), frozenset(statics))


def _fields(
    path: ClassPath, owner: ClassFile, method: Method
) -> tuple[list[tuple[str, FieldInfo]], list[tuple[str, FieldInfo]], bool]:
    """The fields of the user's that a method loads and stores to, and whether it changes objects of the runtime or
    arrays."""
    loaded, stored, changes_more = list[tuple[str, FieldInfo]](), list[tuple[str, FieldInfo]](), False
    for each in method.code.instructions if method.code is not None else ():
        if each.name in ("getstatic", "putstatic", "getfield", "putfield"):
            found = declared(path, owner.pool.member(each.number))
            if found is not None:
                (loaded if each.name.startswith("get") else stored).append(found)
        elif each.name in _STORES:
            changes_more = True
        elif each.name.startswith("invoke") and each.name != "invokedynamic":
            member = owner.pool.member(each.number)
            changes_more |= not path.is_own(member.owner) and member.name.startswith(_CHANGING)
    return loaded, stored, changes_more


def declared(path: ClassPath, member: MemberRef) -> tuple[str, FieldInfo] | None:
    """The field that an instruction names, with the class that declares it; None where that is not the user's."""
    owner: ClassFile | None = path.find(member.owner)
    while owner is not None and path.is_own(owner.name):
        found = owner.field(member.name, member.descriptor)
        if found is not None:
            return None if found.access & Access.SYNTHETIC else (owner.name, found)
        owner = path.find(owner.above) if owner.above else None
    return None


def may_change(path: ClassPath, descriptor: str, seen: tuple[str, ...] = ()) -> bool:
    """Whether an object of a type, or one that it leads to, may change after it was made."""
    if not descriptor.startswith(("L", "[")):
        return False
    if descriptor.startswith("["):
        return True
    name = descriptor[1:-1]
    if name in seen:
        return False
    if not path.is_own(name):
        return not (name in _UNCHANGING or name.startswith(_UNCHANGING_PACKAGES))
    owner = path.find(name)
    if owner is None or (owner.above != "java/lang/Enum" and Access.ABSTRACT in owner.access):
        return True
    while owner is not None and path.is_own(owner.name):
        for each in owner.fields:
            is_set = Access.FINAL not in each.access or may_change(path, each.descriptor, (*seen, name))
            if not each.is_static and is_set:
                return True
        owner = path.find(owner.above) if owner.above else None
    return False


def gives(owner: ClassFile, field: FieldInfo) -> bool:
    """Whether a method of its class returns what a static field holds, so that others may change it."""
    for method in owner.methods:
        steps = list(method.code.instructions) if method.code is not None else []
        for one, two in pairwise(steps):
            if one.name == "getstatic" and two.name == "areturn" and owner.pool.member(one.number).name == field.name:
                return True
    return False


def _called(path: ClassPath, owner: ClassFile, method: Method) -> Iterator[tuple[ClassFile, Method]]:
    """Where a function is made, all that the compiler made of the class's lambdas."""
    for each in method.code.instructions if method.code is not None else ():
        if each.name == "invokedynamic":
            yield from ((owner, made) for made in owner.methods if made.name.startswith(_LAMBDA))
        elif each.name.startswith("invoke"):
            found = called(path, owner.pool.member(each.number))
            if found is not None:
                yield found


def changed_by(path: ClassPath, owner: ClassFile, method: Method) -> frozenset[FieldKey]:
    """The fields that a method changes itself; an initialiser of the class none."""
    if method.name == "<clinit>":
        return frozenset()
    loaded, stored, changes_more = _fields(path, owner, method)
    held = [each for each in loaded if changes_more and may_change(path, each[1].descriptor)]
    return frozenset((name, found.name) for name, found in (*stored, *held))
