"""Decides what is built: the entry's module, the harness kind and text, the table of types, notes and bounds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.frontends.c.analysis import (
    compile_modules,
    entry_shape,
    harness_kind,
    knowledge_of,
    object_bounds,
    unread_parameters,
)
from veer.frontends.c.asked_entry import check_cxx, check_options, entry_of
from veer.frontends.c.before_harness import CallsBefore
from veer.frontends.c.blueprint import MOST_OUTPUTS, Blueprint, begins_with, functions_of, with_statics
from veer.frontends.c.boundwords import bounds, bounds_of
from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.unit import unit_facts
from veer.frontends.c.declarations import declarations
from veer.frontends.c.devices import devices, log_of
from veer.frontends.c.dialects.preludes import small_int
from veer.frontends.c.endmembers import spans_of
from veer.frontends.c.files import input_files, symbolic_files
from veer.frontends.c.harness import Plan
from veer.frontends.c.ineffective_options import idle_files, idle_sizes, require_uninstrumented
from veer.frontends.c.initialisers import initialisers
from veer.frontends.c.inputs import comparable, global_inputs, usable
from veer.frontends.c.interrupts import interrupt_of
from veer.frontends.c.machine import machine_of
from veer.frontends.c.outside import beside, outside
from veer.frontends.c.ownbounds import depths
from veer.frontends.c.preconditions import preconditions
from veer.frontends.c.sequence_planning import sequence_blueprint
from veer.frontends.c.shapes import Shape
from veer.frontends.c.standardinput import reads_standard_input
from veer.frontends.c.statebefore import calls_before
from veer.frontends.c.stubs import mocks_of
from veer.frontends.c.typetable import TypeTable
from veer.frontends.c.valueless import forgets_value
from veer.frontends.c.versions import Compared, compared
from veer.frontends.c.words import depends, within
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import declared_functions
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.growth import ARGUMENT_DOUBLINGS
from veer.model.program import AT_EXIT, NEW_VERSION, Function, HarnessKind
from veer.model.stubcalls import Mocks
from veer.model.types import BoundKind, Type
from veer.model.values import replace
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain


def blueprint(options: BuildOptions, toolchain: Toolchain, *, is_bare: bool = False) -> Blueprint:
    """Compiles the sources and plans the harness. Raises UsageError and UnsupportedInputError.

    `is_bare`: without the functions that are no part of the plan.
    """
    modules = compile_modules(options, toolchain)
    made, machine = _blueprint(modules, options, toolchain, is_bare=is_bare), machine_of(options)
    notes = depends(machine, modules)
    left_out = [note for module in modules for note in module.notes]
    bounds = (*made.bounds, *within(machine, notes), *small_int(options.preludes))
    return replace(made, notes=(*made.notes, *left_out, *notes), bounds=bounds)


def _blueprint(
    modules: tuple[Module, ...], options: BuildOptions, toolchain: Toolchain, *, is_bare: bool = False
) -> Blueprint:
    require_uninstrumented(modules, options, toolchain)
    if options.sequence:
        return sequence_blueprint(modules, options, toolchain)
    site = _site(modules, options, toolchain)
    plan = _plan(site)
    module, shape, table = site.module, site.shape, site.table
    version: Compared | None = None
    if options.against:
        version = _version(site, plan)
        plan = replace(plan, other=version.other)
    entered = shape.function
    if entered.returns >= 0 and not site.is_cxx:
        entered = replace(entered, forgets_value=forgets_value(module, entered.name))
    own_types = len(table.types)
    planned = [entered, *(each.function for each in plan.preconditions)]
    functions = functions_of(() if is_bare else modules, module, planned, table)
    begins = () if site.is_program or options.entry == "main" else begins_with(modules, module, [options.entry], plan)
    contract = shape.contract
    restricted = (*bounds(plan, options), *(contract.restricting if site.is_function else ()), *begins)
    words, facts = (contract.words, unit_facts(site.whole, [contract])) if site.is_function else ((), None)
    others: tuple[Module, ...] = ()
    if version is not None:
        functions, others, restricted = (
            _with_other(functions, version, options.entry),
            version.modules,
            (*restricted, *version.bounds),
        )
    notes, rows = _notes(site, plan), min(own_types, len(table.types))
    return Blueprint(modules, module, plan, table, functions, notes, restricted, words, facts, others, rows)


def _version(site: _Site, plan: Plan) -> Compared:
    """The other version of the entry. Raises UsageError."""
    if site.is_cxx or not site.is_function:
        raise UsageError(f"{site.options.entry} is no function in C that is called with inputs: such are compared")
    return compared(site.options, site.toolchain, site.modules, plan, site.known)


def _with_other(functions: Sequence[Function], version: Compared, entry: str) -> tuple[Function, ...]:
    """The entry's functions and those of the other version, which is called where the entry is."""
    called = next(each.name for each in version.functions if each.name.removeprefix(NEW_VERSION) == entry)
    own = (replace(each, calls=(*each.calls, called)) if each.name == entry else each for each in functions)
    return (*own, *version.functions)


