"""The public face of the instrumenter: LLVM IR text of one translation unit in, instrumented text and its sites out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import PurePath

from msgspec import Struct, field

from veer.instrument import convention
from veer.instrument.calls import Callees
from veer.instrument.codegen import emit_object, prepare
from veer.instrument.condition import ConditionText, SourceText
from veer.instrument.content import content_of, named
from veer.instrument.counters import EDGE_HITS, PATH_HASH, count_function
from veer.instrument.decisions import CoverageMarks, EdgeMarks, NoMarks
from veer.instrument.foundloop import LoopUnit
from veer.instrument.function import instrument_function, lowered
from veer.instrument.heeded import heeded
from veer.instrument.lexer import bare
from veer.instrument.loops import find_loops
from veer.instrument.module import Block, Function, Module, parse_blocks, parse_module, successors
from veer.instrument.sites import SiteTable, back_edges, number_sites
from veer.instrument.uses import described_uses
from veer.instrument.variables import is_wrapped, keep_descriptions, plain_variables, rewrite_variable
from veer.instrument.writer import UnitText
from veer.model.loops import Loop
from veer.model.program import Content, Site
from veer.model.values import replace
from veer.wire.layout import COVERAGE_BASE

__all__ = ["FunctionGraph", "Unit", "UnitOptions", "base_module", "emit_object", "instrument", "prepare"]

NO_SITES = range(0)
_COLD_WEIGHTS = '!0 = !{!"branch_weights", i32 1, i32 1048575}'
_MARKED = '"veer"'  # an attribute group must not be empty
_METADATA_OPERAND = re.compile(r"\bmetadata !(\d+)")
_DECLARED = re.compile(r"^declare [^@\n]*@([-\w.$]+)\(", re.MULTILINE)
_GROUP = re.compile(r"attributes #(\d+) = \{ (.*) \}")
_REFERENCE = re.compile(r'"[^"]*"|@(?:[-\w.$]+|"[^"]*")')
_OF_ERRNO = frozenset(
    ("__errno_location", "perror", "err", "verr", "warn", "vwarn", "error", "error_at_line", "syslog", "vsyslog")
)
"""Functions through which code asks for errno."""
_KEPT_ATTRIBUTES = frozenset(
    ("nounwind", "noreturn", "returns_twice", "strictfp", "naked", "noinline", "noimplicitfloat")
)


def _no_source(_: str) -> Sequence[str]:
    return ()


class UnitOptions(Struct, frozen=True):
    """What decides how a unit is instrumented.

    `unit` is a short hexadecimal name, unique per translation unit; `mode` is "concolic" or "counters"; `redirect` maps
    names of functions that are declared but not defined to veer's own; `keeps_flows`: the text was prepared for that;
    `has_fast_path`: concrete data has a copy of each function of its own (fastpath.py), which changes nothing but the
    time and the size. Functions that keep flows have one.
    """

    unit: str
    mode: str = "concolic"
    is_library: bool = False
    keeps_flows: bool = False
    uninstrumented: frozenset[str] = frozenset()
    redirect: Mapping[str, str] = field(default_factory=dict)
    source_text: SourceText = _no_source
    has_fast_path: bool = True
    boundaries: bool = False
    loops: bool = True
    summarise: frozenset[str] = frozenset()


class FunctionGraph(Struct, frozen=True):
    """A defined function: where it is declared, successors of each basic block, functions that it calls by name and
    those whose address it takes."""

    name: str
    file: str
    line: int
    successors: tuple[tuple[int, ...], ...]
    calls: tuple[str, ...]
    takes: tuple[str, ...] = ()
    heeds: tuple[str, ...] = ()  # of other units: functions whose results it uses, variables


class Unit(Struct, frozen=True):
    """An instrumented translation unit; ids of sites and numbers of items count from 0 within it."""

    text: str
    sites: tuple[Site, ...]
    item_count: int
    functions: tuple[FunctionGraph, ...]
    addresses: tuple[str, ...] = ()  # functions whose addresses are in data
    loops: tuple[Loop, ...] = ()  # those that have boundaries of their own
    contents: tuple[Content, ...] = ()  # of compositional builds


def instrument(text: str, options: UnitOptions) -> Unit:
    """Instruments what `prepare` gave. Raises ValueError on text that it does not understand."""
    is_concolic = options.mode == "concolic"
    module = parse_module(redirected(text, options.redirect))
    options = replace(options, uninstrumented=options.uninstrumented | _naked(module))
    bodies = [
        (function, parse_blocks(function))
        for function in module.functions
        if bare(function.name) not in options.uninstrumented
    ]
    original = {target: name for name, target in options.redirect.items()}
    table = number_sites(
        module,
        bodies,
        ConditionText(options.source_text),
        is_library=options.is_library,
        original_names=original,
    )
    unit = UnitText(options.unit, _declared(module))
    loops = _loops(module, bodies, table, options.summarise) if options.boundaries and options.loops else {}
    if is_concolic:
        lines = _concolic(module, options, bodies, table, unit, loops)
    else:
        lines = _counters(module, bodies, table, unit)
    output = "\n".join(lines) + "\n"
    graphs = tuple(_graph(module, function, blocks, original) for function, blocks in bodies)
    addresses = _addresses(module, original)
    found = tuple(each.loop for units in loops.values() for each in units)
    pairs = zip(bodies, graphs, strict=True)
    units = f"{options.loops} {sorted(options.summarise)}"
    contents = tuple(content_of(module, function, blocks, graph.calls, units) for (function, blocks), graph in pairs)
    return Unit(
        output,
        tuple(table.sites),
        table.item_count,
        graphs,
        addresses,
        found,
        contents if options.boundaries else (),
    )


def base_module(
    bases: Mapping[str, int], line_bases: Mapping[str, int] | None = None, library: range = NO_SITES
) -> str:
    """A module that gives each unit's symbols their values; `bases`: unit → number of its first site, `line_bases`:
    unit → number of its first counted line, `library`: the sites of veer's own libc."""
    lines = []
    for symbol, value in (("veer_library_begin", library.start), ("veer_library_end", library.stop)):
        lines += [f'module asm ".globl {symbol}"', f'module asm ".set {symbol}, {value}"']
    for unit, base in sorted(bases.items()):
        values = (
            (convention.site_symbol(unit), base),
            (convention.edge_symbol(unit), 2 * base),
            (convention.coverage_symbol(unit), COVERAGE_BASE + 2 * base),
            (convention.line_symbol(unit), (line_bases or {}).get(unit, 0)),
        )
        for symbol, value in values:
            lines.append(f'module asm ".globl {symbol[1:]}"')
            lines.append(f'module asm ".set {symbol[1:]}, {value}"')
    triple = 'target triple = "x86_64-unknown-linux-gnu"'
    return "\n".join([triple, *lines]) + "\n"


