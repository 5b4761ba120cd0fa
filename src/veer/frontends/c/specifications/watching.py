"""--spec and comments of sources → what a program is watched by, and the unit of its monitors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from veer.frontends.c.apart import apart
from veer.frontends.c.exchange import WrittenText
from veer.frontends.c.flags import user_flags
from veer.frontends.c.specifications.conditions import Signature
from veer.frontends.c.specifications.monitor import (
    END,
    KNOWN_NAME,
    MOST_TOLD,
    PREFIX,
    handler,
    monitor_text,
)
from veer.frontends.c.specifications.signatures import signatures
from veer.frontends.c.specifications.suitetext import in_suite
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import defined_functions
from veer.frontends.llvm.unit import UnitRequest
from veer.instrument.events import taken, with_events
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError, UsageError
from veer.model.specification import Event, Watch, Watching
from veer.specs import language
from veer.specs.language import RESULT, Moment, Pattern
from veer.specs.reading import read
from veer.specs.scanner import error
from veer.specs.watched import events_of, facts, watched
from veer.toolchain.cache import digest
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain, shorten
from veer.toolchain.compiling import compile_ir

MONITORS = "the monitors"
"""The label of their unit."""
_SYSTEM = ("/usr/", "/lib/", "/opt/")
_OWN_TEXT = "veer's monitor"
_KNOWN = re.compile(
    rf"^(.+?:\d+):\d+: error: (?:{KNOWN_NAME} |redefinition of |redeclaration of |unexpected type name )'(\w+)'",
    re.MULTILINE,
)
_SAID = re.compile(r"^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)


def watching(modules: Sequence[Module], entry: Module, options: BuildOptions, toolchain: Toolchain) -> Watching | None:
    """What the program is watched by; None for nothing. Raises UsageError, which points into the specification."""
    found = read(map(Path, options.specifications), _own_files(modules))
    if not found:
        return None
    _require(found, entry, options)
    names = {function for each in found for _, function in each.events}
    known = signatures(names, modules, entry, options, toolchain)
    for each in found:
        for pattern in each.patterns:
            _check(pattern, known, modules)
    all_watched = [watched(each) for each in found]
    events = events_of(all_watched)
    told = tuple(_event(event, known[event[1]]) for event in events)
    specifications = tuple(facts(each, events) for each in all_watched)
    defined = {name for module in modules for name in defined_functions(module.ir)}
    watches = tuple(_watch(name, events, known[name]) for name in sorted(names))
    has_end = any(each.kind in (language.Kind.AT_END, language.Kind.COMPLETE) for each in found)
    text = monitor_text(all_watched, known)
    notes = tuple(_unseen(modules, names - defined))
    checked = in_suite(all_watched, known, defined, has_end=has_end)
    return Watching(specifications, told, watches, text, has_end=has_end, notes=notes, in_suite=checked)


def _own_files(modules: Sequence[Module]) -> Iterable[Path]:
    """The files in whose comments specifications may stand: the sources and their own headers."""
    for module in modules:
        yield module.source
        yield from (
            header for header in module.headers if not str(header).startswith(_SYSTEM) and "ziglang" not in str(header)
        )


def _require(found: Sequence[language.Specification], entry: Module, options: BuildOptions) -> None:
    place = found[0].place
    if entry.source.suffix in CXX_SUFFIXES:
        raise error(place, f"specifications are about C, and {entry.source.name} is C++: leave them out")
    if options.partitioned or options.compositional:
        search = "--partitioned" if options.partitioned else "--compositional"
        raise error(place, f"a search by {search} does not follow specifications: leave one of the two out")


def _check(pattern: Pattern, known: dict[str, Signature], modules: Sequence[Module]) -> None:
    """Whether there is such an event with such values. Raises UsageError."""
    signature = known.get(pattern.function)
    if signature is None:
        sources = ", ".join(module.source.name for module in modules)
        hint = (
            " (the compiler writes such calls otherwise)"
            if any(f"@llvm.{pattern.function}" in m.ir for m in modules)
            else ""
        )
        raise error(
            pattern.place, f"{pattern.function} is neither defined nor called in {sources}{hint}: name one that is"
        )
    if len(pattern.arguments) > signature.total:
        raise error(
            pattern.place,
            f"{pattern.function} takes {signature.total} arguments, and this names {len(pattern.arguments)}",
        )
    for place, argument in enumerate(pattern.arguments):
        is_asked = argument.name or argument.equals
        if is_asked and place >= len(signature.parameters):
            raise error(
                pattern.place,
                f"argument {place + 1} of {pattern.function} is a struct or a wide number, or stands behind one: "
                "write `_` for it",
            )
    wants_result = pattern.result or pattern.relation or (pattern.where is not None and RESULT in pattern.where.words)
    if wants_result and pattern.moment is Moment.RETURN and not signature.returns:
        raise error(pattern.place, f"{pattern.function} returns nothing that can be compared: leave the result out")


def _event(event: tuple[Moment, str], signature: Signature) -> Event:
    names = [f"argument {place + 1}" for place in range(len(signature.parameters))]
    names += ["result"] if event[0] is Moment.RETURN and signature.returns else []
    told = tuple(name for place, name in enumerate(names) if signature.numbers[place])
    arguments = [name for name in told[:MOST_TOLD] if name != "result"]
    return Event(event[1], event[0] is Moment.RETURN, told, has_more=len(arguments) < signature.total)


def _watch(name: str, events: Sequence[tuple[Moment, str]], signature: Signature) -> Watch:
    at = {moment: handler((moment, name)) if (moment, name) in events else "" for moment in Moment}
    count = len(signature.parameters)
    return Watch(name, at[Moment.CALL], at[Moment.RETURN], count, has_result=bool(signature.returns))


def _unseen(modules: Sequence[Module], names: set[str]) -> Iterable[str]:
    """Calls that no handler stands around."""
    for name in sorted({each for module in modules for each in taken(module.ir, names)}):
        yield f"the address of {name} is taken: calls of it through a pointer are no events of a specification"


def with_watches(ir: str, made: Watching | None, defined: Collection[str]) -> str:
    """A module of the user's as it is watched. `defined`: the functions that some module of the program defines."""
    if made is None:
        return ir
    return with_events(ir, made.watches, defined, END if made.has_end else "")


