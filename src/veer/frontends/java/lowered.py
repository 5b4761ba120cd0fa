"""An entry of a source → its closed world as one module of LLVM IR."""

from __future__ import annotations

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.entries import chosen, is_program, reads_arguments, receiver_of, why_not
from veer.frontends.java.lowering.adapter import adapter
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import Reached, World
from veer.frontends.java.units import Found, Unit
from veer.frontends.llvm.harness import TARGET
from veer.model.errors import UsageError

INPUTS = "veer/Inputs"
VALUE, THROWN = "value", "thrown"
"""The members of a result."""
RUNTIME_FILES = "/jdk"
"""Where the sources of the runtime's classes are said to lie: in no place that there is."""


class Lowered(Struct, frozen=True):
    """An entry as text for the executor."""

    unit: Unit
    found: Found
    entry: Reached
    module: Module
    text: str
    shared: tuple[tuple[str, str], ...] = ()  # methods of the runtime: name, text of a module of its own
    reads_arguments: bool = False  # a program whose arguments are inputs
    constructor: Reached | None = None  # of the object that the entry is called on


def lower(source: Unit, name: str) -> Lowered:
    """The closed world of an entry as IR. Raises UsageError."""
    found = chosen(source, name)
    if why := why_not(found):
        raise UsageError(why)
    world = World(source.path)
    if not found.method.is_static:
        world.make(found.owner.name)
    made = receiver_of(found)
    for each in (*([made] if made is not None else []), found.method):
        world.grow(found.owner, each, () if is_program(found) else method_types(each.descriptor)[0])
    arguments = _arguments(world, found) if is_program(found) else None
    module = Module(world, lambda owner: _file_of(world, owner, source))
    entry = world.methods[found.owner.name, *found.method.key]
    constructor = world.methods[found.owner.name, *made.key] if made is not None else None
    written = module.write(lambda: adapter(entry, module, constructor, arguments))
    shared = tuple((each.symbol, TARGET + each.text + "\n") for each in written.shared)
    reads = is_program(found) and reads_arguments(found)
    return Lowered(source, found, entry, module, TARGET + written.own + "\n", shared, reads, constructor)


def _arguments(world: World, found: Found) -> Reached:
    """What makes the arguments of a program."""
    owner = world.type(INPUTS)
    method = owner.method("arguments" if reads_arguments(found) else "none", "()[Ljava/lang/String;")
    assert method is not None
    world.grow(owner, method, ())
    return world.methods[owner.name, *method.key]


def _file_of(world: World, owner: ClassFile, unit: Unit) -> str:
    package = owner.name.rpartition("/")[0]
    name = f"{package}/{owner.source}" if package else owner.source
    if not world.path.is_own(owner.name):
        return f"{RUNTIME_FILES}/{name}"
    root = next((each for each in (unit.root, *unit.more_roots) if (each / name).exists()), unit.root)
    return str(root / name)
