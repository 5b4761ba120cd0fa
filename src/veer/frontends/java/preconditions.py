"""Preconditions (`--pre`): methods that say which inputs are in order, as a class's repOK does.

boolean repOK()                      called on each input of its class, and on the entry's object
static boolean ok(Tree t, int key)   called with the entry's parameters of these names
"""

from __future__ import annotations

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.entries import Given, chosen
from veer.frontends.java.shapes.naming import parameter_names
from veer.frontends.java.types import THIS
from veer.frontends.java.units import Found, Unit
from veer.model.errors import UsageError


class Precondition(Struct, frozen=True):
    """A method and what it is given: the names of inputs. `owner`: the class whose objects it looks at, or empty."""

    found: Found
    names: tuple[str, ...]
    owner: str = ""


def precondition(unit: Unit, entry: Found, name: str) -> Precondition:
    """The precondition of this name. Raises UsageError."""
    found = chosen(unit, name)
    types, result = method_types(found.method.descriptor)
    if result != "Z":
        raise UsageError(f"--pre {name}: {found.name} returns no boolean, so that it says of no input that it holds")
    own = method_types(entry.method.descriptor)[0]
    inputs = dict(zip(parameter_names(entry.method), own, strict=True))
    if not entry.method.is_static:
        inputs = {THIS: f"L{entry.owner.name};", **inputs}
    if not found.method.is_static:
        return _of_object(found, name, types, inputs)
    names = parameter_names(found.method)
    for each, type_ in zip(names, types, strict=True):
        if inputs.get(each) != type_:
            known = ", ".join(inputs)
            raise UsageError(f"--pre {name}: its parameter {each} is none of the entry ({known}), or of another type")
    return Precondition(found, names, next((type_[1:-1] for type_ in types if type_.startswith("L")), ""))


def _of_object(found: Found, name: str, types: tuple[str, ...], inputs: dict[str, str]) -> Precondition:
    if types:
        raise UsageError(f"--pre {name}: {found.name} takes parameters; one of an object takes none")
    wanted = f"L{found.owner.name};"
    names = [each for each, type_ in inputs.items() if type_ == wanted]
    if not names:
        raise UsageError(f"--pre {name}: no input of the entry is a {found.owner.name.replace('/', '.')}")
    if len(names) > 1:
        listed = " and ".join(names)
        raise UsageError(f"--pre {name}: {listed} are such objects; write a static method that looks at all of them")
    return Precondition(found, tuple(names), found.owner.name)


def places(each: Precondition, gets: Given) -> tuple[int, ...]:
    """Which of the entry's arguments it is given, the object first."""
    names = [*([THIS] if gets.receiver is not None else []), *gets.names]
    return tuple(names.index(name) for name in each.names)