class _Site(Struct, frozen=True):
    """The entry among the modules. `known`: the global variables of its source, `notes`: what is said of them."""

    modules: tuple[Module, ...]
    module: Module
    knowledge: tuple[Knowledge, ...]
    of_entry: Knowledge
    shape: Shape
    table: TypeTable
    kind: HarnessKind
    known: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    options: BuildOptions
    toolchain: Toolchain

    @property
    def whole(self) -> tuple[Knowledge, ...]:
        """What is known of all sources; of the entry's with the inline functions that nobody calls, if it is one."""
        return with_entry(self.knowledge, self.of_entry)

    @property
    def is_cxx(self) -> bool:
        return self.module.source.suffix in CXX_SUFFIXES

    @property
    def is_function(self) -> bool:
        return self.kind is HarnessKind.FUNCTION

    @property
    def is_program(self) -> bool:
        return self.kind is HarnessKind.PROGRAM

    @property
    def is_given(self) -> bool:
        """Whether it is called with inputs as its arguments."""
        return self.kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER)

    @property
    def takes_arguments(self) -> bool:
        """Whether it is a program that looks at its command line."""
        return self.is_program and len(self.shape.function.parameters) >= 2

    @property
    def predicates(self) -> dict[str, str]:
        """The functions that must hold of its arguments, each with who says so."""
        said = self.shape.contract.who_asks if self.is_function else {}
        return {name: f"{place}: pre {name}" for name, place in said.items()} | {
            name: f"--pre {name}" for name in self.options.preconditions
        }


def with_entry(knowledge: Sequence[Knowledge], own: Knowledge) -> tuple[Knowledge, ...]:
    """What is known of all sources, where `own` is of the entry's."""
    return tuple(own if each.module.source == own.module.source else each for each in knowledge)


def _site(modules: tuple[Module, ...], options: BuildOptions, toolchain: Toolchain) -> _Site:
    """Raises UsageError and UnsupportedInputError."""
    module, debug_entry = entry_of(modules, options, toolchain)
    table = TypeTable(object_bounds(options))
    kind = harness_kind(modules, debug_entry)
    knowledge = tuple(map(knowledge_of, modules))
    of_entry = next((each for each in knowledge if each.module is module), None) or knowledge_of(module)
    is_alone = not (options.against or _is_whole(options)) and module.source.suffix not in CXX_SUFFIXES
    if kind is HarnessKind.FUNCTION and is_alone:
        table.spans = spans_of(unit_facts(with_entry(knowledge, of_entry)))
    shape = entry_shape(of_entry, debug_entry, table, options, kind)
    if kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        usable(shape, table.types)
    if kind is HarnessKind.LIBFUZZER:
        data = shape.function.parameters[0].type
        table.types[data] = replace(table.types[data], nullable=False)
    is_cxx = module.source.suffix in CXX_SUFFIXES
    known, notes = ((), ()) if is_cxx else global_inputs(module, table)
    check_options(options, kind)
    if is_cxx:
        check_cxx(options, kind, module)
    return _Site(modules, module, knowledge, of_entry, shape, table, kind, known, notes, options, toolchain)


