"""The methods that units declare, which of them can be an entry, and what inputs each would get."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from veer.frontends.java.classfile.descriptors import dotted, method_types, type_of, words
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.jdk import Jdk
from veer.frontends.java.types import STRING, THIS, TypeTable, is_supported
from veer.frontends.java.units import Found, Unit, read_unit
from veer.frontends.protocol import Entry, EntryInput
from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.options import BuildOptions
from veer.model.program import ExtentKind, Parameter
from veer.toolchain.cache import Cache

INIT = "<init>"
_MOST_NEAR = 3


def entries(options: BuildOptions, jdk: Jdk, cache: Cache) -> tuple[Entry, ...]:
    """All methods that the sources declare. Raises UsageError, ToolchainError."""
    first, *more = (each.absolute() for each in options.sources)
    unit = read_unit(first, jdk, cache, more)
    by_name = {each.name: each for each in (first, *more)}
    found = [_entry(each, by_name.get(each.owner.source, first), options) for each in unit.methods]
    return tuple(sorted(found, key=lambda each: (each.file, each.line, each.name)))


def chosen(unit: Unit, name: str) -> Found:
    """The method that an entry names: by its class or without it, with its parameters where there are several.

    Raises UsageError.
    """
    asked = name.replace(" ", "")
    found = [each for each in unit.methods if asked in _spellings(each)]
    if len(found) == 1:
        return found[0]
    names = [each.name for each in unit.methods]
    if found:
        raise UsageError(
            f"there are several methods {name} in {unit.source}: give one of {', '.join(each.name for each in found)}"
        )
    near = difflib.get_close_matches(name, names, _MOST_NEAR, 0.5)
    more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {unit.source}` shows the methods"
    raise UsageError(f"no method {name} is defined in {unit.source}: {more}")


def why_not(found: Found) -> str:
    """Why a method cannot be an entry whatever its inputs are, or empty."""
    access, owner = found.method.access, found.owner
    if Access.PRIVATE in access:
        return f"{found.name} is private, so that no test can call it"
    around = [each for name, each in owner.inner.items() if name == owner.name or owner.name.startswith(f"{name}$")]
    if any(Access.PRIVATE in each.access for each in around):
        return f"the class of {found.name} is private, so that no test can call it"
    if not all(each.is_member for each in around):
        return f"the class of {found.name} is declared within a method, so that no test can name it"
    if Access.NATIVE in access or found.method.code is None:
        return f"{found.name} has no bytecode"
    return "" if found.method.is_static else _why_no_object(found)


def _why_no_object(found: Found) -> str:
    name = dotted(found.owner.name).replace("$", ".")
    if Access.ABSTRACT in found.owner.access:
        return f"{found.name} needs an object, and {name} is abstract: veer makes no objects of subclasses yet"
    if found.method.name != INIT and constructor_of(found.owner) is None:
        return f"{found.name} needs an object, and {name} has no constructor that veer can call"
    return ""


def constructor_of(owner: ClassFile) -> Method | None:
    """What makes the objects that instance methods are called on: of the constructors that a test can call, with
    arguments that veer can make, the one that takes most."""
    known = [
        each
        for each in owner.methods
        if each.name == INIT and not each.access & (Access.PRIVATE | Access.SYNTHETIC) and each.code is not None
    ]
    usable = [each for each in known if all(map(is_supported, method_types(each.descriptor)[0]))]
    return max(usable, key=lambda each: len(method_types(each.descriptor)[0]), default=None)


def is_program(found: Found) -> bool:
    """Whether it is the `main` of a program, whose arguments are no null and hold none."""
    return found.method.is_static and found.method.key == ("main", "([Ljava/lang/String;)V")


def reads_arguments(found: Found) -> bool:
    """Whether a `main` looks at its arguments at all."""
    code = found.method.code
    return code is not None and any(each.name == "aload" and not each.number for each in code.instructions)


def parameters(found: Found, table: TypeTable) -> tuple[Parameter, ...]:
    """The inputs of an entry: the object first, for a method that needs one. Raises UnsupportedInputError."""
    made = []
    constructor = receiver_of(found)
    if constructor is not None:
        names, given = parameter_names(constructor), method_types(constructor.descriptor)[0]
        made.append(Parameter(THIS, table.receiver(dotted(found.owner.name), tuple(zip(names, given, strict=True)))))
    types = () if is_program(found) else method_types(found.method.descriptor)[0]
    for name, type_ in zip(parameter_names(found.method) if types else (), types, strict=True):
        try:
            made.append(Parameter(name, table.input(type_)))
        except UnsupportedInputError as error:
            raise UnsupportedInputError(f"the parameter {name} of {found.name} is unsupported: {error}") from error
    return tuple(made)


def receiver_of(found: Found) -> Method | None:
    """The constructor of the object that a method is called on; None for static methods and constructors."""
    return None if found.method.is_static or found.method.name == INIT else constructor_of(found.owner)


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


def _entry(found: Found, source: Path, options: BuildOptions) -> Entry:
    why, inputs = why_not(found), tuple(_inputs(found, options))
    refused = next((each for each in inputs if each.refused), None)
    if not why and refused is not None:
        why = f"the parameter {refused.name} of {found.name} is unsupported: {refused.refused}"
    code = found.method.code
    line = min((line for _, line in code.lines), default=0) if code is not None else 0
    qualities = () if found.method.is_static else ("constructor" if found.method.name == INIT else "instance",)
    return Entry(found.name, str(source), line, inputs, qualities, why)


def made_by(owner: ClassFile, constructor: Method) -> str:
    """How objects of a class are made: `new Stack(int)`."""
    types = ", ".join(map(words, method_types(constructor.descriptor)[0]))
    return f"new {words(type_of(owner.name))}({types})"


def _inputs(found: Found, options: BuildOptions) -> Iterator[EntryInput]:
    table = TypeTable(options.max_array, options.max_length)
    types = method_types(found.method.descriptor)[0]
    constructor = receiver_of(found)
    if constructor is not None:
        yield EntryInput(THIS, made_by(found.owner, constructor))
    if is_program(found):
        yield EntryInput("args", "String[] (up to max-array strings)" if reads_arguments(found) else "String[] (empty)")
        return
    for name, type_ in zip(parameter_names(found.method), types, strict=True):
        try:
            row = table.types[table.input(type_)]
        except UnsupportedInputError as error:
            yield EntryInput(name, "", str(error))
            continue
        of = "characters below 256" if type_ == STRING else "elements"
        more = f" (null, or 0 to {row.maximum} {of})" if row.extent is ExtentKind.FLEXIBLE else ""
        yield EntryInput(name, words(type_) + more)


def _class_name(owner: ClassFile) -> str:
    return owner.name.replace("/", ".").replace("$", ".")


def _parameters(method: Method) -> str:
    return "".join(f"-{words(type_)}" for type_ in method_types(method.descriptor)[0])


def _spellings(found: Found) -> set[str]:
    """`pkg.Type.method`, `Type.method`, `method`; each with its parameters (`method-int-int[]`), and without."""
    method = "new" if found.method.name == INIT else found.method.name
    whole = f"{_class_name(found.owner)}.{method}".split(".")
    names = {".".join(whole[start:]) for start in range(len(whole))}
    more = [_parameters(found.method), _parameters(found.method).replace("[]", "A")]
    return names | {name + text for name in names for text in more} | {found.name}
