"""What classes, members and parameters are called in tests and claims."""

from __future__ import annotations

from veer.frontends.java.classfile.descriptors import method_types, words
from veer.frontends.java.classfile.model import Method
from veer.frontends.java.shapes.shape import Slot


def parameter_names(method: Method) -> tuple[str, ...]:
    """What the source calls the parameters; p0, p1, ... where the class file does not say it."""
    types = method_types(method.descriptor)[0]
    number, names = int(not method.is_static), []
    variables = method.code.variables if method.code is not None else ()
    for place, type_ in enumerate(types):
        known = next((each.name for each in variables if each.number == number and not each.start), "")
        names.append(known or f"p{place}")
        number += 2 if type_ in "JD" else 1
    return tuple(names)


def words_of(name: str) -> str:
    """A class without its package."""
    return name.rpartition("/")[2].replace("$", ".")


def own_name(slot: Slot) -> str:
    """A field without its class."""
    return slot.name.rpartition(".")[2]


def making(name: str, constructor: Method) -> str:
    """The call that makes an object: `new Stack(int)`, `Money.of(long)`."""
    types = ", ".join(map(words, method_types(constructor.descriptor)[0]))
    made = words_of(name)
    return f"{made}.{constructor.name}({types})" if constructor.is_static else f"new {made}({types})"


def as_made(name: str, constructor: Method) -> str:
    """What a claim says of objects that one constructor makes, or a static method that makes new ones."""
    anew = " anew" if constructor.is_static and not name.startswith("java/") else ""
    return f"objects as {making(name, constructor)} makes them{anew}"
