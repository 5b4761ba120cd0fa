"""Decides what is built: the entry's module, the harness kind and text, the table of types, notes and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    compile_modules,
    entry_shape,
    find_entry,
    harness_kind,
    module_shapes,
    object_bounds,
    unknown_entry,
    unread_parameters,
)
from veer.frontends.c.before_harness import CallsBefore
from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.unit import unit_facts
from veer.frontends.c.declarations import declarations
from veer.frontends.c.devices import bounds_of_registers, devices, log_of
from veer.frontends.c.dialects.preludes import small_int
from veer.frontends.c.files import bounds_of_files, input_files, symbolic_files
from veer.frontends.c.harness import Plan
from veer.frontends.c.ineffective_options import idle_files, idle_sizes, require_uninstrumented
from veer.frontends.c.initialisers import bounds as initialised
from veer.frontends.c.initialisers import initialisers
from veer.frontends.c.inputs import comparable, global_inputs, usable
from veer.frontends.c.machine import machine_of
from veer.frontends.c.ownbounds import depths, in_words
from veer.frontends.c.preconditions import preconditions
from veer.frontends.c.sequences import plan_sequence
from veer.frontends.c.shapes import Shape
from veer.frontends.c.state import initial_state
from veer.frontends.c.statebefore import calls_before
from veer.frontends.c.typetable import TypeTable
from veer.frontends.c.unions import leaves_pointers_out
from veer.frontends.c.valueless import forgets_value
from veer.frontends.c.words import depends, within
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import DebugFunction
from veer.frontends.llvm.irtext import declared_functions
from veer.frontends.llvm.typerows import members, reachable
from veer.model.aliasing import may_alias
from veer.model.errors import UsageError
from veer.model.literal import offered
from veer.model.options import BuildOptions
from veer.model.program import AT_EXIT, BoundKind, ExtentKind, Function, HarnessKind, Type, TypeKind
from veer.model.sequence import parse
from veer.model.unitfacts import UnitFacts
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain

_ARRAYS = frozenset({ExtentKind.STRING, ExtentKind.FIXED, ExtentKind.LENGTH, ExtentKind.COUNT, ExtentKind.FLEXIBLE})
_ALONE = (ExtentKind.FUNCTION, ExtentKind.OPEN)
"""What pointers of these lead to is no alias of anything."""
MOST_OUTPUTS = 64
"""Global variables whose values are recorded around the call."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """All that is known before anything is instrumented."""

    modules: tuple[Module, ...]
    entry: Module
    plan: Plan
    table: TypeTable
    functions: tuple[Function, ...]
    notes: tuple[str, ...]
    bounds: tuple[str, ...]
    contracts: tuple[str, ...] = ()  # what is assumed of arguments, in words
    facts: UnitFacts | None = None  # what the code of all modules shows


def blueprint(options: BuildOptions, toolchain: Toolchain) -> Blueprint:
    """Compiles the sources and plans the harness. Raises UsageError and UnsupportedInputError."""
    modules = compile_modules(options, toolchain)
    made, machine = _blueprint(modules, options, toolchain), machine_of(options)
    notes = depends(machine, modules)
    left_out = [note for module in modules for note in module.notes]
    bounds = (*made.bounds, *within(machine, notes), *small_int(options.preludes))
    return replace(made, notes=(*made.notes, *left_out, *notes), bounds=bounds)


def _blueprint(modules: tuple[Module, ...], options: BuildOptions, toolchain: Toolchain) -> Blueprint:
    require_uninstrumented(modules, options, toolchain)
    if options.sequence:
        return _sequence_blueprint(modules, options, toolchain)
    module, debug_entry = _entry_of(modules, options, toolchain)
    table = TypeTable(object_bounds(options))
    kind = harness_kind(modules, debug_entry)
    knowledge = [Knowledge(each) for each in modules]
    of_entry = next((each for each in knowledge if each.module is module), Knowledge(module))
    shape = entry_shape(of_entry, debug_entry, table, options, kind)
    if kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        usable(shape, table.types)
    if kind is HarnessKind.LIBFUZZER:
        data = shape.function.parameters[0].type
        table.types[data] = replace(table.types[data], nullable=False)
    is_cxx = module.source.suffix in CXX_SUFFIXES
    known, found_notes = ((), ()) if is_cxx else global_inputs(module, table)
    variables, notes = (known, found_notes) if options.globals else ((), ())
    device = devices(modules, options, kind)
    is_program = kind is HarnessKind.PROGRAM
    takes_arguments = is_program and len(shape.function.parameters) >= 2
    _check_options(options, kind)
    if is_cxx:
        _check_cxx(options, kind, module)
    is_function = kind is HarnessKind.FUNCTION
    predicates = tuple(dict.fromkeys((*options.preconditions, *(shape.contract.preconditions if is_function else ()))))
    plan = Plan(
        kind=kind,
        include=module.read,
        entry=shape.function,
        types=table.types,
        globals=variables,
        outputs=(*log_of(device, kind, table), *comparable(known, table.types)[:MOST_OUTPUTS]),
        graph_depth=options.graph_depth,
        depths=depths(options.own_bounds),
        is_eager=options.eager,
        is_settled=options.compositional and kind is HarnessKind.FUNCTION,
        files=symbolic_files(options, kind),
        input_files=input_files(modules, _parameter_types(shape, table), options, kind),
        device=device,
        arguments=tuple(
            table.argument_pointer(options.argv_size, BoundKind.ARGUMENT)
            for _ in range(1, options.argc)
            if takes_arguments
        ),
        argument_count=table.argument_count(options.argc) if takes_arguments else -1,
        before=calls_before(modules, module, shape.function, known, table, options)
        if is_function and not (is_cxx or predicates or options.globals or options.eager or _is_whole(options))
        else None,
        preconditions=preconditions(
            predicates, _with_statics(modules, predicates, options, toolchain), module, shape.function, table
        ),
        declarations=declarations(shape.function, table.types) if is_cxx else "",
        has_exit_handlers=any(declared_functions(each.ir).keys() & AT_EXIT for each in modules),
        unread=unread_parameters(of_entry, shape) if is_function and not predicates else frozenset(),
    )
    if plan.before is not None:
        plan = replace(plan, before=_with_bounds(plan, plan.before, options))
    if kind is HarnessKind.FUNCTION and not is_cxx:
        known_initialisers = initialisers(module, options, toolchain)
        table.types[:] = [replace(row, initialiser=known_initialisers.get(row.name, "")) for row in table.types]
    entered = shape.function
    if entered.returns >= 0 and not is_cxx:
        entered = replace(entered, forgets_value=forgets_value(module, entered.name))
    functions = _functions(modules, module, [entered, *(each.function for each in plan.preconditions)], table)
    shape_notes = shape.notes if kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER) else ()
    said = (*shape_notes, *notes, *idle_sizes(options, kind, takes_arguments=takes_arguments))
    said = (*said, *(idle_files(options) if plan.input_files is None else ()))
    begins = () if is_program or options.entry == "main" else _state(modules, module, [options.entry], plan)
    restricted = (*bounds(plan, options), *(shape.contract.restricting if is_function else ()), *begins)
    words, facts = (shape.contract.words, unit_facts(knowledge, [shape.contract])) if is_function else ((), None)
    return Blueprint(modules, module, plan, table, functions, said, restricted, words, facts)


def _with_bounds(plan: Plan, before: CallsBefore, options: BuildOptions) -> CallsBefore:
    """With the bounds of the inputs of these calls, and of the variables."""
    given = [each.type for function in before.functions for each in function.parameters]
    of_calls = [words for identity in given for words in _bounds_of(plan, identity, options, set())]
    of_free = [words for _, identity in before.free for words in _bounds_of(plan, identity, options, set())]
    state = replace(before.state, of_calls=tuple(dict.fromkeys(of_calls)), of_free=tuple(dict.fromkeys(of_free)))
    return replace(before, state=state)


def _is_whole(options: BuildOptions) -> bool:
    """Whether the search is one of functions or of blocks, which begins with no inputs of another one."""
    return options.partitioned or options.compositional


def _parameter_types(shape: Shape, table: TypeTable) -> tuple[Type, ...]:
    return tuple(table.types[each.type] for each in shape.function.parameters if each.type >= 0)


def _check_options(options: BuildOptions, kind: HarnessKind) -> None:
    """Raises UsageError for an option about parameters where the harness passes none."""
    if options.preconditions and kind is not HarnessKind.FUNCTION:
        raise UsageError(f"--pre asks about the parameters of a function, and {options.entry} is a {kind} harness")
    if options.eager and kind is not HarnessKind.FUNCTION:
        raise UsageError(f"--eager makes the parameters of a function, and {options.entry} is a {kind} harness")
    is_given = options.own_bounds or any(not each.function for each in options.contracts)
    if is_given and kind not in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        raise UsageError(
            f"{_first_own(options)} bounds a parameter of a function, and {options.entry} is a {kind} harness"
        )


def _state(modules: Sequence[Module], module: Module, entries: Sequence[str], plan: Plan) -> tuple[str, ...]:
    """The bound on static data that is no input. A whole program begins with it in any case."""
    return initial_state(modules, module, entries, {name for name, _ in plan.globals})


def _entry_of(modules: Sequence[Module], options: BuildOptions, toolchain: Toolchain) -> tuple[Module, DebugFunction]:
    """The module that defines the entry, and the entry in it. Raises UsageError when there is none."""
    module = find_entry(modules, options.entry)
    if module is None:
        # A static function that nobody calls is only in the IR when it is asked for.
        complete = compile_modules(options, toolchain, ALL_FUNCTIONS)
        module = find_entry(complete, options.entry)
        if module is None:
            raise unknown_entry(complete, options.entry)
    entry = module.function(options.entry)
    if entry is None:
        raise unknown_entry(modules, options.entry)
    return module, entry


def _first_own(options: BuildOptions) -> str:
    """An option that speaks of a parameter of the entry, as it was given; "" when there is none."""
    own = [f"--{option} {name}={number}" for option, name, number in options.own_bounds]
    own += [each.place for each in options.contracts if not each.function]
    return next(iter([*own, *(f"--void {hint}" for hint in options.void)]), "")


def _check_cxx(options: BuildOptions, kind: HarnessKind, module: Module) -> None:
    """Raises UsageError for what works in C only."""
    used = (("--pre", options.preconditions), ("--globals", options.globals), ("--fail", options.fail))
    option = next((name for name, value in used if value), "")
    if option:
        raise UsageError(f"{option} works for entries in C, and {options.entry} is in C++ ({module.source.name})")
    if kind is not HarnessKind.FUNCTION:
        raise UsageError(
            f'{options.entry} of {module.source.name} is a {kind} harness in C++: name an extern "C" function instead'
        )


def _sequence_blueprint(modules: tuple[Module, ...], options: BuildOptions, toolchain: Toolchain) -> Blueprint:
    """The plan of a harness for call sequences. Raises UsageError."""
    if own := _first_own(options):
        raise UsageError(f"{own} speaks of a parameter of --entry: leave it out with --sequence")
    if options.eager:
        raise UsageError("--eager makes the parameters of --entry: leave it out with --sequence")
    steps = parse(options.sequence)
    symbolic_files(options)
    names = [name for step in steps for name in step.functions]
    complete: tuple[Module, ...] = modules
    if any(find_entry(modules, name) is None for name in names):
        complete = compile_modules(options, toolchain, ALL_FUNCTIONS)
    for name in names:
        if find_entry(complete, name) is None:
            raise unknown_entry(complete, name)
    module = next((each for each in complete if all(each.function(name) for name in names)), None)
    if module is None:
        raise UsageError(
            f"--sequence {options.sequence}: its functions are defined in several sources; name functions of one"
        )
    if module.source.suffix in CXX_SUFFIXES:
        raise UsageError(f"--sequence works for functions in C, and {module.source.name} is in C++")
    table = TypeTable(object_bounds(options))
    shaped = module_shapes(module, table, 0, options.contracts, infers=True)
    shapes = {each.function.name: each for each in shaped}
    contracts = {name: shapes[name].contract for name in dict.fromkeys(names)}
    constructors = frozenset(name for name, contract in contracts.items() if contract.is_constructor)
    for name in names:
        usable(shapes[name], table.types)
    known, found_notes = global_inputs(module, table)
    variables, notes = (known, found_notes) if options.globals else ((), ())
    functions = [shapes[name].function for name in names]
    sequence = plan_sequence(options.sequence, steps, functions, options.max_calls, table, constructors)
    entry = Function(options.entry, str(module.source), 0, (), -1, is_static=True, calls=tuple(dict.fromkeys(names)))
    plan = Plan(
        kind=HarnessKind.SEQUENCE,
        include=module.read,
        entry=entry,
        types=table.types,
        globals=variables,
        outputs=comparable(known, table.types)[:MOST_OUTPUTS],
        graph_depth=options.graph_depth,
        sequence=sequence,
    )
    unit = next(each for each in modules if each.source == module.source)
    found = _functions(modules, unit, [*sequence.functions, entry], table)
    said = [note for name in dict.fromkeys(names) for note in shapes[name].notes]
    restricted = [f"{name}: {words}" for name, contract in contracts.items() for words in contract.restricting]
    assumed = tuple(f"{name}: {words}" for name, contract in contracts.items() for words in contract.words)
    said += [
        f"{predicate}, which holds before {name}, is not asked of the calls of a sequence"
        for name, contract in contracts.items()
        for predicate in contract.preconditions
    ]
    facts = unit_facts([Knowledge(each) for each in complete], contracts.values())
    said += notes
    restricted = [*bounds(plan, options), *restricted, *_state(modules, unit, names, plan)]
    return Blueprint(modules, unit, plan, table, found, tuple(said), tuple(restricted), assumed, facts)


def _with_statics(
    modules: Sequence[Module], wanted: Sequence[str], options: BuildOptions, toolchain: Toolchain
) -> tuple[Module, ...]:
    """The modules in which predicates are looked for: a static one that nobody calls is in no other IR."""
    if all(find_entry(modules, name) is not None for name in wanted):
        return tuple(modules)
    return compile_modules(options, toolchain, ALL_FUNCTIONS)


def _functions(
    modules: Sequence[Module], entry: Module, entered: Sequence[Function], table: TypeTable
) -> tuple[Function, ...]:
    found: dict[tuple[str, str], Function] = {}
    for unit, module in enumerate(modules):
        # Debug info numbers its nodes by module; 0 is the entry's.
        number = 0 if module.source == entry.source and module.ir == entry.ir else unit + 1
        for shape in module_shapes(module, table, number):
            found.setdefault((shape.function.name, shape.function.file), shape.function)
    found |= {(each.name, each.file): each for each in entered}
    return tuple(found.values())


def bounds(plan: Plan, options: BuildOptions) -> tuple[str, ...]:
    """The bounds that restrict the inputs of this entry, in words: a claim holds within them."""
    found: dict[str, None] = {}
    if plan.kind is HarnessKind.PROGRAM:
        if plan.arguments:
            found[f"argv-size {options.argv_size}"] = None
            found[f"argc {len(plan.arguments) + 1}"] = None
    elif plan.kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        for parameter in plan.entry.parameters:
            words = _bounds_of(plan, parameter.type, options, set())
            found |= dict.fromkeys(in_words(parameter.name, words, options.own_bounds, options.graph_depth))
    elif plan.sequence is not None:
        found |= {f"sequences {options.sequence}": None, f"max-calls {plan.sequence.most}": None}
        for function, callee in zip(plan.sequence.functions, plan.sequence.calls.callees, strict=True):
            for parameter, pool in zip(function.parameters, callee.receivers, strict=True):
                found |= dict.fromkeys(_bounds_of(plan, parameter.type, options, set()) if pool < 0 else ())
    for _, identity in plan.globals:
        found |= dict.fromkeys(_bounds_of(plan, identity, options, set()))
    if plan.kind is HarnessKind.FUNCTION:
        roots = [*(each.type for each in plan.entry.parameters), *(identity for _, identity in plan.globals)]
        found |= dict.fromkeys(initialised(plan.types, reachable(plan.types, roots)))
    if plan.kind is HarnessKind.FUNCTION and _has_strangers(plan):
        found["pointers of different types lead to different objects"] = None
    if plan.kind is HarnessKind.FUNCTION and _has_several_arrays(plan):
        found["pointers lead to the beginnings of objects"] = None
    return (*found, *bounds_of_registers(plan), *bounds_of_files(plan, options))


def _has_strangers(plan: Plan) -> bool:
    """Whether there are pointers to data among the inputs whose types do not let them be aliases of each other."""
    roots = [*(each.type for each in plan.entry.parameters), *(identity for _, identity in plan.globals)]
    rows = [plan.types[identity] for identity in reachable(plan.types, roots)]
    targets = [row.target for row in rows if row.kind == TypeKind.POINTER and row.extent not in _ALONE]
    return any(not may_alias(plan.types, targets[0], other) for other in targets[1:])


def _has_several_arrays(plan: Plan) -> bool:
    """Whether two pointers among the inputs lead to more than one element each: one could point into the other's."""
    roots = [*(each.type for each in plan.entry.parameters), *(identity for _, identity in plan.globals)]
    fields = [field.type for identity in reachable(plan.types, roots) for field in plan.types[identity].fields]
    places = [plan.types[identity] for identity in (*roots, *fields) if identity >= 0]
    return sum(row.kind == TypeKind.POINTER and row.extent in _ARRAYS for row in places) > 1


