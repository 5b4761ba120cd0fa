"""An entry of a source → its closed world as one module of LLVM IR."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from veer.frontends.java.before import Earlier, begun, earlier, parameters_of
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile, Method
from veer.frontends.java.entries import Given, chosen, given, ignores_arguments, is_program, shapes_of, why_not
from veer.frontends.java.jdk import Jdk
from veer.frontends.java.lowering.adapter import Made, adapter
from veer.frontends.java.lowering.calledbefore import before_text
from veer.frontends.java.lowering.callsites import MADE
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import INPUTS, Reached, World
from veer.frontends.java.preconditions import places, precondition
from veer.frontends.java.shapes.growing import add
from veer.frontends.java.shapes.naming import as_made
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.shapes.shape import Shape
from veer.frontends.java.shapes.shapes import Shapes
from veer.frontends.java.specifications.watching import Monitored, monitored, with_monitors
from veer.frontends.java.types import TypeTable, reached, twin
from veer.frontends.java.units import Found, Unit
from veer.frontends.llvm.harness import TARGET
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import RUNTIME_FILES, Parameter
from veer.model.state import StateBefore
from veer.model.values import replace
from veer.toolchain.cache import Cache

_ARE_ARGUMENTS = ("areArguments", "([Ljava/lang/String;)Z")
_NO_ARGUMENTS = ("none", "()[Ljava/lang/String;")
"""Methods of core/veer/Inputs.java."""


class Lowered(Struct, frozen=True):
    """An entry as text for the executor."""

    unit: Unit
    found: Found
    entry: Reached
    module: Module
    table: TypeTable
    parameters: tuple[Parameter, ...]
    text: str
    shared: tuple[tuple[str, str], ...] = ()  # methods of the runtime: name, text of a module of its own
    given: Given = Given(None, (), ())
    preconditions: tuple[str, ...] = ()  # functions
    monitored: Monitored | None = None
    called: tuple[tuple[str, tuple[Parameter, ...]], ...] = ()  # before the entry: functions and their inputs
    calls: tuple[Found, ...] = ()  # the same as methods
    is_on_object: bool = False  # its object is made before these calls
    state: StateBefore | None = None
    bounds: tuple[str, ...] = ()


def lower(source: Unit, options: BuildOptions, jdk: Jdk, cache: Cache) -> Lowered:
    """The closed world of an entry as IR. Raises UsageError, UnsupportedInputError, ToolchainError."""
    found = chosen(source, options.entry)
    if why := why_not(found):
        raise UsageError(why)
    asked = [precondition(source, found, name) for name in options.preconditions]
    shapes = shapes_of(source, found, [each.owner for each in asked if each.owner])
    gets = given(found, shapes)
    calls = _earlier(source, found, gets, shapes, options)
    world = World(source.path)
    if found.method.name == INIT:
        world.make(found.owner.name)
    add(world, reached(shapes, chain(gets.shapes(shapes), calls.shapes(shapes))))
    constructor = gets.constructor(shapes)
    if constructor is not None:
        world.reach(world.type(gets.receiver.candidates[0].name), constructor)  # type: ignore[union-attr]
    world.grow(found.owner, found.method, () if ignores_arguments(found) else method_types(found.method.descriptor)[0])
    made_monitors = monitored(source, found, options, jdk, cache)
    if made_monitors is not None:
        made_monitors.reach(world)
    before = [(each, world.reach(each.found.owner, each.found.method)) for each in asked]
    called = [world.reach(each.owner, each.method) for each in calls.methods]
    none = _of_inputs(world, *_NO_ARGUMENTS) if ignores_arguments(found) else None
    are_arguments = _of_inputs(world, *_ARE_ARGUMENTS) if is_program(found) and none is None else None
    world.close()
    module = Module(world, lambda owner: _file_of(world, owner, source))
    table = TypeTable(shapes, module.layouts, options.max_array, options.max_length)
    parameters = gets.parameters(table)
    of_object = _as_made(gets.receiver) if gets.receiver is not None and calls.is_on_object else ()
    apart = gets.apart(shapes, found)
    bounds = (*_bounds(table, calls, of_object), *apart, *(() if is_program(found) else begun(world, calls.named)))
    inputs = tuple((each.symbol, parameters_of(one, table)) for one, each in zip(calls.methods, called, strict=True))
    entry = world.methods[found.owner.name, *found.method.key]
    made = _made(gets, table, parameters, constructor, world, none)
    asked_first = [(are_arguments, (0,))] if are_arguments is not None else []
    conditions = (*asked_first, *((one, places(each, gets)) for each, one in before))
    made = replace(made, preconditions=conditions, has_begun=bool(called))
    written = module.write(lambda: adapter(entry, module, table, made) + before_text(entry, module, made, called))
    shared = tuple((each.symbol, TARGET + each.text + "\n") for each in written.shared)
    text = TARGET + written.own + "\n"
    if made_monitors is not None:
        text = with_monitors(text, made_monitors, {key: each.symbol for key, each in world.methods.items()})
    names = tuple(one.symbol for _, one in before)
    whole = Lowered(source, found, entry, module, table, parameters, text, shared, gets, names, made_monitors)
    return replace(
        whole,
        called=inputs,
        calls=calls.methods,
        is_on_object=made.constructor is not None,
        state=_state(calls, called, [words for words in table.bounds if words not in (*bounds, *of_object)]),
        bounds=bounds,
    )


def _earlier(source: Unit, found: Found, gets: Given, shapes: Shapes, options: BuildOptions) -> Earlier:
    """What may be called before: where no precondition and no specification says what calls there are, and the search
    begins with inputs of another one (not of blocks or functions)."""
    is_kept = options.preconditions or options.specifications or options.partitioned or options.compositional
    return earlier(source, found, gets, shapes, may_call=not is_kept)


def _as_made(shape: Shape) -> tuple[str, ...]:
    """What is said of an object as its constructor makes it, which calls before may change."""
    return tuple(as_made(each.name, each.constructor) for each in shape.candidates if each.constructor is not None)


def _bounds(table: TypeTable, calls: Earlier, of_object: tuple[str, ...]) -> tuple[str, ...]:
    """The bounds of the entry's own inputs, without `of_object`."""
    others = {words for row in table.rows.values() for words in row.shape.bounds}
    found = [words for words in table.bounds if words in others or words not in of_object]
    return tuple(dict.fromkeys((*found, *([calls.begins] if calls.begins else []))))


