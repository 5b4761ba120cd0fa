"""What inputs need of a closed world: the classes that they may be of, what makes them."""

from __future__ import annotations

from collections.abc import Iterable

from veer.frontends.java.classfile.descriptors import class_of
from veer.frontends.java.lowering.world import INPUTS, OBJECTS, STRING, World
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.shapes.shape import Kind, Shape

_FILL = "fill"


def add(world: World, shapes: Iterable[Shape]) -> None:
    """Adds all that inputs of these shapes are made of; `World.close` is still to come."""
    for shape in shapes:
        kind = shape.kind
        if kind is Kind.TEXT:
            _make(world, STRING, "[B")
        elif kind is Kind.ARRAY:
            _make(world, class_of(shape.type.descriptor))
        elif kind is Kind.LIST:
            _make(world, shape.owner, OBJECTS)
        elif kind is Kind.COLLECTION:
            _collection(world, shape)
        elif kind is Kind.CONSTANT:
            _constants(world, shape)
        else:
            _objects(world, shape)


def _make(world: World, *names: str) -> None:
    for name in names:
        world.make(name)


def _collection(world: World, shape: Shape) -> None:
    _make(world, shape.owner, OBJECTS)
    owner, inputs = world.type(shape.owner), world.type(INPUTS)
    constructor = owner.method(INIT, "()V")
    taken = "java/util/Map" if shape.second is not None else "java/util/Collection"
    fill = inputs.method(_FILL, f"(L{taken};[Ljava/lang/Object;)V")
    assert constructor is not None
    assert fill is not None
    world.reach(owner, constructor)
    world.reach(inputs, fill)


def _constants(world: World, shape: Shape) -> None:
    owner = world.type(shape.owner)
    world.copied.setdefault(shape.owner)
    world.has_twins = True
    world.initialise(shape.owner, for_field=True)
    for each in owner.fields:
        if each.name in shape.constants and each.is_static:
            world.static(owner, each)


def _objects(world: World, shape: Shape) -> None:
    of_fields = [each for each in shape.candidates if each.constructor is None and not each.letter]
    for each in shape.candidates:
        world.make(each.name)
        if each.letter:
            world.has_twins = True
            continue
        world.initialise(each.name)
        if each.constructor is not None:
            world.reach(world.type(each.name), each.constructor)
    if len(shape.candidates) > 1:
        for each in of_fields:
            for above in reversed([one.name for one in world.superclasses(each.name)][:-1]):
                world.spread.setdefault(above)