# -- the unit ------------------------------------------------------------------------------------------------------


def monitors_written(made: Watching, entry: Module, options: BuildOptions, toolchain: Toolchain) -> WrittenText:
    """The file of the monitors: the entry's source, then they."""
    text = f'#include "{entry.read}"\n{made.monitor}'
    path = toolchain.cache.write(text.encode(errors="surrogateescape"), "harness", digest(text), ".c")
    return WrittenText(MONITORS, path, (*user_flags(options, entry.source), "-w"))


def monitors_unit(text: WrittenText, source: Path, shared: Iterable[str], toolchain: Toolchain) -> UnitRequest:
    """Their unit, with what is the entry's source declared. `shared`: what the unit of that source defines.

    Raises UsageError for a condition that does not compile, at its place.
    """
    ir = _compiled(text, source, toolchain)
    own = [name for name in defined_functions(ir) if name.startswith(PREFIX)]
    alone = apart(ir, own, source, set(shared), copies=True)
    if alone is None:
        raise ToolchainError(f"{text.label} refer to something of {source.name} that has no symbol")
    return UnitRequest(MONITORS, alone, is_library=True)


def _compiled(text: WrittenText, source: Path, toolchain: Toolchain) -> str:
    with toolchain.cache.scratch() as scratch:
        output = scratch / "monitors.ll"
        said = compile_ir(toolchain, text.path, output, text.flags)
        if not said.code and output.exists():
            return output.read_text(errors="surrogateescape")
    known = _KNOWN.search(said.messages)
    if known is not None:
        raise UsageError(
            f"{known[1]}: `{known[2]}` means something in {source.name} already, and can name no value here: "
            f"write ({known[2]}) to compare with it, or give another name"
        )
    found = next((each for each in _SAID.finditer(said.messages) if each[1] != _OWN_TEXT), None)
    if found is None:
        raise ToolchainError(f"{text.label} do not compile:\n{shorten(said.messages)}")
    raise UsageError(
        f"{found[1]}:{found[2]}:{found[3]}: {found[4]}: "
        f"a condition is C, with the names that {source.name} knows at its end"
    )
