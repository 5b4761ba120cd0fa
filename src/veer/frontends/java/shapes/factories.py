"""Static methods of a class that make its objects, where no test can call a constructor.

final class Money { private Money(long cents) ... static Money of(long cents) { return new Money(cents); } }   of(long)
class Registry { private static final Registry ONE = new Registry(); static Registry get() { return ONE; } }    get()
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.shapes.statics import called

_MOST = 300
"""Methods that are looked through for what makes the object."""


def factories(path: ClassPath, owner: ClassFile, *, may_keep: bool = False) -> Iterator[Method]:
    """The static methods that return an object of the class without being given one: a new one, or, where `may_keep`,
    one that the class keeps."""
    for each in owner.methods:
        types, result = method_types(each.descriptor)
        is_whole = each.is_static and each.code is not None and Access.SYNTHETIC not in each.access
        own = f"L{owner.name};"
        if not is_whole or result != own or any(type_.endswith(own) for type_ in types):
            continue
        if _makes(path, owner, each) or (may_keep and not types):
            yield each


def plainness(owner: ClassFile, method: Method) -> tuple[bool, bool, int, int]:
    """How plainly what it takes says what the object is: as a constructor takes it, numbers and texts, much of it, with
    little code."""
    types = method_types(method.descriptor)[0]
    constructors = (method_types(each.descriptor)[0] for each in owner.methods if each.name == INIT)
    is_flat = all(len(each) == 1 or each == "Ljava/lang/String;" for each in types)
    length = len(method.code.instructions) if method.code is not None else 0
    return types in constructors, is_flat, len(types), -length


def _makes(path: ClassPath, owner: ClassFile, method: Method) -> bool:
    """Whether its code, or what it calls of the user's, has a `new` of the class."""
    waiting, seen = [(owner, method)], {(owner.name, *method.key)}
    while waiting and len(seen) <= _MOST:
        one, found = waiting.pop()
        for each in found.code.instructions if found.code is not None else ():
            if each.name == "new" and one.pool.class_name(each.number) == owner.name:
                return True
            if not each.name.startswith("invoke") or each.name == "invokedynamic":
                continue
            target = called(path, one.pool.member(each.number))
            if target is not None and (target[0].name, *target[1].key) not in seen:
                seen.add((target[0].name, *target[1].key))
                waiting.append(target)
    return False
