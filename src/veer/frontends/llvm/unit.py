"""One translation unit: LLVM IR → instrumented object, kept in the cache by content.

Loads llvmlite, so only the builder (a process of its own) imports it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache as remember
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.frontends.llvm import debuginfo
from veer.frontends.llvm.irtext import (
    declared_data,
    declared_functions,
    defined_names,
    order_functions,
    rename_main,
    set_aside,
)
from veer.instrument.codegen import emit_object, prepare
from veer.instrument.conditions import mark_conditions
from veer.instrument.instrument import UnitOptions, instrument, redirected
from veer.instrument.lines import mark_lines
from veer.instrument.reaching import with_decisions, with_places
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.loops import Loop
from veer.model.program import Content, Site
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest


class UnitRequest(Struct, frozen=True):
    """What decides a unit's object. `ir` is the text that the compiler wrote."""

    label: str  # for messages: the source
    ir: str
    mode: str = "concolic"  # or "counters", "conditions", "plain"
    is_library: bool = False
    keeps_flows: bool = False  # FlowTest's flow map (--partitioned)
    uninstrumented: frozenset[str] = frozenset()
    redirect: tuple[tuple[str, str], ...] = ()
    last: frozenset[str] = frozenset()  # functions that are numbered last: the harness's own
    aside: frozenset[str] = frozenset()  # functions of the user's that are named like the C library's
    has_fast_path: bool = True
    boundaries: bool = False  # for the compositional search
    loops: bool = True  # simple loops have some, too
    summarise: frozenset[str] = frozenset()  # no others have any; empty = all
    find: tuple[str, ...] = ()  # places FILE:LINE that the search is to reach
    avoid: tuple[str, ...] = ()  # and those that it is to avoid
    level: int = 1  # of code generation (levels.py)
    is_shared: bool = False  # programs of other entries have it, too

    def key(self, version: str) -> str:
        """The name of its entry in the cache. `version` covers the instrumenter."""
        facts = (
            self.mode,
            str(self.is_library),
            str(self.keeps_flows),
            str(self.boundaries),
            str(self.loops),
            str(self.has_fast_path),
            str(self.level),
            ",".join(sorted(self.uninstrumented)),
            ",".join(sorted(self.summarise)),
            _redirections(self.redirect),
            *((f"find {self.find} avoid {self.avoid}",) if self.find or self.avoid else ()),
        )
        return digest(version, self.ir, *facts, ",".join(sorted(self.last)), ",".join(sorted(self.aside)))


@remember
def _redirections(redirect: tuple[tuple[str, str], ...]) -> str:
    """As text; all units of a program have the same."""
    return ",".join(f"{name}={target}" for name, target in sorted(redirect))


class MadeUnit(Struct, frozen=True):
    """An instrumented unit. Sites and items are numbered within it; `name` is that of its base symbol."""

    name: str
    label: str
    object: str  # path
    sites: tuple[Site, ...]
    item_count: int
    successors: dict[str, tuple[tuple[int, ...], ...]]
    calls: dict[str, tuple[str, ...]]
    takes: dict[str, tuple[str, ...]]  # functions whose address a function takes
    heeds: dict[str, tuple[str, ...]]  # of other units: functions whose results a function uses, variables
    addresses: tuple[str, ...]  # functions whose addresses are in data
    defined: tuple[str, ...]
    declared: dict[str, tuple[str, str]]  # functions: return type, parameters
    data: dict[str, str]  # declared variables: IR type
    lines: tuple[CountedLine, ...] = ()  # of the counters build
    decisions: tuple[Decision, ...] = ()  # of the conditions build
    loops: tuple[Loop, ...] = ()  # that have boundaries of their own
    contents: tuple[Content, ...] = ()  # of compositional builds


_FACTS = msgspec.json.Decoder(MadeUnit)


