"""Replays tests of machine code: coverage on the lifted code without instrumentation, the outcome on an emulator.

        ┌► counters build of the lifted code      which branches and lines?
test ───┤
        └► emulator (emulator.py)                 is the outcome real? the same result, memory, instructions?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.frontends.machine.answer import Answer
from veer.frontends.machine.architectures import POWERPC, Architecture
from veer.frontends.machine.emulator import Machine, case_of, links_of, without_pointers
from veer.frontends.protocol import Measurable
from veer.model.errors import ToolchainError
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Proof, Replay, Want, differs, not_replayed
from veer.model.result import Test
from veer.model.values import replace

MOST_SECONDS = 5.0


class MachineReplayer(Struct):
    """Tests of one program (a Replayer). `parameters`: their names; `has_result`: whether results are compared.

    `lines`: the address of each line of the listing whose instruction runs whenever it is come to.
    """

    program: Program
    native: NativeReplayer
    machine: Machine
    parameters: tuple[str, ...]
    has_result: bool
    lines: dict[int, int]
    seconds: float

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        found = self.native.replay(tests, is_stopped, want & ~Want.OUTCOME)
        if Want.OUTCOME not in want:
            return found
        if is_stopped():
            return tuple(replace(each, verdict=STOPPED) for each in found)
        asked = [(test, each) for test, each in zip(tests, found, strict=True) if not test.outcome.is_limit]

        def agrees(number: int, answer: Answer | None) -> bool:
            return self._judged(asked[number][0], answer, asked[number][1]).verdict == SAME

        try:
            cases = [case_of(test, self.parameters) for test, _ in asked]
            answers = self.machine.judged(cases, min(self.seconds, MOST_SECONDS), agrees) if cases else ()
        except ToolchainError as error:
            return tuple(replace(each, verdict=not_replayed(str(error))) for each in found)
        by_name = dict(zip((test.name for test, _ in asked), answers, strict=True))
        return tuple(
            replace(each, verdict=AT_LIMIT) if test.outcome.is_limit else self._judged(test, by_name[test.name], each)
            for test, each in zip(tests, found, strict=True)
        )

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return self.native.measurable(want)

    def _judged(self, test: Test, answer: Answer | None, covered: Replay) -> Replay:
        if answer is None:
            return replace(covered, verdict=not_replayed("the emulator ended before it"))
        ended = f"{answer.ended}: {answer.why}" if answer.why else answer.ended
        if test.outcome.is_bug:
            return self._bug(test, answer, replace(covered, ended=ended), self.machine.image.architecture)
        why = self._difference(test, answer, covered)
        if why:
            return replace(covered, verdict=differs(why), ended=ended)
        return replace(covered, verdict=SAME, outcome=test.outcome, ended=ended, printed=b"")

    @staticmethod
    def _bug(test: Test, answer: Answer, covered: Replay, architecture: Architecture) -> Replay:
        if answer.ended == ending_of(test.outcome):
            return replace(covered, verdict=SAME, outcome=test.outcome, proof=Proof.CONFIRMED)
        if test.outcome is Outcome.HANG:
            return replace(covered, verdict=differs("it ended on the emulator"), proof=Proof.REFUTED)
        if may_go_on(test.outcome, architecture):
            return replace(covered, verdict=SAME, outcome=None)
        return replace(covered, verdict=differs(f"{covered.ended} on the emulator"), outcome=None)

    def _difference(self, test: Test, answer: Answer, covered: Replay) -> str:
        """What is otherwise on the emulator, or nothing."""
        if test.outcome is Outcome.EXITED and answer.ended == "exited":
            return self._other_instructions(answer, covered)
        if answer.ended != "returned" or test.outcome is Outcome.EXITED:
            return f"on the emulator: {answer.ended}, {answer.why}"
        if test.returned is not None and self.has_result:
            size = len(test.returned)
            result = (answer.result % (1 << 8 * size)).to_bytes(size, "little")
            if result != test.returned:
                return f"the emulator returned {result.hex()}, recorded {test.returned.hex()}"
        known = {item.number for item in test.inputs.objects}
        pointers = {item.number: links_of(item, {}) for item in test.inputs.objects}
        outputs = [output for output in test.outputs if output.number in known]
        for output, after in zip(outputs, answer.memory, strict=True):
            kept = pointers.get(output.number, ())
            if without_pointers(bytes.fromhex(after), kept) != without_pointers(output.after, kept):
                return f"on the emulator {output.name} is {after}, recorded {output.after.hex()}"
        return self._other_instructions(answer, covered)

    def _other_instructions(self, answer: Answer, covered: Replay) -> str:
        """What the lifted code says it ran and the emulator did not run."""
        counted, ran = self.native.measurable(Want.COVERAGE).lines, {*answer.ran}
        for index in covered.lines:
            address = self.lines.get(counted[index].line)
            if address is not None and address not in ran:
                return f"the emulator did not run the instruction at {address:#x}"
        return ""


def ending_of(bug: Outcome) -> str:
    """How a run on the emulator ends that shows a bug."""
    return "limit" if bug is Outcome.HANG else "fault"


def may_go_on(bug: Outcome, machine: Architecture) -> bool:
    """Whether a run on the emulator with such a bug may go on: a quotient by zero of PowerPC is any number, and so is
    that of the least integer and -1."""
    return bug.needs_check or (bug in (Outcome.DIVISION, Outcome.QUOTIENT) and machine is POWERPC)
