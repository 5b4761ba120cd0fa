"""Whether a constructor looks at static fields that may change, or sets them: then it matters when it runs, and an
input's runs when the input is first looked at (decision 0453)."""

from __future__ import annotations

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath

_MOST = 300
"""A constructor that may reach more methods than this counts as one that does."""


def sees_statics(path: ClassPath, owner: ClassFile, constructor: Method) -> bool:
    """Looked at is what calls name in the user's classes; of a virtual call the method of the class that it names."""
    waiting, seen = [(owner, constructor)], {(owner.name, *constructor.key)}
    while waiting:
        if len(seen) > _MOST:
            return True
        one, method = waiting.pop()
        for each in method.code.instructions if method.code is not None else ():
            if each.name in ("getstatic", "putstatic") and _may_change(path, one.pool.member(each.number)):
                return True
            if not each.name.startswith("invoke") or each.name == "invokedynamic":
                continue
            found = called(path, one.pool.member(each.number))
            if found is not None and (found[0].name, *found[1].key) not in seen:
                seen.add((found[0].name, *found[1].key))
                waiting.append(found)
    return False


def _may_change(path: ClassPath, member: MemberRef) -> bool:
    owner: ClassFile | None = path.find(member.owner)
    while owner is not None and path.is_own(owner.name):
        found = owner.field(member.name, member.descriptor)
        if found is not None:
            is_fixed = Access.FINAL in found.access and not member.descriptor.startswith(("L", "["))
            return not (is_fixed or found.access & Access.SYNTHETIC or member.descriptor == "Ljava/lang/String;")
        owner = path.find(owner.above) if owner.above else None
    return False


def called(path: ClassPath, member: MemberRef) -> tuple[ClassFile, Method] | None:
    """The user's method that a call names; of a virtual one that of the class that it names."""
    owner = path.find(member.owner) if not member.owner.startswith("[") else None
    while owner is not None and path.is_own(owner.name):
        found = owner.method(member.name, member.descriptor)
        if found is not None:
            return owner, found
        owner = path.find(owner.above) if owner.above else None
    return None
