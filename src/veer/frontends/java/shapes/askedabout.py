"""The classes that a class's code asks about: `instanceof`, casts, `case Circle c`. An Object that it gets may be
an object of one of these. A `main` says what it uses the class for, and nothing of what others give it; nor do casts
of what a call or a field gives in a class with type variables: they are the compiler's (`Entry<V> e = map.get(key)`).
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ClassRef
from veer.frontends.java.classfile.model import ClassFile

_MAIN = ("main", "([Ljava/lang/String;)V")
_SWITCHES = "java/lang/runtime/SwitchBootstraps"


def asked_about(owner: ClassFile) -> tuple[str, ...]:
    """Their names, in the order in which the code has them; no arrays."""
    return tuple(dict.fromkeys(name for name in _named(owner) if not name.startswith("[")))


def _named(owner: ClassFile) -> Iterator[str]:
    is_generic = owner.signature.startswith("<")
    for method in owner.methods:
        if method.is_static and method.key == _MAIN:
            continue
        steps = method.code.instructions if method.code is not None else ()
        for before, each in zip((None, *steps), steps, strict=False):
            is_cast = each.name == "checkcast"
            if each.name == "instanceof" or (is_cast and not (is_generic and _gives(before))):
                yield owner.pool.class_name(each.number)
            elif each.name == "invokedynamic":
                site = owner.pool.dynamic(each.number)
                bootstrap = owner.bootstraps[site.bootstrap] if site.bootstrap < len(owner.bootstraps) else None
                if bootstrap is not None and bootstrap.method.member.owner == _SWITCHES:
                    yield from (label.name for label in bootstrap.arguments if isinstance(label, ClassRef))


def _gives(each: Instruction | None) -> bool:
    return each is not None and each.name.startswith(("invoke", "get"))
