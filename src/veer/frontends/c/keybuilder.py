"""What results of builds hang on, in the builder's process: `answer` reads a request for keys and writes them.

A key is made of what the planner itself says: the harness, its types, bounds, notes and contracts; so nothing that
planning looks at can be forgotten. To it come the texts of all that the harness reaches, as the compiler wrote it
(llvm/codetext.py) and as it stands in the sources, and what of the whole program shows in every suite. What only
severity and the search for calls ask is a digest of its own (`CodeKey.judged`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.frontends.c.analysis import knowledge_of, module_shapes, object_bounds
from veer.frontends.c.blueprint import Blueprint
from veer.frontends.c.exchange import KeysReply, KeysRequest, decode, encode
from veer.frontends.c.harness import Plan, harness_text
from veer.frontends.c.namedresults import named_results
from veer.frontends.c.planning import blueprint
from veer.frontends.c.sequence_harness import sequence_text
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.buildserver import Answered
from veer.frontends.llvm.codetext import ProgramText, Symbol
from veer.frontends.llvm.compiled import Module
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKey, CodeKeys, FunctionPlace
from veer.model.errors import VeerError
from veer.model.program import Function
from veer.model.types import Type, TypeKind
from veer.model.unitfacts import NAMELESS, Demand, HandedOn, Place, UnitFacts, struct_name
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest, digest_file
from veer.toolchain.compiler import Toolchain, find

_WORD = re.compile(r"\w+")
_MENTION = re.compile(r"([\w.+-]+):(\d+)\b")
_COUNTED_OTHERWISE = re.compile(rb"\r(?!\n)|^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)
"""A line end that is none elsewhere; a directive that gives lines other numbers."""
_OF_LINES = ("asserted", "assertions")
_COMPOSED = frozenset((TypeKind.POINTER, TypeKind.STRUCT, TypeKind.UNION, TypeKind.ARRAY))
_WHOLE = frozenset({"writes", "clears", "shared", "internal", "ends", "addresses", "begins", "delivers"})
"""Facts about functions that the search for calls asks of every function of the unit."""


def answer(request_path: Path, reply_path: Path, answered: Answered) -> None:
    """Answers one request; a build that cannot be planned has no key."""
    request = decode(request_path.read_bytes(), KeysRequest)
    toolchain = find(request.cc, Cache(request.cache))
    try:
        reply = KeysReply(keys=keys_of(request.builds, toolchain))
    except VeerError as error:
        reply = KeysReply(type(error).__name__, str(error))
    reply_path.write_bytes(encode(reply))
    answered()


def keys_of(builds: Sequence[BuildOptions], toolchain: Toolchain) -> CodeKeys:
    """The keys of these builds."""
    found: list[CodeKey | None] = []
    units: dict[tuple[int, ...], _Unit] = {}
    for options in builds:
        try:
            plan = blueprint(options, toolchain, is_bare=True)
        except VeerError:
            found.append(None)
            continue
        modules = _with_entry(plan)
        number = tuple(map(id, modules))
        if number not in units:
            units[number] = _Unit(modules, options)
        found.append(units[number].key(plan, options))
    read = {path for unit in units.values() for each in unit.modules for path in (each.source, *each.headers)}
    places = {place for unit in units.values() for place in unit.places.values()}
    within: dict[str, list[FunctionPlace]] = {}
    for each in places:
        within.setdefault(each.file, []).append(each)
    return CodeKeys(
        tuple(found),
        tuple(sorted(places, key=lambda each: (each.file, each.line, each.name))),
        {str(path): digest_file(path) for path in sorted(read)},
        {file: rest for file, there in within.items() if (rest := _rest(Path(file), there)) is not None},
    )


def _rest(file: Path, functions: Iterable[FunctionPlace]) -> str | None:
    """A digest of the lines that lie in no function; None where they may be counted otherwise than as they stand."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    if _COUNTED_OTHERWISE.search(data):
        return None
    lines: list[bytes | None] = [*data.split(b"\n")]
    for each in functions:
        lines[each.first - 1 : each.last] = [None] * len(lines[each.first - 1 : each.last])
    return digest(*(f"{number} {each!r}" for number, each in enumerate(lines, 1) if each is not None))


def _with_entry(plan: Blueprint) -> tuple[Module, ...]:
    """All modules; a static entry that nobody calls is in another one of its source."""
    return tuple(plan.entry if each.source == plan.entry.source else each for each in plan.modules)


