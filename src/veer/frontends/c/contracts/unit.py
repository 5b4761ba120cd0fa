"""What the code of all modules of a program shows: `UnitFacts`, read from their IR."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct

from veer.frontends.c.contracts.awaited import lines_that_await
from veer.frontends.c.contracts.clauses import Contract, Elements, End, Length, MayBeNull, Text
from veer.frontends.c.contracts.demands import asserted, assertions, demanded, handed_on
from veer.frontends.c.contracts.given import given_as_formats, given_as_streams, streams_by_function
from veer.frontends.c.contracts.handed import handed_to_the_unit
from veer.frontends.c.contracts.kept import kept_together
from veer.frontends.c.contracts.making import begun, cleared, delivered, ending, set_again, written_fields
from veer.frontends.c.contracts.names import says_how_many
from veer.frontends.c.contracts.origins import Origins, layout_of
from veer.frontends.c.contracts.passed import passed
from veer.frontends.c.contracts.pointers import pointer_facts
from veer.frontends.c.contracts.reading import Knowledge, file_text, own_files
from veer.frontends.c.contracts.relations import relations
from veer.frontends.c.contracts.steps import steps
from veer.frontends.c.contracts.storedranges import stored_ranges
from veer.frontends.c.contracts.touched import touched
from veer.frontends.c.contracts.unset import lines_that_follow
from veer.frontends.c.state import read_state
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import DebugInfo
from veer.frontends.llvm.irtext import declared_data
from veer.instrument.typelayout import Layout, UnknownTypeError
from veer.model.unitfacts import Place, UnitFacts, field_place, parameter_place
from veer.model.values import replace

_MADE = re.compile(r'(%"?struct\.([^"\s]+?)(?:\.\d+)?"?) <?\{')
_STRUCT = re.compile(r'%"?struct\.([^",\s]+?)(?:\.\d+)?"?$')
_FIXED = re.compile(r"inttoptr \(i64 (\d+) to ptr\)")
_CHANGES_NOTHING = ("llvm.", "mem", "str", "printf", "fprintf")


def unit_facts(modules: Sequence[Knowledge], contracts: Iterable[Contract] = ()) -> UnitFacts:
    """What the functions of these modules show; `contracts` say besides which parameters may be NULL."""
    found = _shown_by(modules)
    said = [(contract.function, clause) for contract in contracts for clause in contract.clauses]
    nullable = {parameter_place(name, each.parameter) for name, each in said if isinstance(each, MayBeNull)}
    declared = {
        parameter_place(name, each.parameter)
        for name, each in said
        if isinstance(each, Elements | End | Length | Text) and not each.origin.is_inferred
    }
    looked_at = {place for pair in found.spans for place in pair}
    ends = {parameter_place(name, each.end) for name, each in said if isinstance(each, End) and each.end} & looked_at
    lengths = {(name, each.length) for name, each in said if isinstance(each, Length) and each.length}
    asked = found.bounded & {place for each in modules for place in _without_a_sign(each.module.debug)}
    return replace(
        found,
        tested=found.tested | nullable,
        nullable=frozenset(nullable),
        bounded=found.bounded | ends,
        sizes=found.sizes | ends,
        checks=_with(found.checks, ends),
        ordered=_with(found.ordered, ends),
        declared=frozenset(declared),
        counts=frozenset(
            place
            for each in lengths
            if (place := parameter_place(*each)) in asked or says_how_many(each[1])  # if (n == 0) ... of a size_t
        ),
        capacities=frozenset(parameter_place(*each) for each in lengths if says_how_many(each[1], with_nul=True)),
    )


def _without_a_sign(debug: DebugInfo) -> Iterator[Place]:
    """The parameters that are numbers without a sign: `size_t n`."""
    for function in debug.functions():
        for each in function.parameters:
            if debug.node(debug.strip(each.type)).text("encoding") == "DW_ATE_unsigned":
                yield parameter_place(function.name, each.name)


def _with(
    facts: tuple[tuple[str, frozenset[Place]], ...], ends: Set[Place]
) -> tuple[tuple[str, frozenset[Place]], ...]:
    """The same with the ends of buffers, which are numbers where inputs are made, and compared as pointers."""
    return tuple((name, places | {each for each in ends if each.owner == name}) for name, places in facts)


_last: list[tuple[tuple[Knowledge, ...], UnitFacts]] = []
"""The facts of the modules that were asked about last: many entries of one project ask about the same."""


def _shown_by(modules: Sequence[Knowledge]) -> UnitFacts:
    """What the code alone shows."""
    for known, facts in _last:
        if len(known) == len(modules) and all(one is other for one, other in zip(known, modules, strict=True)):
            return facts
    _last[:] = [(tuple(modules), _read(modules))]
    return _last[0][1]


def _read(modules: Sequence[Knowledge]) -> UnitFacts:
    units = [_Unit.of(each) for each in modules]
    functions = [function for unit in units for function in unit.functions]
    parameters = {each.name: tuple(each.body.parameters.values()) for each in functions}
    found, related = pointer_facts(functions, parameters), relations(functions, parameters)
    streams = given_as_streams(functions, parameters)
    opened = [place for unit in units for place in unit.opened()]
    read = [(one.module, unit.functions) for one, unit in zip(modules, units, strict=True)]
    return UnitFacts(
        tested=frozenset(found.tested),
        bounded=frozenset(found.bounded),
        texts=frozenset(found.texts),
        ended=frozenset(found.ended),
        stored=stored_ranges(functions, opened),
        passed=passed(modules),
        same=frozenset(found.same),
        back=frozenset(found.back),
        embedded=frozenset(related.embedded),
        circular=frozenset(found.circular | related.circles),
        sizes=frozenset(related.sizes),
        indices=frozenset(related.indices),
        spans=frozenset(related.spans),
        touched=touched(functions),
        kept=kept_together(functions),
        streams=streams,
        gives=streams_by_function(functions, streams),
        formats=given_as_formats(functions, parameters),
        checks=_by_function(related.checks),
        ordered=_by_function(related.ordered),
        floors=frozenset(related.floors),
        tops=tuple(sorted((place, top) for place, top in related.tops.items() if place not in related.beside)),
        ranged=frozenset(related.ranged),
        addresses=tuple(sorted({int(each) for unit in units for each in _FIXED.findall(unit.ir)})),
        asserted=asserted(modules),
        assertions=assertions(modules),
        demands=demanded(modules),
        handed_on=handed_on(modules),
        handed=handed_to_the_unit(read, parameters),
        unset=lines_that_follow(read),
        awaited=lines_that_await(read),
        state=tuple(pair for each in modules for pair in read_state(each.module)),
        writes=written_fields(functions),
        clears=cleared(functions),
        shared=frozenset(name for each in modules for name in _shared(each.module)),
        begins=begun(functions),
        delivers=delivered(functions),
        ends=ending(functions),
        states=set_again(functions),
        steps=steps(functions),
        internal=frozenset(name for each in modules for name in _internal(each.module)),
    )


def _internal(module: Module) -> Iterator[str]:
    """The functions that are not static and stand in no header of the module's own, where others stand in one."""
    texts = [file_text(path) for path in own_files(module) if path != module.source]
    functions = [each for each in module.debug.functions() if each.file == str(module.source)]
    outer = {each.name for each in functions if not each.is_static and each.name != "main"}
    named = {name for name in outer if any(name in text and re.search(rf"\b{name}\b", text) for text in texts)}
    if named:
        yield from sorted(outer - named)


