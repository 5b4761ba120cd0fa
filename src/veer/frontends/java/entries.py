"""The methods that units declare, which of them can be an entry, and what inputs each would get."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import dotted, method_types, words
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.jdk import Jdk
from veer.frontends.java.sametests import compared, slots
from veer.frontends.java.shapes.generics import Generic, environment, parameter_types
from veer.frontends.java.shapes.naming import making, parameter_names, words_of
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.shapes.runtimeclasses import ANYTHING
from veer.frontends.java.shapes.shape import Kind, Shape, Shared
from veer.frontends.java.shapes.shapes import Shapes
from veer.frontends.java.shapes.userclasses import UserClasses
from veer.frontends.java.types import THIS, TypeTable, twin
from veer.frontends.java.units import Found, Unit, read_unit
from veer.frontends.protocol import Entry, EntryInput
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError, VeerError
from veer.model.program import Parameter
from veer.toolchain.cache import Cache

_MOST_NEAR = 3


def entries(options: BuildOptions, jdk: Jdk, cache: Cache) -> tuple[Entry, ...]:
    """All methods that the sources declare, and the classes that cannot be read. Raises UsageError, ToolchainError."""
    first, *more = (each.absolute() for each in options.sources)
    unit = read_unit(first, jdk, cache, more, options.class_path)
    by_name = {each.name: each for each in (first, *more)}
    known, index = dict[str, Shapes](), dict[str, list[str]]()
    shared = defaultdict[str, Shared](Shared)
    found = []
    for each in unit.methods:
        if each.owner.name not in known:
            known[each.owner.name] = shapes_of(unit, each, index=index)
            known[each.owner.name].shared = shared[each.owner.name.rpartition("/")[0]]
        source = by_name.get(each.owner.source, first)
        try:
            found.append(_entry(each, source, known[each.owner.name], options))
        except VeerError as error:  # of one method: the others are listed all the same
            found.append(Entry(each.name, str(source), 0, why_not=str(error)))
    found += (Entry(dotted(name), str(first), 0, why_not=why) for name, why in unit.unread.items())
    return tuple(sorted(found, key=lambda each: (each.file, each.line, each.name)))


def chosen(unit: Unit, name: str) -> Found:
    """The method that an entry names: by its class or without it, with its parameters where several can be an entry.

    Raises UsageError.
    """
    asked = name.replace(" ", "")
    found = [each for each in unit.methods if asked in _spellings(each)]
    possible = [each for each in found if not why_not(each)]
    if len(found) == 1 or len(possible) == 1:
        return next(iter(possible or found))
    names = [each.name for each in unit.methods]
    if found:
        listed = ", ".join(each.name for each in possible or found)
        raise UsageError(f"there are several methods {name} in {unit.source}: give one of {listed}")
    if inherited := _inherited(unit, asked):
        raise UsageError(f"{name} is inherited: give {inherited}, which defines it")
    near = difflib.get_close_matches(name, names, _MOST_NEAR, 0.5)
    more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {unit.source}` shows the methods"
    if unit.unread:
        more += f"; {len(unit.unread)} of its classes cannot be read: {next(iter(unit.unread.values()))}"
    raise UsageError(f"no method {name} is defined in {unit.source}: {more}")


def _inherited(unit: Unit, asked: str) -> str:
    """The unit's method that a class has from one above it, or empty: `Circle.area` is `Shape.area`."""
    type_, _, method = asked.rpartition(".")
    owners = {each.owner.name: each.owner for each in unit.methods}
    owner = next((each.owner for each in unit.methods if f"{type_}.{each.method.name}" in _spellings(each)), None)
    while owner is not None and (owner := owners.get(owner.above)) is not None:
        found = next((each for each in unit.methods if each.owner is owner and method in _spellings(each)), None)
        if found is not None:
            return found.name
    return ""


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
    if found.method.name == INIT:
        if Access.ABSTRACT in owner.access:
            return f"{found.name} makes objects of an abstract class: there are none"
        own = owner.inner.get(owner.name)
        if own is not None and Access.STATIC not in own.access:
            return f"{found.name} belongs to an object of the class around it, which veer does not make yet"
    return ""


