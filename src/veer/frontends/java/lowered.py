"""An entry of a source → its closed world as one module of LLVM IR."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.entries import chosen, receiver_of, why_not
from veer.frontends.java.lowering.adapter import adapter
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import Reached, World
from veer.frontends.java.units import Found, Unit
from veer.frontends.llvm.harness import TARGET
from veer.model.errors import UsageError

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
        world.grow(found.owner, each, method_types(each.descriptor)[0])
    module = Module(world, lambda owner: _file_of(world, owner, source.root))
    entry = world.methods[found.owner.name, *found.method.key]
    body = module.write()
    # The adapter may ask the module for tables of its own, which come behind.
    known = len(module.constants)
    constructor = world.methods[found.owner.name, *made.key] if made is not None else None
    call = adapter(entry, module, constructor)
    text = "\n".join([TARGET.rstrip(), body, *module.constants[known:], call])
    return Lowered(source, found, entry, module, text, constructor)


def _file_of(world: World, owner: ClassFile, root: Path) -> str:
    package = owner.name.rpartition("/")[0]
    name = f"{package}/{owner.source}" if package else owner.source
    return str(root / name) if world.path.is_own(owner.name) else f"{RUNTIME_FILES}/{name}"