def _bounds_of(plan: Plan, identity: int, options: BuildOptions, seen: set[int]) -> list[str]:
    if identity < 0 or identity in seen:
        return []
    seen.add(identity)
    row = plan.types[identity]
    found: list[str] = []
    if row.kind == TypeKind.POINTER:
        target = plan.types[row.target]
        if row.extent == ExtentKind.NULL:
            return ["pointers to files, and to functions whose results cannot be made, are NULL"]
        if row.extent == ExtentKind.OPEN:
            return []
        if row.extent == ExtentKind.FUNCTION:
            return ["pointers to functions are NULL or one stub", *_bounds_of(plan, row.returns, options, seen)]
        if (
            row.extent == ExtentKind.STRING
            or target.kind == TypeKind.OPAQUE
            or (row.extent == ExtentKind.LENGTH and target.size == 1)
        ):
            of_blocks = " of blocks" if row.extent == ExtentKind.FIXED else ""
            found.append(f"max-length {options.max_length}{of_blocks}")
        elif row.extent == ExtentKind.FLEXIBLE:
            is_text = row.bound is BoundKind.LENGTH if row.bound else row.maximum != options.max_array
            found.append(f"max-length {options.max_length}" if is_text else f"max-array {options.max_array}")
        elif row.extent in (ExtentKind.LENGTH, ExtentKind.COUNT):
            found.append(f"max-array {options.max_array}")
        elif row.extent == ExtentKind.ONE:
            found.append("one object behind a pointer")
        if target.kind in (TypeKind.STRUCT, TypeKind.UNION) or target.kind == TypeKind.POINTER:
            found.append(f"graph-depth {options.graph_depth}")
    others = offered(plan.types, row)
    if others:
        found.append(f"{row.name if ' ' in row.name else 'a union'} holds the member that is read first")
    if row.kind == TypeKind.UNION and leaves_pointers_out(plan.types, row):
        found.append(f"{row.name or 'a union'} holds its member {row.fields[0].name}")
    for below in (row.target, *(each.type for each in members(row)), *(each.type.id for each in others)):
        found += _bounds_of(plan, below, options, seen)
    return found