def shapes_of(
    unit: Unit, found: Found, ordered: Iterable[str] = (), index: dict[str, list[str]] | None = None
) -> Shapes:
    """The shapes of an entry's inputs. `ordered`: classes whose objects a precondition looks at; `index`: see
    UserClasses; entries share it."""
    package = found.owner.name.rpartition("/")[0]
    return Shapes(
        UserClasses(unit.path, package, found.owner.name, index if index is not None else {}), frozenset(ordered)
    )


def is_program(found: Found) -> bool:
    """Whether it is the `main` of a program, whose arguments are no null and hold none."""
    return found.method.is_static and found.method.key == ("main", "([Ljava/lang/String;)V")


def reads_arguments(found: Found) -> bool:
    """Whether a `main` looks at its arguments at all."""
    code = found.method.code
    return code is not None and any(each.name == "aload" and not each.number for each in code.instructions)


def ignores_arguments(found: Found) -> bool:
    """Whether it is a program that gets an empty array, for it looks at nothing in there."""
    return is_program(found) and not reads_arguments(found)


class Given(Struct, frozen=True):
    """What an entry gets. `receiver`: the object of an instance method; `types`: of its parameters; `twins`: those of
    parameters that may be the object itself."""

    receiver: Shape | None
    names: tuple[str, ...]
    types: tuple[Generic, ...]
    twins: tuple[Generic, ...] = ()

    def shapes(self, shapes: Shapes) -> Iterator[Shape]:
        """Those of references."""
        if self.receiver is not None:
            yield self.receiver
        yield from (shapes.of(each) for each in self.types if not each.is_primitive)

    def constructor(self, shapes: Shapes) -> Method | None:
        """What makes the object before the call; None where there is none, or it is an input that others may be."""
        if self.receiver is None or len(self.receiver.candidates) != 1 or twin(shapes, self.receiver, self.twins):
            return None
        return self.receiver.candidates[0].constructor

    def apart(self, shapes: Shapes, found: Found) -> tuple[str, ...]:
        """The bound that the object is none of the parameters that could be it."""
        if self.constructor(shapes) is None:
            return ()
        apart = twin(shapes, self.receiver, self.types) if self.receiver is not None else None
        words = f"no {apart.words} is the object that {found.method.name} is called on" if apart is not None else ""
        return (words,) if words else ()

    def parameters(self, table: TypeTable) -> tuple[Parameter, ...]:
        """The inputs: the object first, for a method that needs one."""
        own = [Parameter(THIS, table.receiver(self.receiver, self.twins))] if self.receiver is not None else []
        return (*own, *(Parameter(*each) for each in zip(self.names, map(table.input, self.types), strict=True)))


def given(found: Found, shapes: Shapes) -> Given:
    """What an entry gets. Raises UnsupportedInputError."""
    receiver = None
    if not found.method.is_static and found.method.name != INIT:
        receiver = _receiver(found, shapes)
    names, types = inputs_of(found, shapes)
    twins = tuple(_may_be_receiver(found, shapes, types)) if receiver is not None else ()
    return Given(receiver, names, types, twins)


def _may_be_receiver(found: Found, shapes: Shapes, types: tuple[Generic, ...]) -> Iterator[Generic]:
    """The types of parameters that may be the object that a method is called on. An Object, or a T of the class's own,
    is that object where the code compares the two: no other caller of `map.get(key)` gives the map itself."""
    asked = compared(shapes.classes.path, found.owner, found.method)
    for slot, type_ in zip(slots(found.method)[1:], types, strict=True):
        if type_.name not in ANYTHING or {(0, slot), (slot, 0)} & asked:
            yield type_