def _shared(module: Module) -> Iterator[str]:
    """The structs that variables which other sources see are, or lead to; of one that is only declared, what it is."""
    for variable in module.debug.globals():
        if not variable.is_static:
            yield _struct_behind(module.debug, variable.type)
    for type_ in declared_data(module.ir).values():
        struct = _STRUCT.search(type_.rstrip("]"))
        if struct is not None:
            yield struct[1]


def _struct_behind(debug: DebugInfo, type_: int) -> str:
    """The name of the type behind pointers and arrays; "" for one without a name."""
    number = debug.strip(type_)
    while debug.node(number).tag in ("DW_TAG_pointer_type", "DW_TAG_array_type"):
        number = debug.strip(debug.node(number).reference("baseType"))
    return debug.node(number).text("name") or debug.typedef_of.get(number, "")


def _by_function(places: Mapping[str, Set[Place]]) -> tuple[tuple[str, frozenset[Place]], ...]:
    return tuple((name, frozenset(found)) for name, found in sorted(places.items()))


class _Unit(Struct, frozen=True):
    """One module, its types and functions."""

    ir: str
    layout: Layout
    functions: Sequence[Origins]

    @staticmethod
    def of(known: Knowledge) -> _Unit:
        return _Unit(known.module.ir, layout_of(known.module.ir), known.origins())

    def opened(self) -> Iterator[Place]:
        """Fields that get values otherwise than by stores: initialisers, and what is given away by its address."""
        for line in self.ir.splitlines():
            if line.startswith("@"):
                for type_, name in _MADE.findall(line):
                    yield from self._fields(type_, name)
        own = {each.name for each in self.functions}
        for function in self.functions:
            for called in function.body.calls():
                for value in called.arguments if not called.function.startswith(_CHANGES_NOTHING) else ():
                    place = function.field(value)
                    if place is not None:
                        yield place
                    variable = function.made(value, "alloca")
                    struct = _STRUCT.match(variable.detail) if variable is not None else None
                    if struct is not None and called.function not in own:
                        yield from self._fields(struct[0], struct[1])

    def _fields(self, type_: str, name: str) -> Iterator[Place]:
        try:
            members = self.layout.members(type_)
        except UnknownTypeError:
            return
        yield from (field_place(name, offset) for offset, _ in members)