def _concolic(
    module: Module,
    options: UnitOptions,
    bodies: list[tuple[Function, tuple[Block, ...]]],
    table: SiteTable,
    unit: UnitText,
    loops: Mapping[str, Sequence[LoopUnit]],
) -> list[str]:
    marks: EdgeMarks = NoMarks() if options.is_library else CoverageMarks()
    callees = _callees(module, options)
    blocks_of = {function.name: blocks for function, blocks in bodies}
    definitions: list[str] = []
    for function in module.functions:
        if function.name not in blocks_of:
            definitions += _untouched(function)
            continue
        sites = table.functions[function.name]
        blocks = blocks_of[function.name]
        definitions += instrument_function(
            unit,
            module.layout,
            function,
            blocks,
            sites,
            callees,
            marks,
            keeps_flows=options.keeps_flows,
            has_fast_path=options.has_fast_path and not options.keeps_flows and not options.boundaries,
            boundaries=options.boundaries,
            loops=loops.get(function.name, ()),
            is_unit=not options.summarise or bare(function.name) in options.summarise,
        )
    variables = [line for variable in module.variables for line in rewrite_variable(unit, module.layout, variable)]
    if options.boundaries:
        entries = {name: sites.function for name, sites in table.functions.items()}
        writable = {each.name for each in module.variables if is_wrapped(each) and not each.is_constant}
        variables += described_uses(unit, module.layout, bodies, writable, entries)
    symbols = (convention.site_symbol, convention.edge_symbol, convention.coverage_symbol)
    externals = [f"{symbol(unit.unit)} = external dso_local global i8" for symbol in symbols]
    kept = keep_descriptions(unit, module.variables)
    asks_errno = {options.redirect.get(name, name) for name in _OF_ERRNO}
    if not options.is_library and not asks_errno.isdisjoint(_declared(module)):
        kept.append(f"@{convention.READS_ERRNO} = weak constant i8 1")
    return _assembled(module, unit, [*externals, *variables, *kept], definitions)


