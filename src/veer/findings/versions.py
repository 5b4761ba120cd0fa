"""What a search found of two versions of an entry: inputs on which they differ, made smaller, recorded, replayed.

suspects ─► shrunk ─► recorded in a fresh process ─► run on the plain build of each version ─► differences
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.execution.decode import Fault, Recording, decode, fault_of, model_outcome
from veer.execution.protocol import Executor
from veer.findings.deadline import Deadline
from veer.findings.probes import last_input
from veer.findings.shrinking.bugs import PASSES
from veer.findings.shrinking.choices import Choice
from veer.findings.shrinking.drawing import choices_of_last_run
from veer.findings.shrinking.shrinker import Seen, Shown, Shrinking, shrunk
from veer.frontends.protocol import VersionsReplayer
from veer.model.comparison import Difference, Kind, Look, Told
from veer.model.outcome import Outcome
from veer.model.plainness import size_of
from veer.model.program import NEW_VERSION, Program
from veer.model.result import Confirmation, Test
from veer.oracles.bugs import Suspect, sentence
from veer.wire.compared import Compared
from veer.wire.layout import Part
from veer.wire.shared import Shared

MOST_RUNS = 3000
"""Of one difference that is made smaller."""
_ENDS = (Outcome.RETURNED, Outcome.EXITED)
_HEAD = 4  # words of a difference before its steps


class Version(Struct, frozen=True):
    """How a version ended in a recorded run."""

    outcome: Outcome
    exit_code: int
    fault: Fault | None

    @property
    def fails(self) -> bool:
        """Whether it did not end as functions and programs do."""
        return self.outcome not in _ENDS

    def said(self, traps: dict[int, str]) -> str:
        """The end in words, with its place."""
        if self.outcome is Outcome.EXITED:
            return f"exit({self.exit_code})"
        if not self.fails:
            return "it returns"
        if self.fault is None or self.fault.site is None:
            return self.outcome.sentence
        site = self.fault.site
        where = f"{Path(site.file).name}:{site.line} {site.function.removeprefix(NEW_VERSION)}"
        return f"{where}: {sentence(self.fault, traps)}"


class Found(Struct, frozen=True):
    """A recorded run in which the versions differ."""

    recording: Recording
    look: Look
    old: Version
    new: Version

    @property
    def kind(self) -> Kind:
        """What is between them."""
        if self.old.fails and self.new.fails:
            return Kind.FAILS_OTHERWISE
        return Kind.BROKEN if self.new.fails else Kind.REPAIRED if self.old.fails else Kind.CHANGED


class DifferenceShrinker(Struct, frozen=True):
    """Makes inputs smaller on which the versions differ in the same place, until `deadline`."""

    shared: Shared
    executor: Executor
    program: Program
    deadline: Deadline

    def of(self, suspect: Suspect, stopped: Callable[[], bool]) -> bytes:
        """The smallest input that was found."""

        def is_over() -> bool:
            return stopped() or self.deadline.is_over

        before = self.shared.input_of(suspect.path)
        if is_over() or not self.executor.probe(before) or (seen := self._seen(suspect)) is None:
            return before
        first = seen.looked_at()
        if first is None:
            return before

        def show(values: Sequence[int]) -> Seen | None:
            return self._seen(suspect) if self.executor.draw(values) else None

        best = shrunk(Shrinking(show, first, MOST_RUNS, is_over=is_over), PASSES)
        return best.data if best.size < first.size else before

    def _seen(self, suspect: Suspect) -> Seen | None:
        if model_outcome(self.shared.run.last_outcome) is not Outcome.DIFFERS:
            return None
        data = last_input(self.shared)
        choices = choices_of_last_run(self.shared, data)
        return Seen(choices, lambda: self._shown(suspect, data, choices))

    def _shown(self, suspect: Suspect, data: bytes, choices: tuple[Choice, ...]) -> Shown | None:
        run = decode(self.shared, self.program, data)
        if run.fault is None or run.fault.message != suspect.fault.message:
            return None
        return Shown(data, choices, size_of(run.inputs))


def record(shared: Shared, executor: Executor, program: Program, data: bytes) -> Found | None:
    """Runs an input again in `executor`; None: the versions do not differ there."""
    executor.run(data, record=True)
    recording = decode(shared, program, data)
    if recording.outcome is not Outcome.DIFFERS:
        return None
    state = shared.control(Compared)
    reports = shared.region("version_reports")
    ends = ((state.old_outcome, state.old_exit_code), (state.new_outcome, state.new_exit_code))
    versions = [
        Version(
            model_outcome(outcome),
            code,
            fault_of(reports[place], program.sites) if int(reports[place]["outcome"]) else None,
        )
        for place, (outcome, code) in enumerate(ends)
    ]
    return Found(recording, look_of_last_run(shared), *versions)


def look_of_last_run(shared: Shared) -> Look:
    """Where the versions differed in the last run."""
    kind, number, size, count, *steps = shared.region("difference").tolist()
    return Look(kind, number, size, tuple(_signed(each) for each in steps[:count]))


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def test_of(found: Found, number: int) -> Test:
    """The test of the old version: its inputs, and what it left."""
    recording, old = found.recording, found.old
    return Test(
        name=f"test_{number:03d}",
        inputs=recording.inputs,
        outcome=old.outcome,
        exit_code=old.exit_code if old.outcome is Outcome.EXITED else None,
        returned=recording.returned,
        covers=(),
        replayed="not replayed",
        outputs=recording.outputs,
        returned_object=recording.returned_object,
        state=recording.state,
        called=recording.called,
    )


def told_of(
    found: Found, program: Program, test: Test, replayer: VersionsReplayer, traps: dict[int, str]
) -> tuple[Told, Confirmation]:
    """What differs, and where that was seen: on the plain builds, or in a fresh process of the checked build alone."""
    plainly = replayer.versions(test, found.look)
    ends = Told("how it ends", found.old.said(traps), found.new.said(traps))
    if found.look.kind == Part.ENDING:
        if plainly is not None:
            return ends, Confirmation.PLAIN
        needs_check = any(
            each.fails and (each.outcome.needs_check or each.outcome is Outcome.LEAK) for each in (found.old, found.new)
        )
        runs_on = found.old.outcome.needs_replay or found.new.outcome.needs_replay  # how it would end nobody knows
        return ends, Confirmation.CHECKED if needs_check and not runs_on else Confirmation.NO
    if plainly is not None:
        return plainly, Confirmation.PLAIN
    if not found.look.size and found.look.kind == Part.OBJECT:
        name = next((each.path for each in test.inputs.objects if each.number == found.look.number), "an object")
        return Told(f"whether {name} is freed", *_freed(found)), Confirmation.CHECKED
    return ends, Confirmation.NO


def _freed(found: Found) -> tuple[str, str]:
    is_left = any(each.number == found.look.number for each in found.recording.outputs)
    return ("it is not freed", "it is freed") if is_left else ("it is freed", "it is not freed")


def in_order(found: Sequence[Difference]) -> tuple[Difference, ...]:
    """The smallest input first."""
    ordered = sorted(found, key=lambda each: size_of(each.test.inputs))
    return tuple(
        Difference(number, each.kind, each.told, each.test, each.confirmed) for number, each in enumerate(ordered, 1)
    )