class _Unit:
    """The program that builds have in common."""

    def __init__(self, modules: Sequence[Module], options: BuildOptions) -> None:
        self.modules = modules
        self._options = options
        self.text = ProgramText(modules)
        self._lines: dict[str, list[str]] = {}
        self._named: dict[Path, str] = {}
        self.places = self._places()
        self._names = {Path(each.file).name for each in self.places.values()}

    def key(self, plan: Blueprint, options: BuildOptions) -> CodeKey:
        """The key of a build."""
        own = [number for number, each in enumerate(self.modules) if each.source == plan.entry.source]
        types = plan.table.types[: plan.own_types]
        short = replace(plan.plan, types=tuple(types))
        harness = _harness(short)
        # Variables that it only records change where something that it reaches changes them.
        roots = {*_WORD.findall(_harness(replace(short, outputs=()))), options.interrupt} & {
            name for number in own for name in self.text.modules[number].definitions
        }
        is_open = bool(options.link or options.uninstrumented or options.specifications)
        reached = self.text.closure(sorted(roots), own, everything=is_open)
        planned = (harness, self._shown((short, plan.bounds, plan.notes, plan.contracts)))
        results = self._results(plan.entry)
        given = [digest_file(Path(each)) for each in options.specifications]
        code = digest(*planned, *self._in_suites, results, *given, *self.text.text(reached), *self._sources(reached))
        return CodeKey(code, self._judged(plan, reached))

    @cached_property
    def _in_suites(self) -> tuple[str, ...]:
        """What of the whole program shows in every suite."""
        heads = (each.head for each in self.text.modules)
        return (*heads, *self.text.declared, *self._stubs(), *self._addresses())

    def _results(self, entry: Module) -> str:
        """What the entry's source calls the numbers that it returns."""
        if entry.source not in self._named:
            found = named_results(entry.source, [str(path) for path in entry.headers])
            self._named[entry.source] = self._shown(found)
        return self._named[entry.source]

    def _stubs(self) -> Iterator[str]:
        """The declarations of functions that nobody defines: every suite defines them, and returns what they say."""
        for each in self.modules:
            known, names = knowledge_of(each), {*_WORD.findall("\n".join(self.text.declared))}
            for name in sorted(names):
                yield from (found.text for found in known.declared(name))

    def _addresses(self) -> Iterator[str]:
        for each in self.text.modules:
            functions = (name for name in each.in_data if name in each.definitions)
            yield " ".join(sorted(name for name in functions if each.definitions[name].is_function))

    def _sources(self, reached: set[Symbol]) -> Iterator[str]:
        """The lines of the functions: reports quote them, suites take names from them. What a declaration without a
        body leads to, types and macros, only shows there."""
        for symbol in sorted(self.text.functions(reached)):
            place = self.places.get(symbol)
            if place is not None:
                yield f"{place.name}\n" + "\n".join(self._text(place.file)[place.first - 1 : place.last])
        undefined = {name for _, name in reached} & {*_WORD.findall("\n".join(self.text.declared))}
        if undefined:
            yield from (each.printed for each in self.modules)

    def _judged(self, plan: Blueprint, reached: set[Symbol]) -> str:
        types = plan.table.types
        near = {name for _, name in self.text.functions(reached)}
        near |= {struct_name(each.name) for each in types[: plan.own_types]}
        near |= {name.strip('%"').partition(".")[2] for _, name in reached if name.startswith("%")}
        facts = self._facts(plan.facts, frozenset(near)) if plan.facts is not None else ""
        return digest(facts, self._whole)

    @cached_property
    def _whole(self) -> str:
        """What the search for calls asks of all functions."""
        table = TypeTable(object_bounds(self._options))
        shapes = [each for number, module in enumerate(self.modules) for each in module_shapes(module, table, number)]
        composed = (each for each in table.types if each.kind in _COMPOSED)
        return digest(
            *sorted(_signature(each.function, table.types) for each in shapes),
            *sorted(_leads_to(each, table.types) for each in composed),
            self._shown(self.text.calls),
        )

    def _facts(self, facts: UnitFacts, near: frozenset[str]) -> str:
        """The facts that may be asked about bugs in these functions, with objects of these structs."""
        shown = []
        for field in facts.__struct_fields__:
            value: Any = getattr(facts, field)
            if isinstance(value, bool):
                shown.append(f"{field}={value}")
                continue
            if field not in _WHOLE:
                value = [each for each in value if _is_near(each, near)]
            if field in _OF_LINES:
                value = [(name, [self._relative(name, line) for line in lines]) for name, lines in value]
            elif field == "unset":
                value = [(name, self._relative(name, line), variable) for name, line, variable in value]
            elif field == "demands":
                value = [replace(each, line=self._relative(each.function, each.line)) for each in value]
            elif field == "handed_on":
                value = [replace(each, line=self._relative(each.caller, each.line)) for each in value]
            shown.append(f"{field}={self._shown(frozenset(map(self._shown, value)))}")
        return "\n".join(shown)

    def _relative(self, function: str, line: int) -> int:
        place = next((each for each in self.places.values() if each.name == function), None)
        return line - place.line if place is not None else line

    def _shown(self, value: Any) -> str:
        """A value as text that only depends on what it means: sets in order, lines as within their functions."""
        if isinstance(value, Function):
            value = replace(value, line=0, successors=(), calls=(), takes=(), heeds=())
        if isinstance(value, Struct):
            inner = ",".join(f"{name}:{self._shown(getattr(value, name))}" for name in value.__struct_fields__)
            return f"{type(value).__name__}({inner})"
        if isinstance(value, str):
            return repr(_MENTION.sub(self._place, value))
        if isinstance(value, Mapping):
            return f"{{{','.join(sorted(f'{self._shown(key)}:{self._shown(each)}' for key, each in value.items()))}}}"
        if isinstance(value, tuple | list):
            return f"[{','.join(map(self._shown, value))}]"
        if isinstance(value, frozenset | set):
            return f"<{','.join(sorted(map(self._shown, value)))}>"
        return repr(value)

    def _place(self, found: re.Match[str]) -> str:
        """FILE:LINE, its line from the first one of the function that it lies in."""
        file, line = found[1], int(found[2])
        if file in self._names:
            for each in self.places.values():
                if Path(each.file).name == file and each.first <= line <= each.last:
                    return f"{file}:{each.name}+{line - each.line}"
        return found[0]

    def _places(self) -> dict[Symbol, FunctionPlace]:
        found = {}
        for number, (module, text) in enumerate(zip(self.modules, self.text.modules, strict=True)):
            for each in module.debug.functions():
                if each.name in text.definitions and each.line:
                    first = self._first(each.file, each.line)
                    found[number, each.name] = FunctionPlace(
                        each.name, each.file, first, each.line, text.last_line(each.name)
                    )
        return found

    def _first(self, file: str, line: int) -> int:
        """The first line of the comment, and of what else there is, right above a function."""
        lines, first = self._text(file), line
        while 2 <= first <= len(lines) and lines[first - 2].strip() and not lines[first - 2].startswith(("}", "#")):
            first -= 1
        return first

    def _text(self, file: str) -> list[str]:
        if file not in self._lines:
            try:
                self._lines[file] = Path(file).read_text(errors="replace").split("\n")
            except OSError:
                self._lines[file] = []
        return self._lines[file]