def _counters(
    module: Module,
    bodies: list[tuple[Function, tuple[Block, ...]]],
    table: SiteTable,
    unit: UnitText,
) -> list[str]:
    blocks_of = {function.name: blocks for function, blocks in bodies}
    definitions: list[str] = []
    for function in module.functions:
        if function.name not in blocks_of:
            definitions += _untouched(function)
            continue
        sites = table.functions[function.name]
        definitions += count_function(unit, module.layout, function, blocks_of[function.name], sites)
    variables = plain_variables(unit, module.variables)
    externals = [
        f"{convention.edge_symbol(unit.unit)} = external dso_local global i8",
        f"@{EDGE_HITS} = external dso_local global [0 x i8]",
        f"@{PATH_HASH} = external dso_local global i64",
    ]
    return _assembled(module, unit, [*externals, *variables], definitions)


def _loops(
    module: Module, bodies: list[tuple[Function, tuple[Block, ...]]], table: SiteTable, named: Set[str]
) -> dict[str, list[LoopUnit]]:
    """The loops that are units of summary, by function; the harness has none. `named`: if any are, no others."""
    found = {
        function.name: find_loops(module.layout, blocks, lowered(module.layout, blocks), table.functions[function.name])
        for function, blocks in bodies
        if back_edges(blocks) and not function.name.startswith("@veer_")
    }
    if not named:
        return found
    return {
        name: [unit for unit in units if named & loop_names(table.sites[unit.loop.site])]
        for name, units in found.items()
    }


def loop_names(site: Site) -> set[str]:
    """How a user may name the loop that begins at a site."""
    return {f"{site.file}:{site.line}", f"{PurePath(site.file).name}:{site.line}"}


def _assembled(module: Module, unit: UnitText, globals_: list[str], definitions: list[str]) -> list[str]:
    """The whole text of the new module."""
    defined = {function.name for function in module.functions}
    body = [*definitions, *globals_, *unit.constants, *module.aliases]
    used = _references(body)
    declarations = {
        declaration.name: declaration.text
        for declaration in module.declarations
        if declaration.name not in defined and declaration.name in used
    }
    return [
        *module.header,
        *module.types,
        *module.comdats,
        *globals_,
        *unit.constants,
        *module.aliases,
        *definitions,
        *declarations.values(),
        *unit.used.values(),
        *map(_relaxed, module.attributes),
        _COLD_WEIGHTS,
        *_kept_metadata(module, body),
    ]


def _untouched(function: Function) -> list[str]:
    """A definition as it was, without debug info."""
    parameters = ", ".join([*map(str, function.parameters), *(["..."] if function.variadic else [])])
    body = [re.sub(r"(?:, ![\w.$-]+ !\d+)+$", "", line) for line in function.lines if not line.startswith("    #dbg_")]
    return [f"{function.head}{function.returns} {function.name}({parameters}){function.tail} {{", *body, "}"]


def _relaxed(line: str) -> str:
    """An attribute group without what is no longer true (memory effects) or only costs (frame pointers)."""
    match = _GROUP.match(line)
    if match is None:
        return line
    words = [word for word in re.findall(r'"[^"]*"(?:="[^"]*")?|[\w]+(?:\([^)]*\))?', match[2]) if _is_kept(word)]
    return f"attributes #{match[1]} = {{ {' '.join([*words, _MARKED])} }}"


def _is_kept(word: str) -> bool:
    return word in _KEPT_ATTRIBUTES or word.startswith(('"target-', '"tune-cpu', '"min-legal-vector', '"probe-stack'))