def inputs_of(found: Found, shapes: Shapes) -> tuple[tuple[str, ...], tuple[Generic, ...]]:
    """Names and types of the parameters; none of a program that looks at no argument. Raises UnsupportedInputError."""
    types = () if ignores_arguments(found) else types_of(found)
    names = parameter_names(found.method) if types else ()
    for name, type_ in zip(names, types, strict=True):
        try:
            if not type_.is_primitive:
                _look_at(shapes.of(type_), shapes)
        except UnsupportedInputError as error:
            raise UnsupportedInputError(f"the parameter {name} of {found.name} is unsupported: {error}") from error
    return names, types


def _look_at(shape: Shape, shapes: Shapes) -> None:
    """Raises UnsupportedInputError where a test cannot say the type, or of an array's elements."""
    if shape.kind is Kind.ARRAY and shape.element is not None and not shape.element.is_primitive:
        _look_at(shapes.of(shape.element), shapes)
    elif shape.kind is Kind.OBJECT and not shapes.is_named(shape.type.name):
        raise UnsupportedInputError(f"no test can name the class {words_of(shape.type.name)}")


def _receiver(found: Found, shapes: Shapes) -> Shape:
    try:
        shape = shapes.receiver(Generic(found.owner.name), found.method)
        _look_at(shape, shapes)
    except UnsupportedInputError as error:
        raise UnsupportedInputError(f"{found.name} needs an object: {error}") from error
    return shape


def types_of(found: Found) -> tuple[Generic, ...]:
    """The types of the parameters."""
    method, known = found.method, environment(found.owner.signature, ())
    return parameter_types(method.signature, method_types(method.descriptor)[0], known)


def _entry(found: Found, source: Path, shapes: Shapes, options: BuildOptions) -> Entry:
    why = why_not(found)
    inputs = tuple(_inputs(found, shapes, options)) if not why else ()
    refused = next((each for each in inputs if each.refused), None)
    if not why and refused is not None:
        what = "" if refused.name == THIS else f"the parameter {refused.name} of {found.name} is unsupported: "
        why = f"{what}{refused.refused}"
    code = found.method.code
    line = min((line for _, line in code.lines), default=0) if code is not None else 0
    qualities = () if found.method.is_static else ("constructor" if found.method.name == INIT else "instance",)
    return Entry(found.name, str(source), line, inputs, qualities, why)


def _inputs(found: Found, shapes: Shapes, options: BuildOptions) -> Iterator[EntryInput]:
    if not found.method.is_static and found.method.name != INIT:
        try:
            yield EntryInput(THIS, _made_by(_receiver(found, shapes)))
        except UnsupportedInputError as error:
            yield EntryInput(THIS, "", str(error))
    if is_program(found):
        yield EntryInput("args", "String[] (up to max-array strings)" if reads_arguments(found) else "String[] (empty)")
        return
    for name, type_ in zip(parameter_names(found.method), types_of(found), strict=True):
        try:
            yield EntryInput(name, type_.words + _extent(type_, shapes, options))
        except UnsupportedInputError as error:
            yield EntryInput(name, "", str(error))


def _extent(type_: Generic, shapes: Shapes, options: BuildOptions) -> str:
    """What there is of a type, in words. Raises UnsupportedInputError."""
    if type_.is_primitive:
        return ""
    shape = shapes.of(type_)
    _look_at(shape, shapes)
    if shape.kind is Kind.TEXT:
        return f" (null, or 0 to {options.max_length} characters below 256)"
    if shape.kind in (Kind.ARRAY, Kind.LIST, Kind.COLLECTION):
        return f" (null, or 0 to {options.max_array} elements)"
    if shape.kind is Kind.CONSTANT:
        return f" (null, or one of {len(shape.constants)} constants)"
    return f" (null, or {_made_by(shape)})"


def _made_by(shape: Shape) -> str:
    """How objects are made: `new Stack(int)`; `Circle or Square`."""
    if shape.kind is Kind.CONSTANT:
        return f"one of {len(shape.constants)} constants"
    made = shape.candidates[0]
    if made.stub:
        return "one whose results are inputs" if made.stub.count("=") > 1 else "a function whose results are inputs"
    if len(shape.candidates) == 1 and made.constructor is not None:
        return making(made.name, made.constructor)
    return " or ".join(words_of(each.name) for each in shape.candidates)


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
