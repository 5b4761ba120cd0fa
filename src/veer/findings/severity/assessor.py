"""The severity of a fault, and of several inputs that show it the one that breaks the fewest contracts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from veer.execution.decode import Fault, decode
from veer.execution.protocol import Executor
from veer.findings.deadline import NEVER, Deadline
from veer.findings.probes import last_input
from veer.findings.severity import (
    allocations,
    asserted,
    buffers,
    callers,
    calls,
    disguised,
    encoded,
    ends,
    enumerations,
    fields,
    kept,
    lengths,
    library,
    machine,
    mixed,
    nulls,
    preceding,
    rounds,
    shapes,
    standstill,
    state,
    states,
    unchecked,
    wholeblocks,
)
from veer.findings.severity.conditions import NO_CONDITIONS, Conditions, asked_of, conditions_at, failing_on
from veer.findings.severity.indifferent import indifferent
from veer.findings.severity.longruns import (
    LEAST_NUMBER,
    SOME_CONDITIONS,
    STEPS_OF_A_TRY,
    asks_on,
    conditions_met,
    grows,
    limited,
)
from veer.findings.severity.pointing import AT_NULL, choices, numbers, pointed
from veer.findings.severity.repair import put, repaired
from veer.findings.severity.witness import Witness, witness
from veer.model.inputs import InputMap
from veer.model.outcome import AT_LIMITS, Outcome
from veer.model.places import written
from veer.model.program import Program, Site
from veer.model.severity import NO_CHECKS, Broken, CheckedFor, Judgement, Severity
from veer.model.unitfacts import UnitFacts
from veer.model.values import replace
from veer.oracles.bugs import Suspect, identity
from veer.oracles.hangs import LoopFinder
from veer.wire.shared import Shared

RULES: tuple[Callable[[Witness], Iterator[Broken]], ...] = (
    nulls.broken,
    kept.broken,
    disguised.broken,
    library.broken,
    machine.broken,
    mixed.broken,
    allocations.broken,
    buffers.broken,
    encoded.broken,
    lengths.broken,
    wholeblocks.broken,
    ends.broken,
    fields.broken,
    enumerations.broken,
    rounds.broken,
    preceding.broken,
    standstill.broken,
    asserted.broken,
    shapes.broken,
    callers.broken,
    calls.broken,
    state.broken,
    states.broken,
    unchecked.broken,
)
OF_PARAMETERS = (nulls.broken, buffers.broken, rounds.broken)
"""The rules that ask for no other facts than those of parameters, which machine code shows."""
OF_PROGRAMS = (rounds.broken,)
"""The rules for what nobody calls: a `main`, a harness."""
_ARITHMETIC = (Outcome.DIVISION, Outcome.QUOTIENT)
_OF_CHECKS = (Outcome.UNDEFINED, Outcome.DIVISION)
_MOST_NUMBERS = 4
"""Of a hang's input that are tried."""
MOST_SECONDS = 2.0
"""Of a campaign with the usual budget."""
OUT_OF_TIME = "some bugs are judged by the first input that showed them: the time for others was up (--budget)"


class Seen(Struct, frozen=True):
    """What was seen of a run that ended in a fault. `asked` and all that follows: see Witness."""

    fault: Fault
    inputs: InputMap
    asked: int = 0
    asks_on: bool = False
    grows_with: frozenset[int] = frozenset()
    conditions: Conditions = NO_CONDITIONS
    asked_of: frozenset[int] | None = None
    failing_on: frozenset[int] | None = None


class Assessor(Struct, frozen=True):
    """Judges the faults of a program. `checked_for`: what the checks of its compiler are about."""

    program: Program
    checked_for: CheckedFor = NO_CHECKS

    def judgement(self, seen: Seen) -> Judgement:
        """How bad a fault is that this input shows."""
        shown = self.witness(seen)
        rules = self._rules
        broken = dict.fromkeys(each for rule in rules for each in rule(shown)) if shown is not None else ()
        if broken:
            language = self.program.language
            told = (Broken(written(language, each.cause), written(language, each.sentence)) for each in broken)
            return Judgement(Severity.CONTRACT, tuple(told), failing_on=seen.failing_on)
        severity = Severity.UNDEFINED if self._is_arithmetic(seen.fault) else Severity.ERROR
        return Judgement(severity, is_of_null=shown is not None and shown.passes_null, failing_on=seen.failing_on)

    def witness(self, seen: Seen) -> Witness | None:
        """What rules look at; None where nothing is known of the unit, but for a hang."""
        facts, fault = self.program.facts or self.program.parameter_facts, seen.fault
        if facts is None and fault.outcome is not Outcome.HANG:
            return None
        facts = facts or UnitFacts()
        passes_null = fault.outcome is Outcome.UNDEFINED and fault.kind in self.checked_for.null_arguments
        shown = witness(self.program, facts, fault, seen.inputs, passes_null=passes_null)
        is_arithmetic = self._is_arithmetic(fault)
        return replace(
            shown,
            asked=seen.asked,
            asks_on=seen.asks_on,
            grows_with=seen.grows_with,
            conditions=seen.conditions,
            asked_of=seen.asked_of,
            failing_on=seen.failing_on,
            is_arithmetic=is_arithmetic,
            is_of_a_cast=fault.outcome is Outcome.UNDEFINED and fault.kind in self.checked_for.casts,
        )

    @property
    def _rules(self) -> Sequence[Callable[[Witness], Iterator[Broken]]]:
        if self.program.facts is not None:
            return RULES
        return OF_PARAMETERS if self.program.parameter_facts is not None else OF_PROGRAMS

    def _is_arithmetic(self, fault: Fault) -> bool:
        is_checked = fault.outcome is Outcome.UNDEFINED and fault.kind in self.checked_for.arithmetic
        return is_checked or fault.outcome in _ARITHMETIC