def find_unit(cache: Cache, key: str) -> MadeUnit | None:
    """The unit from the cache, if its object and its facts are there."""
    facts = cache.find("unit", key, ".json")
    if facts is None or cache.find("unit", key, ".o") is None:
        return None
    try:
        return _FACTS.decode(facts.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None


def find_as_good(cache: Cache, request: UnitRequest, version: str) -> MadeUnit | None:
    """The unit from the cache; for one that may be unoptimised, an optimised one will do."""
    better = find_unit(cache, replace(request, level=1).key(version))
    return better if better is not None or request.level else find_unit(cache, request.key(version))


def make_unit(request: UnitRequest, key: str, cache: Cache) -> MadeUnit:
    """Instruments a unit and generates its code. Raises what the instrumenter raises; LLVM may abort the process."""
    if request.mode == "conditions":
        text, decisions = mark_conditions(request.ir, key[:16], request.last, source_reader())
        return _make_plain(request, text, key, cache, decisions)
    if request.mode == "plain":
        return _make_plain(request, request.ir, key, cache)
    own_files = source_reader()
    name = key[:16]
    marked = with_places(request.ir, request.find, request.avoid, request.last)
    lines: tuple[CountedLine, ...] = ()
    if request.mode == "counters":
        marked, lines = mark_lines(marked, name, request.last, own_files)
    follows_unwritten = not (request.keeps_flows or request.boundaries)  # searches with these know no such values
    prepared = order_functions(
        prepare(marked, closes_loops=request.keeps_flows, shows_unwritten=follows_unwritten), request.last
    )
    prepared = with_decisions(prepared) if request.find else prepared
    local = defined_names(prepared)
    redirect = {name: target for name, target in request.redirect if name not in local}
    unit = instrument(
        prepared,
        UnitOptions(
            unit=name,
            mode=request.mode,
            is_library=request.is_library,
            keeps_flows=request.keeps_flows,
            uninstrumented=request.uninstrumented,
            redirect=redirect,
            source_text=own_files,
            has_fast_path=request.has_fast_path and request.level > 0,  # which LLVM's SROA must clean up
            boundaries=request.boundaries and not request.is_library,
            loops=request.loops,
            summarise=request.summarise,
        ),
    )
    text = set_aside(rename_main(unit.text), request.aside)
    made_object = cache.write(emit_object(text, request.level), "unit", key, ".o")
    made = MadeUnit(
        name=name,
        label=request.label,
        object=str(made_object),
        sites=tuple(unit.sites),
        item_count=unit.item_count,
        successors={function.name: tuple(map(tuple, function.successors)) for function in unit.functions},
        calls={function.name: tuple(function.calls) for function in unit.functions},
        takes={function.name: tuple(function.takes) for function in unit.functions if function.takes},
        heeds={function.name: tuple(function.heeds) for function in unit.functions if function.heeds},
        addresses=unit.addresses,
        defined=tuple(sorted(defined_names(text))),
        declared=declared_functions(text),
        data=declared_data(text),
        lines=lines,
        loops=unit.loops,
        contents=unit.contents,
    )
    cache.write(msgspec.json.encode(made), "unit", key, ".json")
    return made


def _make_plain(
    request: UnitRequest, text: str, key: str, cache: Cache, decisions: tuple[Decision, ...] = ()
) -> MadeUnit:
    """A unit of the compiler's own code, perhaps with marks of decisions; it has no sites."""
    local = defined_names(text)
    text = redirected(text, {name: target for name, target in request.redirect if name not in local})
    text = set_aside(rename_main(text), request.aside)
    made = MadeUnit(
        name=key[:16],
        label=request.label,
        object=str(cache.write(emit_object(text, 0), "unit", key, ".o")),
        sites=(),
        item_count=0,
        successors={},
        calls={},
        takes={},
        heeds={},
        addresses=(),
        defined=tuple(sorted(defined_names(text))),
        declared=declared_functions(text),
        data=declared_data(text),
        decisions=decisions,
    )
    cache.write(msgspec.json.encode(made), "unit", key, ".json")
    return made


def source_reader() -> Callable[[str], list[str]]:
    """A function from a file's path to its lines; an unreadable file has none. Files are read once."""

    @remember
    def lines(path: str) -> list[str]:
        try:
            return Path(path).read_text(errors="replace").splitlines()
        except OSError:
            return []

    return lines


def own_functions(ir: str, file: Path) -> frozenset[str]:
    """The functions of a module that are written in this very file (and not in what it includes)."""
    own = os.path.normpath(file)
    return frozenset(function.name for function in debuginfo.read(ir).functions() if function.file == own)
