"""The classes that a class's code asks about: `instanceof`, casts, `case Circle c`. An Object that it gets may be
an object of one of these. A `main` says what it uses the class for, and nothing of what others give it."""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.constants import ClassRef
from veer.frontends.java.classfile.model import ClassFile

_MAIN = ("main", "([Ljava/lang/String;)V")
_SWITCHES = "java/lang/runtime/SwitchBootstraps"


def asked_about(owner: ClassFile) -> tuple[str, ...]:
    """Their names, in the order in which the code has them; no arrays."""
    return tuple(dict.fromkeys(name for name in _named(owner) if not name.startswith("[")))


def _named(owner: ClassFile) -> Iterator[str]:
    for method in owner.methods:
        if method.is_static and method.key == _MAIN:
            continue
        for each in method.code.instructions if method.code is not None else ():
            if each.name in ("instanceof", "checkcast"):
                yield owner.pool.class_name(each.number)
            elif each.name == "invokedynamic":
                site = owner.pool.dynamic(each.number)
                bootstrap = owner.bootstraps[site.bootstrap] if site.bootstrap < len(owner.bootstraps) else None
                if bootstrap is not None and bootstrap.method.member.owner == _SWITCHES:
                    yield from (label.name for label in bootstrap.arguments if isinstance(label, ClassRef))