class Assessed(NamedTuple):
    """The suspects, judged; `notes` for the user."""

    suspects: tuple[Suspect, ...]
    notes: tuple[str, ...] = ()


class Assessment(Struct, frozen=True):
    """Judges suspects by running their witnesses again in `executor`, as probes but for inputs that are better.

    From `deadline` on, or once it has taken MOST_SECONDS, each is judged by its first witness as it is.
    """

    shared: Shared
    executor: Executor
    assessor: Assessor
    deadline: Deadline = NEVER

    def of(self, suspects: Sequence[Suspect], stopped: Callable[[], bool] = lambda: False) -> Assessed:
        """The suspects, each judged by the witness that breaks the fewest contracts, the smallest of these.

        Once `stopped()`, the rest stays as it is.
        """
        deadline = self.deadline.usually(MOST_SECONDS)

        def is_late() -> bool:
            return stopped() or deadline.is_over

        found = tuple(each if stopped() else self._of(each, is_late) for each in suspects)
        return Assessed(found, (OUT_OF_TIME,) if found and deadline.is_over else ())

    def _of(self, suspect: Suspect, is_late: Callable[[], bool]) -> Suspect:
        best: Suspect | None = None
        for path in dict.fromkeys((suspect.path, *suspect.others)):
            if best is not None and is_late():
                break
            seen = self._seen(self.shared.input_of(path), suspect)
            if seen is None:
                continue
            judgement = self.assessor.judgement(seen)
            if best is None or len(judgement.broken) < len(best.judgement.broken):
                fault = self._whole_fault(path, seen, suspect)
                if fault is None:
                    continue
                best = replace(suspect, path=path, judgement=judgement, fault=told_by(fault, suspect.fault))
            if not judgement.broken:
                break
        return self._indifferent(self._repaired(best, is_late), is_late) if best is not None else suspect

    def _whole_fault(self, path: int, seen: Seen, suspect: Suspect) -> Fault | None:
        """The fault of a path's whole run: where a hang that was cut short stood is not where its steps run out."""
        if suspect.fault.outcome is not Outcome.HANG:
            return seen.fault
        if path == suspect.path:
            return suspect.fault
        whole = self._seen(self.shared.input_of(path), suspect, wholly=True)
        return whole.fault if whole is not None else None

    def _seen(self, raw: bytes, suspect: Suspect, filler: int = 0, *, wholly: bool = False) -> Seen | None:
        """What is seen of a run, if it shows the suspect's fault: of a hang, of its first steps if not `wholly`."""
        is_cut = suspect.fault.outcome is Outcome.HANG and not wholly
        with limited(self.shared, steps=STEPS_OF_A_TRY) if is_cut else contextlib.nullcontext():
            is_run = self.executor.probe(raw, filler=filler)
        if not is_run:
            return None
        recording = decode(self.shared, self.assessor.program, last_input(self.shared))
        fault = recording.fault or suspect.fault
        if recording.outcome is not suspect.fault.outcome:
            return None
        if not self._are_one(fault, suspect.fault):  # a loop before the one that hangs may take all of the first steps
            return self._seen(raw, suspect, filler, wholly=True) if is_cut else None
        seen = seen_of_last_run(self.shared, self.assessor.program, fault, recording.inputs)
        if grown := self._grows_with(seen):
            return replace(seen, grows_with=grown)
        if seen.asked < SOME_CONDITIONS:
            return seen
        return replace(seen, asks_on=asks_on(self.shared, self.executor, raw, filler, seen.asked))

    def _grows_with(self, seen: Seen) -> frozenset[int]:
        """Where numbers stand in the input of the last run, a hang, with which runs grow until they use up their steps.

        It is the last run again behind that.
        """
        called = [each.function for each in seen.fault.stack]
        is_nested = seen.fault.outcome is Outcome.HANG and len(set(called)) < len(called)  # of loops `asks_on` tells
        shown = self.assessor.witness(seen) if is_nested else None
        large = (each for each in rounds.counts(shown) if each.number >= LEAST_NUMBER) if shown is not None else ()
        counted = tuple(islice(large, _MOST_NUMBERS))
        if not counted:
            return frozenset()
        raw = last_input(self.shared)
        found = frozenset(
            each.misfit.value.at
            for each in counted
            if grows(self.shared, self.executor, partial(_with_number, raw, each), each.number)
        )
        with limited(self.shared, steps=STEPS_OF_A_TRY):
            self.executor.probe(raw)
        return found

    def _are_one(self, fault: Fault, other: Fault) -> bool:
        """Whether two faults are one bug: the same place, and of hangs the same loop."""
        if identity(fault) == identity(other):
            return True
        if not fault.outcome is other.outcome is Outcome.HANG:
            return False
        loops = LoopFinder(self.assessor.program.functions)
        around = loops.around(fault.sites)
        return around is not None and around == loops.around(other.sites)

    def _indifferent(self, suspect: Suspect, is_late: Callable[[], bool]) -> Suspect:
        """The suspect with the structs whose numbers do not matter, where it breaks no contract."""
        raw = self.shared.input_of(suspect.path)
        seen = self._seen(raw, suspect) if not suspect.judgement.broken and not is_late() else None
        if seen is None:
            return suspect

        def shows(tried: bytes) -> bool:
            return not is_late() and self._fails_there(tried, suspect)

        names = indifferent(raw, seen.inputs, self.assessor.program, shows)
        return replace(suspect, judgement=replace(suspect.judgement, indifferent=names))

    def _fails_there(self, raw: bytes, suspect: Suspect) -> bool:
        """Whether a run ends at the place of the suspect's fault, in that one or in another fault of memory: what a
        text that goes on behind its array comes to is the matter of the bytes that lie there."""
        if self._seen(raw, suspect) is not None:
            return True
        fault, site = decode(self.shared, self.assessor.program, last_input(self.shared)).fault, suspect.fault.site
        if fault is None or fault.site is None or site is None or fault.outcome in AT_LIMITS:
            return False
        return suspect.fault.outcome not in AT_LIMITS and _place(fault.site) == _place(site)

    def _repaired(self, suspect: Suspect, is_late: Callable[[], bool]) -> Suspect:
        """The suspect with a witness whose numbers are those that the unit stores, and whose pointers lead to objects
        of their own, if there is one."""

        def judged(raw: bytes, filler: int = 0) -> tuple[bytes, Judgement] | None:
            seen = self._seen(raw, suspect, filler) if not is_late() else None
            return (last_input(self.shared), self.assessor.judgement(seen)) if seen is not None else None

        def shows(raw: bytes) -> Witness | None:
            seen = self._seen(raw, suspect) if not is_late() else None
            return self.assessor.witness(seen) if seen is not None else None

        raw = self.shared.input_of(suspect.path)
        before = shows(raw) if suspect.judgement.broken else None
        moved = repaired(raw, before, shows) if before is not None else raw
        now = judged(moved) if before is not None and suspect.fault.outcome not in AT_NULL else None
        if now is not None:
            moved = pointed(moved, now[1], choices(self.shared), judged, partial(numbers, self.shared))
        seen = self._seen(moved, suspect, wholly=True) if moved != raw else None
        if seen is None:
            return suspect
        known = len(self.shared.published("paths"))
        self.executor.run(moved, keeps=True)
        if len(self.shared.published("paths")) == known:
            return suspect
        told = told_by(seen.fault, suspect.fault)
        return replace(suspect, path=known, judgement=self.assessor.judgement(seen), fault=told)


def seen_of_last_run(shared: Shared, program: Program, fault: Fault, inputs: InputMap) -> Seen:
    """What is seen of the last run, which ended in that fault."""
    asked = conditions_met(shared) if fault.outcome is Outcome.HANG else 0
    asserts = fault.outcome in asserted.ENDINGS
    conditions = conditions_at(shared, program, fault) if asserts else NO_CONDITIONS
    is_unknown = program.parameter_facts is not None and fault.outcome in buffers.ENDINGS  # of machine code
    failed = failing_on(shared, fault) if fault.outcome in _OF_CHECKS else None
    return Seen(
        fault,
        inputs,
        asked,
        conditions=conditions,
        asked_of=asked_of(shared) if is_unknown else None,
        failing_on=failed,
    )


def _with_number(raw: bytes, count: rounds.Count, number: int) -> bytes:
    """The input with another number there."""
    return put(raw, count.misfit.value, count.written(number) if count.written is not None else number)


def _place(site: Site) -> tuple[str, int, int]:
    return site.file, site.line, site.column


def told_by(shown: Fault, first: Fault) -> Fault:
    """The fault as its witness shows it, found when it was first met."""
    return replace(shown, run=first.run, seconds=first.seconds)