def _plan(site: _Site) -> Plan:
    """The harness. Raises UsageError."""
    options, table, kind, entry = site.options, site.table, site.kind, site.shape.function
    device = devices(site.modules, options, kind)
    has_usual_argc = options.argc == BuildOptions((), "").argc  # which grows; one that the user chose does not
    plan = Plan(
        kind=kind,
        include=site.module.read,
        entry=entry,
        types=table.types,
        globals=(*(site.known if options.globals else ()), *_outside(site)),
        beside=beside(site.modules, site.module, [entry.name]) if site.is_function else frozenset(),
        outputs=(*log_of(device, kind, table), *comparable(site.known, table.types)[:MOST_OUTPUTS]),
        graph_depth=options.graph_depth,
        depths=depths(options.own_bounds),
        is_eager=options.eager,
        is_settled=options.compositional and site.is_function,
        files=symbolic_files(options, reads_input=_reads_input(site)),
        input_files=input_files(site.modules, _parameter_types(site.shape, table), options, kind),
        device=device,
        interrupt=interrupt_of(site.modules, site.module, options, kind),
        tells=mocks_of(options, kind) is not Mocks.NONE,
        arguments=tuple(
            table.argument_pointer(options.argv_size, BoundKind.ARGUMENT)
            for _ in range(1, options.argc << ARGUMENT_DOUBLINGS * has_usual_argc)
            if site.takes_arguments
        ),
        argument_count=table.argument_count(options.argc, grows=has_usual_argc) if site.takes_arguments else -1,
        before=_before(site),
        preconditions=preconditions(
            site.predicates,
            with_statics(site.modules, tuple(site.predicates), options, site.toolchain),
            site.module,
            entry,
            table,
        ),
        declarations=declarations(entry, table.types) if site.is_cxx else "",
        has_exit_handlers=any(declared_functions(each.ir).keys() & AT_EXIT for each in site.modules),
        unread=unread_parameters(site.of_entry, site.shape)
        if site.is_function and not site.predicates and not options.against
        else frozenset(),
    )
    if plan.before is not None:
        plan = replace(plan, before=_with_bounds(plan, plan.before, options))
    if site.is_function and not site.is_cxx:
        known_initialisers = initialisers(site.module, options, site.toolchain)
        table.types[:] = [replace(row, initialiser=known_initialisers.get(row.name, "")) for row in table.types]
    return plan


def _outside(site: _Site) -> tuple[tuple[str, int], ...]:
    """The variables of other sources that are inputs. One that a parameter hides has no name where a suite sets it."""
    if site.is_cxx or not site.is_function or site.options.against or _is_whole(site.options):
        return ()
    entry = site.shape.function
    found = outside(site.modules, site.module, [entry.name], site.options, site.toolchain, site.table)
    hidden = {each.name for each in entry.parameters}
    return tuple(each for each in found if each[0] not in hidden)


def _reads_input(site: _Site) -> bool:
    """Whether standard input is an input: of a program and a function that may read it. What libraries read is not
    seen: beside one, and in C++, every program reads it."""
    name, options = site.shape.function.name, site.options
    if site.kind is HarnessKind.PROGRAM:
        is_open = bool(options.link or options.uninstrumented or site.is_cxx)
        return is_open or reads_standard_input(site.modules, name, is_program=True)
    return site.kind is HarnessKind.FUNCTION and reads_standard_input(site.modules, name)


def _before(site: _Site) -> CallsBefore | None:
    """What may be called before the entry; None where its static data is taken as it begins."""
    options = site.options
    is_kept = (
        site.is_cxx or site.predicates or options.globals or options.eager or options.against or _is_whole(options)
    )
    if is_kept or not site.is_function:
        return None
    return calls_before(site.modules, site.module, site.shape.function, site.known, site.table, options)


def _notes(site: _Site, plan: Plan) -> tuple[str, ...]:
    """What the user should know of the inputs."""
    options = site.options
    return (
        *(site.shape.notes if site.is_given else ()),
        *(site.notes if options.globals else ()),
        *idle_sizes(options, site.kind, takes_arguments=site.takes_arguments, reads_input=_reads_input(site)),
        *(idle_files(options) if plan.input_files is None else ()),
    )


def _with_bounds(plan: Plan, before: CallsBefore, options: BuildOptions) -> CallsBefore:
    """With the bounds of the inputs of these calls, and of the variables."""
    given = [each.type for function in before.functions for each in function.parameters]
    of_calls = [words for identity in given for words in bounds_of(plan, identity, options)]
    of_free = [words for _, identity in before.free for words in bounds_of(plan, identity, options)]
    state = replace(before.state, of_calls=tuple(dict.fromkeys(of_calls)), of_free=tuple(dict.fromkeys(of_free)))
    return replace(before, state=state)


def _is_whole(options: BuildOptions) -> bool:
    """Whether the search is one of functions or of blocks, which begins with no inputs of another one."""
    return options.partitioned or options.compositional


def _parameter_types(shape: Shape, table: TypeTable) -> tuple[Type, ...]:
    return tuple(table.types[each.type] for each in shape.function.parameters if each.type >= 0)
