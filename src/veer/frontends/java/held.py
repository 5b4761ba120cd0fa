"""What no input is, and a caller may give: a claim says so where the program may ask.

Objects that the program holds in static fields (decision 0495):

    static final Node NIL = new Node();
    static int depth(Node at) { return at == NIL ? 0 : 1 + depth(at.next); }

A caller may give NIL. veer's inputs are objects of their own, so that `at == NIL` is never true in its runs. And arrays
of a subclass: storing an Integer in an Object[] throws where it is a String[].
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import StringConstant
from veer.frontends.java.classfile.descriptors import class_of, dotted, is_reference
from veer.frontends.java.classfile.model import Access
from veer.frontends.java.lowering.world import ENUM, OBJECT, STRING, Reached, World
from veer.frontends.java.shapes.runtimeclasses import BOXES
from veer.frontends.java.shapes.shape import Kind, Shape
from veer.frontends.java.types import TypeTable

LITERALS = "no string is a literal of the program"
_EQUALS = (OBJECT, "equals", "(Ljava/lang/Object;)Z")
_ASKS = ("if_acmpeq", "if_acmpne")
_MAKERS = ("<clinit>", "$values")
"""Methods that store into arrays of their own alone."""
_NEAR = 4
"""Instructions before a comparison that are looked at for literals."""


def held(world: World, table: TypeTable) -> Iterator[str]:
    """The bounds that name such fields, where references are compared and an input could be what a field leads to."""
    own = [each for each in world.methods.values() if world.path.is_own(each.owner.name)]
    rows = [row.shape for row in table.rows.values()]
    if any(shape.kind is Kind.TEXT for shape in rows) and any(map(_asks_for_literals, own)):
        yield LITERALS
    if any(_has(each, ("aastore",)) for each in own if each.method.name not in _MAKERS):
        yield from dict.fromkeys(each for shape in rows if (each := _not_below(world, shape)))
    if _EQUALS not in world.methods and not any(map(_asks, own)):
        return
    names = {each.name for shape in rows for each in shape.candidates}
    names |= {name for shape in rows for name in (shape.owner, class_of(shape.type.descriptor)) if name}
    names -= {STRING}
    read = {key for each in own for key in static_reads(world, each)}
    for (owner, name), found in world.statics.items():
        if (
            (owner, name) in read
            and is_reference(found.descriptor)
            and _leads_to(world, class_of(found.descriptor), names, set())
        ):
            yield f"no input is an object of {dotted(owner)}.{name}"


def static_reads(world: World, reached: Reached) -> Iterator[tuple[str, str]]:
    """The user's static fields that a method reads, as the world names them: by class and name."""
    code = reached.method.code
    if code is None or reached.method.name == "<clinit>":
        return
    for each in code.instructions:
        if each.name == "getstatic":
            member = reached.owner.pool.member(each.number)
            if world.path.is_own(member.owner) and not member.name.startswith("$"):
                yield world.static_field(member.owner, member.name, member.descriptor)[0].name, member.name


def _asks(reached: Reached) -> bool:
    return _has(reached, _ASKS)


def _has(reached: Reached, names: tuple[str, ...]) -> bool:
    code = reached.method.code
    return code is not None and any(each.name in names for each in code.instructions)


def _not_below(world: World, shape: Shape) -> str:
    """The bound of an array of references: a String[] is an Object[], too, and takes fewer objects."""
    element = shape.element
    if shape.kind is not Kind.ARRAY or element is None or not element.descriptor.startswith("L"):
        return ""
    owner = world.path.find(element.name)
    is_final = owner is not None and (Access.FINAL in owner.access or owner.above == ENUM)
    return "" if is_final else f"no {shape.type.words} is an array of a subclass"


def _asks_for_literals(reached: Reached) -> bool:
    """Whether a reference is compared with a string that is written there, that a static field holds, or an interned
    one."""
    code = reached.method.code
    if code is None:
        return False
    steps = list(code.instructions)
    places = [place for place, each in enumerate(steps) if each.name in _ASKS]
    return any(_is_literal(reached, each) for place in places for each in steps[max(place - _NEAR, 0) : place])


def _is_literal(reached: Reached, each: Instruction) -> bool:
    pool = reached.owner.pool
    if each.name.startswith("ldc"):
        return isinstance(pool.constant(each.number), StringConstant)
    if each.name == "getstatic":
        return pool.member(each.number).descriptor == f"L{STRING};"
    return each.name == "invokevirtual" and pool.member(each.number).name == "intern"


def _leads_to(world: World, name: str, wanted: set[str], seen: set[str]) -> bool:
    """Whether objects of a class or array type may be one of these types, or lead to one: collections to any."""
    if name in seen or name == STRING:
        return False
    seen.add(name)
    if name.startswith("["):
        element = name[1:]
        return name in wanted or (is_reference(element) and _leads_to(world, class_of(element), wanted, seen))
    if name in BOXES:
        return name in wanted
    owner = world.path.find(name)
    if owner is None or owner.above == ENUM:
        return False
    if not world.path.is_own(name):
        return bool(wanted)
    if any(name in world.above(each) or each in world.above(name) for each in wanted if _is_class(world, each)):
        return True
    fields = (each for one in world.superclasses(name) for each in one.fields if not each.is_static)
    return any(
        is_reference(each.descriptor) and _leads_to(world, class_of(each.descriptor), wanted, seen) for each in fields
    )


def _is_class(world: World, name: str) -> bool:
    return not name.startswith("[") and name != OBJECT and world.path.find(name) is not None
