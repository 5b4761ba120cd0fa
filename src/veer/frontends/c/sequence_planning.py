"""Decides what is built for call sequences (planning.py: for one entry)."""

from __future__ import annotations

from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    compile_modules,
    find_entry,
    knowledge_of,
    module_shapes,
    object_bounds,
    unknown_entry,
)
from veer.frontends.c.asked_entry import first_own
from veer.frontends.c.blueprint import MOST_OUTPUTS, Blueprint, begins_with, functions_of, with_statics
from veer.frontends.c.boundwords import bounds
from veer.frontends.c.contracts.unit import unit_facts
from veer.frontends.c.files import symbolic_files
from veer.frontends.c.harness import Plan
from veer.frontends.c.inputs import comparable, global_inputs, usable
from veer.frontends.c.outside import beside, outside
from veer.frontends.c.ownpools import with_objects
from veer.frontends.c.sequence_predicates import asked_before, said_by, said_of_calls
from veer.frontends.c.sequences import plan_sequence, with_ends
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import Function, HarnessKind
from veer.model.sequence import parse
from veer.model.values import replace
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain


def sequence_blueprint(modules: tuple[Module, ...], options: BuildOptions, toolchain: Toolchain) -> Blueprint:
    """The plan of a harness for call sequences. Raises UsageError."""
    if own := first_own(options):
        raise UsageError(f"{own} speaks of a parameter of --entry: leave it out with --sequence")
    if options.eager:
        raise UsageError("--eager makes the parameters of --entry: leave it out with --sequence")
    if options.interrupt:
        raise UsageError(f"--interrupt {options.interrupt} is for --entry: leave it out with --sequence")
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
    shaped = module_shapes(module, table, 0, options.contracts, infers=True, has_parts=False)
    shapes = {each.function.name: each for each in shaped}
    contracts = {name: shapes[name].contract for name in dict.fromkeys(names)}
    constructors = frozenset(name for name, contract in contracts.items() if contract.is_constructor)
    for name in names:
        usable(shapes[name], table.types)
    known, found_notes = global_inputs(module, table)
    variables, notes = (known, found_notes) if options.globals else ((), ())
    facts = unit_facts([*map(knowledge_of, complete)], contracts.values())
    functions = [shapes[name].function for name in names]
    if options.own_structs:
        functions = [with_objects(each, table, facts.tested) for each in functions]
    sequence = plan_sequence(
        options.sequence, steps, functions, options.max_calls, table, constructors, options.own_structs, facts.delivers
    )
    said_of = said_by(contracts, options.preconditions)
    predicates = tuple(name for each in said_of.values() for name in each)
    among = with_statics(complete, predicates, options, toolchain)
    asked = asked_before(said_of, sequence.functions, among, module, table)
    sequence = replace(with_ends(sequence, facts.ends), asked=asked)
    entry = Function(options.entry, str(module.source), 0, (), -1, is_static=True, calls=tuple(dict.fromkeys(names)))
    plan = Plan(
        kind=HarnessKind.SEQUENCE,
        include=module.read,
        entry=entry,
        types=table.types,
        globals=(*variables, *outside(complete, module, names, options, toolchain, table)),
        beside=beside(complete, module, names),
        outputs=comparable(known, table.types)[:MOST_OUTPUTS],
        graph_depth=options.graph_depth,
        sequence=sequence,
        preconditions=tuple({each.function.name: each for before in asked for each in before}.values()),
    )
    unit = next(each for each in modules if each.source == module.source)
    called = [*sequence.functions, entry, *(each.function for each in plan.preconditions)]
    found = functions_of(modules, unit, called, table)
    said = [note for name in dict.fromkeys(names) for note in shapes[name].notes]
    restricted = [f"{name}: {words}" for name, contract in contracts.items() for words in contract.restricting]
    assumed = tuple(f"{name}: {words}" for name, contract in contracts.items() for words in contract.words)
    said += notes
    restricted += [f"{words} before {name}" for name, words in said_of_calls(sequence)]
    restricted = [*bounds(plan, options), *restricted, *begins_with(modules, unit, names, plan)]
    return Blueprint(
        modules, unit, plan, table, found, tuple(said), tuple(restricted), assumed, facts, own_types=len(table.types)
    )
