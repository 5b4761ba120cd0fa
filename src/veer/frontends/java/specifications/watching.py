"""--spec and comments of sources → what a program in Java is watched by: a class of monitors, and calls of it.

The lowered code calls the handlers (`with_monitors`), the JVM's classes are woven (`weaving.py`): both hear the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.classpath.path import read_class
from veer.frontends.java.jdk import Jdk, jar, run_java
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.world import World
from veer.frontends.java.replay.jvm import driver_classes
from veer.frontends.java.specifications.methods import Watched as Method
from veer.frontends.java.specifications.methods import named
from veer.frontends.java.specifications.monitor import CLASS, ENGINE, MOST_TOLD, Text, monitors
from veer.frontends.java.specifications.weaving import Woven
from veer.frontends.java.units import Found, Unit
from veer.instrument.events import with_events
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.specification import Event, InSuite, Watch, Watching
from veer.specs.language import Kind, Moment
from veer.specs.reading import read
from veer.specs.scanner import error
from veer.specs.watched import Watched, events_of, facts, watched
from veer.toolchain.cache import Cache, digest

HANDLER = "veer_watch_"
MOST_REGISTERS = 64
_SAID = re.compile(rf"{CLASS}\.java:(\d+): error: (.*)")


class Monitored(Struct, frozen=True):
    """What an entry is watched by. `classes`: a jar with the class of the monitors, `owner`; `text`: its source."""

    watching: Watching
    specifications: tuple[Watched, ...]
    methods: tuple[Method, ...]
    classes: Path
    owner: ClassFile
    text: str

    def reach(self, world: World) -> None:
        """Makes the handlers a part of the world."""
        world.path.add_core(self.owner)
        for each in self.owner.methods:
            if each.name.startswith((*(f"{moment.value}_" for moment in Moment), "<clinit>")):
                world.reach(self.owner, each)

    def woven(self, owner: ClassFile) -> dict[tuple[str, str], Woven]:
        """What is woven into a class."""
        return {
            each.found.method.key: Woven(self.owner.name, *(_handler(self.owner, each, moment) for moment in Moment))
            for each in self.methods
            if each.found.owner.name == owner.name
        }


def _handler(owner: ClassFile, method: Method, moment: Moment) -> str:
    """The method of the monitors that hears of it, or empty."""
    name = f"{moment.value}_{method.number}"
    return name if any(each.name == name for each in owner.methods) else ""


def _in_suite(text: Text, methods: Sequence[Method], owner: ClassFile) -> InSuite:
    """What suites have: a nested class, and for each method its handlers."""
    rows = [
        (each.found.owner.name, *each.found.method.key, *(_handler(owner, each, moment) for moment in Moment))
        for each in methods
    ]
    nested = "\n".join(text.lines[1:]).replace(f"final class {CLASS}", f"static final class {CLASS}", 1)
    nested = nested.replace(f"{ENGINE}.", "VeerSpecifications.")
    return InSuite("\n".join("\t".join(row) for row in rows), nested, is_any=True)


def monitored(unit: Unit, entry: Found, options: BuildOptions, jdk: Jdk, cache: Cache) -> Monitored | None:
    """What an entry is watched by; None for nothing. Raises UsageError, which points into the specification."""
    sources = [each.absolute() for each in options.sources if each.suffix == ".java"]
    found = read(map(Path, options.specifications), sources)
    if not found:
        return None
    known: dict[str, Found] = {}
    for each in found:
        for pattern in each.patterns:
            known[pattern.function] = named(unit, pattern)
        if len(watched(each).machine.initial) > MOST_REGISTERS:
            raise error(each.place, f"this has more than {MOST_REGISTERS} states to be told apart: write it as two")
    has_end = any(each.kind in (Kind.AT_END, Kind.COMPLETE) for each in found)
    numbers = {each.name: number for number, each in enumerate(_methods(known, entry if has_end else None))}
    by_name = {name: Method(each, numbers[each.name]) for name, each in known.items()}
    own = Method(entry, numbers[entry.name]) if has_end else None
    specifications = tuple(map(watched, found))
    events = events_of(specifications)
    package = entry.owner.name.rpartition("/")[0].replace("/", ".")
    text = monitors(specifications, by_name, events, own, package)
    classes, owner = _compiled(text, package, unit, jdk, cache)
    methods = tuple({each.number: each for each in (*by_name.values(), *([own] if own is not None else []))}.values())
    watching = Watching(
        tuple(facts(each, events) for each in specifications),
        tuple(_event(each, by_name[each[1]]) for each in events),
        (),
        "",
        has_end=has_end,
        in_suite=_in_suite(text, methods, owner),
    )
    return Monitored(watching, specifications, methods, classes, owner, "\n".join(text.lines) + "\n")


def _methods(known: Mapping[str, Found], entry: Found | None) -> Sequence[Found]:
    """Each method once."""
    return list({each.name: each for each in (*known.values(), *([entry] if entry is not None else []))}.values())


def _event(event: tuple[Moment, str], method: Method) -> Event:
    told = method.told(is_return=event[0] is Moment.RETURN)[:MOST_TOLD]
    count = sum(name != "result" for _, name in told)
    return Event(
        event[1],
        event[0] is Moment.RETURN,
        tuple(name for _, name in told),
        has_more=count < len(method.types) - method.first,
    )


# -- the class -------------------------------------------------------------------------------------------------------


def _compiled(text: Text, package: str, unit: Unit, jdk: Jdk, cache: Cache) -> tuple[Path, ClassFile]:
    """The jar of the class, and the class. Raises UsageError for a condition that does not compile, at its place."""
    source = "\n".join(text.lines) + "\n"
    path = ":".join(map(str, (unit.classes, *unit.more_classes, driver_classes(jdk, cache))))
    name = f"{package.replace('.', '/')}/{CLASS}" if package else CLASS
    with cache.scratch() as scratch:
        file = scratch / f"{CLASS}.java"
        file.write_text(source, errors="surrogateescape")
        flags = ("-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "1", "-d", str(scratch / "out"))
        try:
            run_java(
                (str(jdk.javac), "-J-Xshare:auto", *flags, "-cp", path, str(file)),
                "the monitors do not compile",
            )
        except UsageError as problem:
            raise _at_its_place(str(problem), text) from problem
        data = (scratch / "out" / f"{name}.class").read_bytes()
    made = jar({f"{name}.class": data})
    return cache.write(made, "program", digest("java monitors", made), ".jar"), read_class(data, CLASS)


def _at_its_place(said: str, text: Text) -> UsageError:
    found = _SAID.search(said)
    place = text.places.get(int(found[1])) if found is not None else None
    if found is None or place is None:
        return UsageError(said)
    return error(place, f"{found[2]}: a condition is Java, with the names that the entry's package knows")


# -- the lowered code ----------------------------------------------------------------------------------------------


def with_monitors(text: str, made: Monitored, symbols: Mapping[tuple[str, str, str], str]) -> str:
    """The module with calls of the handlers. `symbols`: of all methods, by class, name and descriptor."""
    watches, shims = [], list[str]()
    for each in made.methods:
        method = each.found.method
        symbol = symbols.get((each.found.owner.name, *method.key))
        if symbol is None:
            continue
        handlers = made.woven(each.found.owner)[method.key]
        names = {}
        for moment, handler in ((Moment.CALL, handlers.at_call), (Moment.RETURN, handlers.at_return)):
            names[moment] = f"{HANDLER}{handler}" if handler else ""
            if handler:
                shims += _shim(made, each, moment, names[moment], handler, symbols)
        watches.append(
            Watch(symbol, names[Moment.CALL], names[Moment.RETURN], len(each.types), has_result=bool(each.result))
        )
    woven = with_events(text, watches, frozenset(symbols.values()))
    declared = [line for line in woven.splitlines() if not line.startswith(f"declare void @{HANDLER}")]
    return "\n".join([*declared, *shims, *_tables(made)]) + "\n"


def _shim(
    made: Monitored,
    method: Method,
    moment: Moment,
    name: str,
    handler: str,
    symbols: Mapping[tuple[str, str, str], str],
) -> Iterator[str]:
    """What the code calls: nothing is told of a method that an exception leaves."""
    types = [*method.types, *([method.result] if moment is Moment.RETURN and method.result else [])]
    given = ", ".join(f"{IR_TYPES[kind_of(type_)]} %x{place}" for place, type_ in enumerate(types))
    descriptor = next(each.descriptor for each in made.owner.methods if each.name == handler)
    assert len(method_types(descriptor)[0]) == len(types)
    target = symbols[made.owner.name, handler, descriptor]
    yield f"define void @{name}({given}) {{"
    if moment is Moment.RETURN:
        yield "  %pending = load ptr, ptr @veer_call_java_pending"
        yield "  %is_whole = icmp eq ptr %pending, null"
        yield "  br i1 %is_whole, label %whole, label %thrown"
        yield "thrown:"
        yield "  ret void"
        yield "whole:"
    yield f"  call void @{target}({given})"
    yield "  ret void"
    yield "}"


def _tables(made: Monitored) -> Iterator[str]:
    """What the code of Specifications' methods looks at (`lowering/replaced.py`)."""
    count = len(made.specifications)
    names, tables = [], []
    for number, each in enumerate(made.specifications):
        name = each.specification.name.encode() + b"\0"
        data = "".join(f"\\{byte:02X}" for byte in name)
        yield f'@veer.watch.name.{number} = private constant [{len(name)} x i8] c"{data}"'
        names.append(f"ptr @veer.watch.name.{number}")
        table = _distances(each)
        if table:
            data = "".join(f"\\{byte:02X}" for byte in table)
            yield f'@veer.watch.distance.{number} = private constant [{len(table)} x i8] c"{data}"'
        tables.append(f"ptr @veer.watch.distance.{number}" if table else "ptr null")
    yield f"@veer_watch_names = constant [{count} x ptr] [{', '.join(names)}]"
    yield f"@veer_watch_distances = constant [{count} x ptr] [{', '.join(tables)}]"
    yield f"@veer_watch_registers = global [{count * MOST_REGISTERS} x i8] zeroinitializer"
    yield "declare void @veer_specification_event(i32, i32, i64, i64, i64, i64)"
    yield "declare void @veer_specification_check(i32, i32, ptr)"
    yield "declare void @veer_specification_state(i32, i32, ptr, i32, ptr)"
    yield "declare void @veer_specification_full()"


def _distances(each: Watched) -> bytes:
    """By the registers, the first one in the lowest bit, how many events away a violation is; empty: not known."""
    count = len(each.machine.initial)
    if each.automaton is None or not 0 < count <= 10:
        return b""
    table = bytearray([254] * (1 << count))
    for state, distance in zip(each.automaton.states, each.automaton.distances, strict=True):
        table[sum(int(bit) << place for place, bit in enumerate(state))] = distance
    return bytes(table)
