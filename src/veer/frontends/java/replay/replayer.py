"""A Replayer: tests run again on the machine's JVM, on the user's own classes and on the same with counters."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.entries import ignores_arguments
from veer.frontends.java.jdk import Jdk, jar
from veer.frontends.java.lowered import Lowered
from veer.frontends.java.lowering.cuts import IDENTITY, NOT_GIVEN
from veer.frontends.java.replay.circles import needs_itself
from veer.frontends.java.replay.counters import Counters
from veer.frontends.java.replay.encoding import ARGUMENTS, Argument, Earlier, command
from veer.frontends.java.replay.graphs import difference
from veer.frontends.java.replay.jvm import Ran, driver_classes, run_all
from veer.frontends.java.replay.rewriting import rewritten
from veer.frontends.java.specifications.weaving import woven
from veer.frontends.java.traps import CLASSES
from veer.frontends.java.types import THIS
from veer.frontends.protocol import Measurable
from veer.model.callresult import VALUE, classes, members, thrown, told_behind
from veer.model.coverage import CountedLine
from veer.model.objectgraph import read
from veer.model.outcome import Outcome
from veer.model.program import Program, SiteKind
from veer.model.replay import AT_LIMIT, SAME, STOPPED, UNCALLABLE, VARIES, Proof, Replay, Want, differs, not_replayed
from veer.model.result import Test
from veer.model.sequence import argument_root
from veer.model.state import calls_before
from veer.model.types import TypeKind
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest

_AGAIN = 10
"""Times a test is run again where identity hash codes are asked for. The order of two keys stays the same by chance in
one of 1,024."""
_VARIES = not_replayed(VARIES)
_MATH, _DIGITS = "java/lang/StrictMath", 8
"""Whose functions JVMs have code of their own for; how many last digits (of the bits) two results may be apart."""
AT_ONCE = 2
"""JVMs beside each other, where several tests do not end."""
_THROWN = {
    Outcome.ASSERTION: ("java.lang.AssertionError",),
    Outcome.STACK_OVERFLOW: ("java.lang.StackOverflowError",),
    Outcome.VIOLATED: ("veer.Specifications$Violated",),
}


class JvmReplayer(Struct):
    """Tests of one program. Every test has a class loader of its own; `seconds` each may take; `offsets`: of the
    instructions that branches come from, by site."""

    program: Program
    lowered: Lowered
    offsets: Mapping[int, int]
    jdk: Jdk
    cache: Cache
    seconds: float
    _counters: Counters = field(default_factory=Counters)
    _counted: Path | None = None

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer. Tests that do not end are shared by two JVMs."""
        monitors, unit = self.lowered.monitored, self.lowered.unit
        own = [monitors.classes] if monitors is not None else []
        path = (self._classes(), *own, unit.classes, *unit.more_classes)
        driver = driver_classes(self.jdk, self.cache)
        again = _AGAIN if IDENTITY in self.lowered.module.world.methods else 0
        run = partial(run_all, self.jdk, driver, path, seconds=self.seconds, is_stopped=is_stopped, again=again)
        beside = [test for test in tests if test.outcome is Outcome.HANG][1::AT_ONCE]
        groups = ([self._command(test) for test in tests if test not in beside], list(map(self._command, beside)))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            parts = pool.map(lambda group: run(group, confinement=self.program.confinement), groups)
            ran = {name: one for part in parts for name, one in part.items()}
        return tuple(
            self._replay(test, ran[test.name]) if test.name in ran else Replay(test.name, STOPPED) for test in tests
        )

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer. Decisions are not marked."""
        self._classes()
        return Measurable(tuple(self._lines()))

    # -- classes with counters ------------------------------------------------------------------------------------

    def _classes(self) -> Path:
        """A jar with those of the user's classes that the entry may reach, with counters."""
        if self._counted is None:
            path, made = self.lowered.unit.path, {}
            reached = {each.owner.name for each in self.lowered.module.world.methods.values()}
            for name in sorted(filter(path.has_file, reached)):
                data = path.own_bytes(name)
                try:
                    made[f"{name}.class"] = rewritten(data, self._counters)
                except ClassFormatError:
                    made[f"{name}.class"] = data
                made[f"{name}.class"] = self._woven(name, made[f"{name}.class"])
            data = jar(made)
            self._counted = self.cache.write(data, "program", digest("java counters", data), ".jar")
        return self._counted

    def _woven(self, name: str, data: bytes) -> bytes:
        """With calls of the monitors, if its methods are watched."""
        monitors = self.lowered.monitored
        owner = self.lowered.unit.path.find(name)
        methods = monitors.woven(owner) if monitors is not None and owner is not None else {}
        return woven(data, methods) if methods else data

    def _lines(self) -> Iterator[CountedLine]:
        world = self.lowered.module.world
        for owner, method, descriptor, line in self._counters.lines:
            reached = world.methods.get((owner, method, descriptor))
            if reached is not None:
                code = reached.method.code
                first = min((each for _, each in code.lines), default=0) if code is not None else 0
                yield CountedLine(self.lowered.module.file_of(reached.owner), line, reached.symbol, line == first)

    def _hit_lines(self, ran: Ran) -> Iterator[int]:
        world = self.lowered.module.world
        known = [counter for key, counter in self._counters.lines.items() if key[:3] in world.methods]
        return (place for place, counter in enumerate(known) if counter in ran.hits)

    def _edges(self, ran: Ran) -> Iterator[int]:
        """The branches that were taken: those of jumps, and of switches link by link."""
        symbols = {each.symbol: key for key, each in self.lowered.module.world.methods.items()}
        links: dict[tuple[str, int], int] = {}
        for site in self.program.sites:
            if max(site.items) < 0:
                continue
            at = self.offsets.get(site.id)
            place = (*symbols[site.function], at) if at is not None else None
            if place not in self._counters.branches:
                continue
            each = self._counters.branches[place][1]
            number = links[site.function, each.at] = links.get((site.function, each.at), -1) + 1
            for case, is_taken in self._counters.taken(place, ran.hits):
                if site.kind is SiteKind.CASE:
                    yield from self._case(site.id, each.cases, each.number, number, case)
                else:
                    is_forward = each.number > each.at
                    yield 2 * site.id + int(is_taken != is_forward)

    @staticmethod
    def _case(site: int, cases: tuple[tuple[int, int], ...], default: int, link: int, case: int) -> Iterator[int]:
        """Link k of a switch asks for its k-th case that does not go where the default goes."""
        own = [place for place, (_, to) in enumerate(cases) if to != default]
        if case in own:
            taken = own.index(case)
            if link <= taken:
                yield 2 * site + int(link == taken)
        else:
            yield 2 * site

    # -- outcomes -------------------------------------------------------------------------------------------------

    def _command(self, test: Test) -> str:
        """An instance method is called as `push/2`: its first two arguments are those of the constructor; as
        `push/2/of`: those of the static method that makes the object; as `push/@`: the first one is the object."""
        found, gets = self.lowered.found, self.lowered.given
        name, owner, table = found.method.name, found.owner.name, self.lowered.table
        if ignores_arguments(found):
            return command(test.name, owner, name, [Argument(ARGUMENTS, "none")], test.inputs)
        types = method_types(found.method.descriptor)[0]
        given = [Argument(*each) for each in zip(types, gets.names, strict=True)]
        before = tuple(self._before(test))
        if gets.receiver is None:
            return command(test.name, owner, name, given, test.inputs, table, before)
        made = gets.constructor(table.shapes)
        if made is None:
            first = [Argument(f"L{owner};", THIS)]
            return command(test.name, owner, f"{name}/@", [*first, *given], test.inputs, table, before)
        fields = table.types[self.lowered.parameters[0].type].fields
        own = method_types(made.descriptor)[0]
        first = [Argument(type_, THIS, each.offset) for type_, each in zip(own, fields, strict=True)]
        by = f"/{made.name}" if made.is_static else ""
        return command(test.name, owner, f"{name}/{len(first)}{by}", [*first, *given], test.inputs, table, before)

    def _before(self, test: Test) -> Iterator[Earlier]:
        """The calls before that of the entry."""
        names = [symbol for symbol, _ in self.lowered.called]
        for call in calls_before(self.lowered.state, test.inputs):
            at = names.index(call.function)
            method, (symbol, inputs) = self.lowered.calls[at].method, self.lowered.called[at]
            types, roots = method_types(method.descriptor)[0], (argument_root(symbol, each.name) for each in inputs)
            given = tuple(Argument(*each) for each in zip(types, roots, strict=True))
            owner = self.lowered.calls[at].owner.name
            yield Earlier(owner, method.name, not method.is_static, given, call.occurrence)

    def _replay(self, test: Test, ran: Ran) -> Replay:
        edges, lines = tuple(sorted(set(self._edges(ran)))), tuple(sorted(self._hit_lines(ran)))
        if (number := needs_itself(self.lowered.table, test.inputs)) is not None:
            unmade = not_replayed(f"object_{number} would have to be there before it is made")
            return Replay(test.name, unmade, proof=Proof.REFUTED if test.outcome.needs_replay else Proof.NONE)
        if ran.state == "failed":
            return Replay(test.name, not_replayed(f"{UNCALLABLE}: {ran.thrown}"))
        if test.outcome.is_limit:
            return Replay(test.name, AT_LIMIT, edges=edges, lines=lines)
        seen = _words(ran)
        if test.outcome.is_bug:
            is_shown = self._shows(test, ran)
            is_refuted = test.outcome.needs_replay and ran.state != "hang"
            proof = Proof.CONFIRMED if is_shown else Proof.REFUTED if is_refuted else Proof.NONE
            verdict = SAME if is_shown else differs(f"{seen}, recorded: {test.outcome.sentence}")
            return Replay(test.name, verdict, test.outcome if is_shown else None, seen, proof, edges, lines)
        if ran.varies:
            return Replay(test.name, _VARIES, None, seen, edges=edges, lines=lines)
        if any(root.name in NOT_GIVEN for root in test.inputs.roots):
            unseen = not_replayed("what a clock or a Random says cannot be given to the JVM")
            return Replay(test.name, unseen, None, seen, edges=edges, lines=lines)
        near = self._near(test, ran)
        test = test if near is None else replace(test, returned=near)
        is_ended = test.outcome is Outcome.EXITED and ran.state in ("exited", "gone")
        why = "" if is_ended else self._difference(test, ran)
        outcome = Outcome.RETURNED if ran.state == "end" else Outcome.HANG if ran.state == "hang" else Outcome.EXITED
        return Replay(test.name, differs(why) if why else SAME, outcome, seen, edges=edges, lines=lines, returned=near)

    @staticmethod
    def _shows(test: Test, ran: Ran) -> bool:
        """Where a class could not be initialised: whether the cause is what was recorded."""
        if test.outcome is Outcome.HANG:
            return ran.state == "hang"
        return ran.thrown.rpartition(" ")[2] in _THROWN.get(test.outcome, tuple(CLASSES.values()))

    def _near(self, test: Test, ran: Ran) -> bytes | None:
        """What the test returns with the JVM's number, where that differs from the run's in few of its last digits,
        and functions of Math are called: JVMs compute some in code of their own (decision 0532)."""
        fields, returned = members(self.program), test.returned or b""
        type_ = self.program.types[fields[VALUE].type] if VALUE in fields else None
        calls_math = any(owner == _MATH for owner, _, _ in self.lowered.module.world.methods)
        if not calls_math or type_ is None or type_.kind is not TypeKind.FLOAT or ran.state != "end" or ran.thrown:
            return None
        recorded = _part(returned, fields[VALUE].offset, type_.size)
        seen = int(ran.result or "0", 16) & ((1 << 8 * type_.size) - 1)
        if thrown(self.program, returned) or not 0 < abs(seen - recorded) <= _DIGITS:
            return None
        at = fields[VALUE].offset
        return returned[:at] + seen.to_bytes(type_.size, "little") + returned[at + type_.size :]

    def _difference(self, test: Test, ran: Ran) -> str:
        """What the JVM did otherwise than the test says, or empty."""
        if ran.state != "end":
            return _words(ran)
        returned = test.returned or b""
        fields, number = members(self.program), thrown(self.program, returned)
        expected = classes(self.program).get(number, "") if number else ""
        if ran.thrown.partition(" ")[0] != expected:
            return f"{_words(ran)}, recorded: {f'threw {expected}' if expected else 'returned'}"
        if not expected and VALUE in fields:
            type_ = self.program.types[fields[VALUE].type]
            recorded = _part(returned, fields[VALUE].offset, type_.size)
            if int(ran.result or "0", 16) & ((1 << 8 * type_.size) - 1) != recorded and not _are_nan(
                type_.kind, ran, recorded, type_.size
            ):
                return f"returned {ran.result}, recorded: {recorded:x} (bits in hexadecimal)"
        told = told_behind(self.program, returned).splitlines()
        return difference(read(told), read(ran.graph.split("|"))) if told else ""


def _part(data: bytes, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size], "little")


def _are_nan(kind: TypeKind, ran: Ran, recorded: int, size: int) -> bool:
    """Whether both are NaN: which one is nobody's business."""
    return kind is TypeKind.FLOAT and is_nan(int(ran.result or "0", 16), size) and is_nan(recorded, size)


def is_nan(bits: int, size: int) -> bool:
    """Whether the bits of a float or double are those of a NaN."""
    value: float = struct.unpack("<f" if size == 4 else "<d", (bits & ((1 << 8 * size) - 1)).to_bytes(size, "little"))[
        0
    ]
    return math.isnan(value)


def _words(ran: Ran) -> str:
    if ran.state == "hang":
        return "it did not end in time"
    if ran.state in ("exited", "gone"):
        return "it ended the JVM"
    return f"threw {ran.thrown.replace(' ', ' for ')}" if ran.thrown else "returned"
