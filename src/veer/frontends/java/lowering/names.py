"""What methods, classes and static fields are called in LLVM IR. A method's name is also what people read.

Triangle.classify        pkg.Type.size-int-longA      pkg.Type.new      pkg.Type.static
the only one              one of several: (int, long[])   a constructor     the class's initialiser
"""

from __future__ import annotations

import re

from veer.frontends.java.classfile.descriptors import dotted, method_types, words
from veer.frontends.java.classfile.model import ClassFile, Method

_OTHER = re.compile(r"[^\w.$-]", re.ASCII)
_ONCE = ".once"
_SPECIAL = {"<init>": "new", "<clinit>": "static"}


def method_symbol(owner: ClassFile, method: Method) -> str:
    """The function of a method."""
    name = f"{dotted(owner.name).replace('$', '.')}.{_SPECIAL.get(method.name, method.name)}"
    if sum(each.name == method.name for each in owner.methods) > 1:
        parameters, result = method_types(method.descriptor)
        name += "".join(f"-{words(type_)}" for type_ in parameters) or "-"
        same = [each for each in owner.methods if each.name == method.name]
        if sum(method_types(each.descriptor)[0] == parameters for each in same) > 1:  # bridges
            name += f"-to-{words(result)}"
    return escaped(name)


def once_symbol(owner: ClassFile) -> str:
    """The function that runs a class's initialiser the first time that it is called."""
    initialiser = owner.method("<clinit>", "()V")
    assert initialiser is not None
    return method_symbol(owner, initialiser) + _ONCE


def field_symbol(owner: str, name: str) -> str:
    """The variable of a static field."""
    return escaped(f"java.field.{dotted(owner)}.{name}")


def escaped(name: str) -> str:
    """The name with characters alone that LLVM takes without quotes."""
    return _OTHER.sub(lambda found: f"_u{ord(found[0]):04x}", name.replace("[]", "A"))
