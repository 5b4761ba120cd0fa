"""What the emulator says of a test is believed: another result, other memory, other instructions, another ending."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from veer.frontends.machine.architectures import ARM, POWERPC
from veer.frontends.machine.emulator import Answer, Case, Machine
from veer.frontends.machine.replayer import MachineReplayer
from veer.frontends.machine.suite_replay import SuiteReplayer, verdict_of
from veer.frontends.protocol import Measurable
from veer.model.coverage import CountedLine
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.replay import NOT_ASKED, STOPPED, Agreement, Proof, Replay, Want
from veer.model.result import Test
from veer.toolchain.compiler import Toolchain

RETURNED = Test("test_001", InputMap((), ()), Outcome.RETURNED, None, b"\x03\0\0\0", (), "same")
GOOD = Answer("returned", "", 3, (), (0x1000, 0x1004))


class Native:
    """Stands for the lifted code: it ran the second instruction of the listing."""

    def replay(self, tests: Any, is_stopped: Any, want: Want) -> tuple[Replay, ...]:
        assert Want.OUTCOME not in want
        return tuple(Replay(test.name, NOT_ASKED, lines=(1,)) for test in tests)

    def measurable(self, want: Want) -> Measurable:
        return Measurable((CountedLine("x.lst", 4, "f"), CountedLine("x.lst", 5, "f")))


class Emulator:
    """Stands for the emulator's process."""

    image = SimpleNamespace(architecture=ARM)

    def __init__(self, answer: Answer | None) -> None:
        self.answer = answer

    def run(self, cases: Any, seconds: float) -> tuple[Answer | None, ...]:
        return (self.answer,) * len(cases)

    judged = Machine.judged


class Particular(Emulator):
    """One that answers well only where objects are aligned as in the search."""

    def run(self, cases: Any, seconds: float) -> tuple[Answer | None, ...]:
        return tuple(GOOD if case.is_aligned else self.answer for case in cases)


def replayed(test: Test, answer: Answer | None) -> Replay:
    """The test where the emulator answers so."""
    machine, native, program = cast(Machine, Emulator(answer)), cast(Any, Native()), cast(Program, None)
    replayer = MachineReplayer(program, native, machine, (), True, {4: 0x1000, 5: 0x1004}, 1.0)
    return replayer.replay([test])[0]


def test_the_same_run_is_the_same() -> None:
    assert replayed(RETURNED, GOOD).verdict.agreement is Agreement.SAME


def test_what_differs_is_run_again_with_aligned_objects() -> None:
    """Once, for those that have objects; where it differs all the same, the first answer is told."""
    other = Answer("returned", "", 4, (), ())
    cases = [Case((), {}), Case((), {"object_1": bytes(3)}), Case((), {"object_1": bytes(3)})]
    answers = Particular(other).judged(cases, 1.0, lambda number, answer: number == 1 and answer is GOOD)
    assert answers == (other, GOOD, other)


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (Answer("returned", "", 4, (), (0x1000, 0x1004)), "returned 04000000"),
        (Answer("returned", "", 3, (), (0x1000,)), "did not run the instruction at 0x1004"),
        (Answer("fault", "Invalid memory read", 3, (), (0x1000, 0x1004)), "Invalid memory read"),
        (Answer("limit", "it ran longer than 1 s", 3, (), (0x1000, 0x1004)), "longer"),
    ],
)
def test_another_run_differs(answer: Answer, part: str) -> None:
    found = replayed(RETURNED, answer).verdict
    assert found.agreement is Agreement.DIFFERS
    assert part in found.why


def test_a_bug_is_confirmed_where_the_emulator_faults() -> None:
    bug = Test("test_002", InputMap((), ()), Outcome.SEGFAULT_NULL, None, None, (), "same")
    assert replayed(bug, Answer("fault", "", 0, (), ())).proof is Proof.CONFIRMED
    assert replayed(bug, GOOD).verdict.agreement is Agreement.DIFFERS


def test_a_test_that_ended_the_emulator_is_not_replayed() -> None:
    assert replayed(RETURNED, None).verdict.agreement is Agreement.NOT_REPLAYED


def test_a_suite_is_not_run_once_it_is_stopped(tmp_path: Path) -> None:
    found = SuiteReplayer(tmp_path / "nowhere.json", 1.0, cast(Toolchain, None)).replay([RETURNED], lambda: True)
    assert found == (Replay("test_001", STOPPED),)


@pytest.mark.parametrize(
    ("outcome", "ended", "agreement"),
    [
        (Outcome.DIVISION, "returned", Agreement.DIFFERS),
        (Outcome.SEGFAULT_NULL, "fault", Agreement.SAME),
        (Outcome.SEGFAULT_NULL, "returned", Agreement.DIFFERS),
        (Outcome.HANG, "limit", Agreement.SAME),
        (Outcome.HANG, "fault", Agreement.DIFFERS),
        (Outcome.RETURNED, "fault", Agreement.DIFFERS),
        (Outcome.RETURNED, "returned", Agreement.SAME),
    ],
)
def test_a_test_of_a_suite_ends_as_it_was_recorded(outcome: Outcome, ended: str, agreement: Agreement) -> None:
    row = {"memory": {}, "memory_after": {}, "returned": "03000000"}
    assert verdict_of(outcome, row, Answer(ended, "", 3, (), ()), ARM).agreement is agreement


@pytest.mark.parametrize("outcome", [Outcome.DIVISION, Outcome.QUOTIENT])
def test_a_quotient_of_powerpc_that_there_is_not_may_be_a_number(outcome: Outcome) -> None:
    row = {"memory": {}, "memory_after": {}, "returned": None}
    answer = Answer("returned", "", 3, (), ())
    assert verdict_of(outcome, row, answer, POWERPC).agreement is Agreement.SAME
    assert verdict_of(outcome, row, answer, ARM).agreement is Agreement.DIFFERS