def _harness(plan: Plan) -> str:
    return harness_text(plan) if plan.sequence is None else sequence_text(plan, plan.sequence)


def _signature(function: Function, types: Sequence[Type]) -> str:
    """What the search for calls asks of each function of the unit."""
    given = [(each.name, _name(each.type, types), each.unsupported) for each in function.parameters]
    returned = _name(function.returns, types)
    return repr((function.file, function.name, given, returned, function.is_static, function.variadic))


def _name(identity: int, types: Sequence[Type]) -> str:
    return types[identity].name if 0 <= identity < len(types) else ""


def _leads_to(type_: Type, types: Sequence[Type]) -> str:
    """A type, and the objects that it leads to: which structs callers see. What numbers it holds says nothing."""
    within = {_name(each.type, types) for each in type_.fields if types[each.type].kind in _COMPOSED}
    return repr((type_.name, type_.kind, type_.extent, _name(type_.target, types), sorted(within)))


def _is_near(fact: Any, near: frozenset[str]) -> bool:
    """Whether a fact is about one of these functions, or a field of one of these structs."""
    if isinstance(fact, Place):
        return fact.owner in near or fact.owner == NAMELESS
    if isinstance(fact, Demand):
        return fact.function in near
    if isinstance(fact, HandedOn):
        return fact.caller in near or fact.function in near
    if isinstance(fact, Struct):
        return _is_near(fact.place, near)  # type: ignore[attr-defined]
    if isinstance(fact, tuple):
        return any(_is_near(each, near) if not isinstance(each, str) else each in near for each in fact)
    return False