def _state(calls: Earlier, called: list[Reached], more: Iterable[str]) -> StateBefore | None:
    """`more`: bounds of the inputs of these calls."""
    if not called:
        return None
    on_object = frozenset(each.symbol for each in called if not each.method.is_static)
    return StateBefore(tuple(each.symbol for each in called), (), calls.begins, tuple(more), on_object=on_object)


def _made(
    gets: Given,
    table: TypeTable,
    parameters: tuple[Parameter, ...],
    constructor: Method | None,
    world: World,
    no_arguments: Reached | None,
) -> Made:
    if gets.receiver is None:
        return Made(no_arguments=no_arguments)
    if constructor is None:
        has_others = twin(table.shapes, gets.receiver, gets.twins) is not None
        number = table.layouts.numbers[gets.receiver.candidates[0].name] if has_others else 0
        return Made(is_given=True, number=number)
    owner = gets.receiver.candidates[0].name
    offsets = tuple(each.offset for each in table.types[parameters[0].type].fields)
    return Made(world.methods[owner, *constructor.key], offsets)


def _of_inputs(world: World, name: str, descriptor: str) -> Reached:
    """A method of veer's own about inputs (core/veer/Inputs.java)."""
    owner = world.type(INPUTS)
    method = owner.method(name, descriptor)
    assert method is not None
    world.grow(owner, method, method_types(descriptor)[0])
    return world.methods[owner.name, *method.key]


def _file_of(world: World, owner: ClassFile, unit: Unit) -> str:
    """Where its source is: in the folders of its package, or nearer to the root where there are no such folders. What
    stands for a call site has none: what is thrown there is told at the user's call."""
    *folders, _ = owner.name.split("/")
    names = ["/".join((*folders[count:], owner.source)) for count in range(len(folders) + 1)]
    if MADE in owner.name or not world.path.is_own(owner.name):
        return f"{RUNTIME_FILES}/{names[0]}"
    found = (root / name for name in names for root in (unit.root, *unit.more_roots))
    return str(next((each for each in found if each.exists()), unit.root / names[0]))
