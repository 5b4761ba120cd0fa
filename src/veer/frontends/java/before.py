"""What may be called before the entry (docs/state.md): the class's own methods that change what the entry reads of
static fields, and of the object that it is called on.

static int count;  static void more() { count++; }           before read(): more(), ...
class Stack { void push(int x) ... int pop() ... }            before pop(): push(3), ... on the same object
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import class_of, is_reference
from veer.frontends.java.classfile.model import Access
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.entries import Given, inputs_of, is_program, types_of, why_not
from veer.frontends.java.held import static_reads
from veer.frontends.java.lowering.world import World
from veer.frontends.java.shapes.effects import Effects, changed_by, effects, gives, may_change
from veer.frontends.java.shapes.naming import making, parameter_names
from veer.frontends.java.shapes.plain import INIT, FieldKey
from veer.frontends.java.shapes.shape import Shape
from veer.frontends.java.shapes.shapes import Shapes
from veer.frontends.java.types import TypeTable
from veer.frontends.java.units import Found, Unit
from veer.model.errors import UnsupportedInputError
from veer.model.program import Parameter

_MOST = 8
"""Methods that may be called before the entry."""
_MOST_NAMED = 4


class Earlier(Struct, frozen=True):
    """`methods`: what may be called; `begins`: in words, what is as it begins, else; empty: nothing of it may change.
    `is_on_object`: some are called on the entry's object, which a constructor makes; `named`: static fields in it."""

    methods: tuple[Found, ...] = ()
    begins: str = ""
    is_on_object: bool = False
    named: frozenset[FieldKey] = frozenset()

    def shapes(self, shapes: Shapes) -> Iterator[Shape]:
        """Those of references that are given."""
        for each in self.methods:
            yield from (shapes.of(type_) for type_ in types_of(each) if not type_.is_primitive)


def parameters_of(found: Found, table: TypeTable) -> tuple[Parameter, ...]:
    """The inputs of one of the methods."""
    names = parameter_names(found.method)
    return tuple(Parameter(*each) for each in zip(names, map(table.input, types_of(found)), strict=True))


def earlier(unit: Unit, found: Found, gets: Given, shapes: Shapes, *, may_call: bool = True) -> Earlier:
    """What may be called before an entry; nothing unless `may_call`."""
    if is_program(found):
        return Earlier()
    constructor = gets.constructor(shapes)
    has_object = constructor is not None
    own = effects(unit.path, found.owner, found.method)
    methods = tuple(_usable(_changing(unit, found, own, has_object=has_object), shapes)) if may_call else ()
    is_on_object = any(not each.method.is_static for each in methods)
    said = []
    if constructor is not None and is_on_object:
        said.append(f"the object as {making(found.owner.name, constructor)} makes it")
    fields = frozenset(key for key in own.reads & own.statics if _may_change(unit.path, *key))
    if fields:
        said.append(_begin(fields))
    return Earlier(methods if said else (), " and ".join(said), is_on_object, fields)


def begun(world: World, named: frozenset[FieldKey]) -> tuple[str, ...]:
    """The bound of static fields that the world's methods read beyond those that are named: by a virtual call, say."""
    own = (each for each in world.methods.values() if world.path.is_own(each.owner.name))
    read = {key for each in own for key in static_reads(world, each)}
    more = frozenset(key for key in read - named if _may_change(world.path, *key))
    return (_begin(more),) if more else ()


def _begin(fields: Iterable[FieldKey]) -> str:
    names = sorted(name for _, name in fields)
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return f"static fields as they begin ({', '.join([*names[:_MOST_NAMED], *more])})"


def _changing(unit: Unit, entry: Found, own: Effects, *, has_object: bool) -> Iterator[Found]:
    """The methods that change what the entry reads, then those that change what these read."""
    left = {
        each.name: (each, effects(unit.path, each.owner, each.method))
        for each in unit.methods
        if each.owner is entry.owner
        and (each.method.is_static or has_object)
        and each.method.name != INIT
        and not (is_program(each) or why_not(each))
    }
    wanted = set(own.reads)
    while found := [name for name, (_, each) in left.items() if wanted & each.changes]:
        for name in found:
            method, each = left.pop(name)
            yield method
            wanted |= each.reads


def _usable(methods: Iterable[Found], shapes: Shapes) -> Iterator[Found]:
    count = 0
    for each in methods:
        try:
            inputs_of(each, shapes)
        except UnsupportedInputError:
            continue
        yield each
        count += 1
        if count == _MOST:
            return


def _may_change(path: ClassPath, owner: str, name: str) -> bool:
    """Whether a static field, or what it leads to, may be otherwise than its class begins it: others may set it or
    change its object, or its class does."""
    found = path.find(owner)
    field = next((each for each in found.fields if each.name == name), None) if found is not None else None
    if found is None or field is None:
        return False
    if any((owner, name) in changed_by(path, found, each) for each in found.methods):
        return True
    if Access.PRIVATE not in field.access:
        return Access.FINAL not in field.access or may_change(path, field.descriptor)
    is_of_own = path.is_own(class_of(field.descriptor)) if is_reference(field.descriptor) else False
    return (is_of_own or gives(found, field)) and may_change(path, field.descriptor)