def _kept_metadata(module: Module, lines: list[str]) -> list[str]:
    """Metadata that instructions name as an operand (a register's name); renumbering is not needed above 0."""
    wanted = {int(match[1]) for line in lines if "metadata !" in line for match in _METADATA_OPERAND.finditer(line)}
    if not wanted:
        return []
    nodes = {line.partition(" ")[0]: line for line in module.metadata}
    return [nodes[f"!{number}"] for number in sorted(wanted) if number and f"!{number}" in nodes]


def redirected(text: str, redirect: Mapping[str, str]) -> str:
    """The text with references to redirected functions renamed, unless the unit defines them itself."""
    names = {name for name in _DECLARED.findall(text) if name in redirect} - convention.BUILT_IN_NAMES
    if not names:
        return text
    pattern = re.compile(r'"[^"\n]*"|@(?:' + "|".join(map(re.escape, sorted(names))) + r")(?![-\w.$])")
    return pattern.sub(lambda match: match[0] if match[0][0] == '"' else "@" + redirect[match[0][1:]], text)


def _callees(module: Module, options: UnitOptions) -> Callees:
    defined = frozenset(function.name for function in module.functions)
    uninstrumented = frozenset(
        name
        for name in (*defined, *(declaration.name for declaration in module.declarations))
        if bare(name) in options.uninstrumented
    )
    own = frozenset(
        function.name
        for function in module.functions
        if not function.is_available_externally and " weak " not in f" {function.head}"
    )
    objects = {variable.name: variable.type for variable in module.variables if is_wrapped(variable)}
    return Callees(own - uninstrumented, uninstrumented, defined, objects)


def _naked(module: Module) -> frozenset[str]:
    """Functions that are nothing but inline asm: no code may be added to them."""
    groups = {match[1] for match in map(_GROUP.match, module.attributes) if match and "naked" in match[2].split()}
    return frozenset(
        bare(function.name)
        for function in module.functions
        if any(group in groups for group in re.findall(r"#(\d+)", function.tail))
    )


def _declared(module: Module) -> Iterable[str]:
    for function in module.functions:
        yield bare(function.name)
    for declaration in module.declarations:
        yield bare(declaration.name)


def _graph(
    module: Module, function: Function, blocks: tuple[Block, ...], original_names: Mapping[str, str]
) -> FunctionGraph:
    labels = {block.label: index for index, block in enumerate(blocks)}
    where = module.locations.function(function.subprogram)
    calls = {
        original_names.get(bare(instruction.call.callee), bare(instruction.call.callee)): None
        for block in blocks
        for instruction in block.instructions
        if instruction.call is not None
        and instruction.call.callee.startswith("@")
        and not instruction.call.callee.startswith("@llvm.")
    }
    edges = tuple(tuple(labels[label] for label in successors(block)) for block in blocks)
    names = _function_names(module)
    takes = {
        name: None
        for block in blocks
        for instruction in block.instructions
        for name in named(instruction.text, instruction.call.callee if instruction.call is not None else "")
        if name in names
    }
    taken = tuple(original_names.get(name, name) for name in takes)
    heeds = tuple(original_names.get(name, name) for name in heeded(blocks, module))
    return FunctionGraph(bare(function.name), where.file, where.line, edges, tuple(calls), taken, heeds)


def _function_names(module: Module) -> frozenset[str]:
    defined = [bare(function.name) for function in module.functions]
    return frozenset(defined + [bare(declaration.name) for declaration in module.declarations])


def _addresses(module: Module, original_names: Mapping[str, str]) -> tuple[str, ...]:
    names = _function_names(module)
    texts = [v.initializer for v in module.variables if not v.name.startswith("@llvm.")]
    texts += [alias for alias in module.aliases if not bare(alias.partition(" = ")[0]).startswith(convention.HANDLE)]
    found = {name: None for text in texts for name in named(text, "") if name in names}
    return tuple(original_names.get(name, name) for name in found)


def _references(lines: Iterable[str]) -> set[str]:
    """The global names that lines of a module mention, apart from the one that a line defines."""
    used: set[str] = set()
    for line in lines:
        if "@" in line:
            names = [name for name in _REFERENCE.findall(line) if name[0] == "@"]
            used.update(names[1:] if line.startswith("@") else names)
    return used
