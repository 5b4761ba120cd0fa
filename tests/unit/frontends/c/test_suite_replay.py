"""Replay: what a process did against what was recorded, by hand-made ends and by real ones."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import output_samples as samples
import pytest
from suite_builds import build_suite

from veer.execution.interruption import interruptions
from veer.execution.replay import ReplayLimits, Seen, compare, describe
from veer.frontends.c.suite_replay import SuiteReplayer
from veer.model.inputs import Cell, InputMap, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, Parameter
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Agreement, Proof
from veer.model.result import Test as Recorded
from veer.model.types import Type
from veer.suite.c import plain
from veer.toolchain import compiler
from veer.toolchain.runtime import launcher


def recorded(outcome: Outcome, code: int | None = None) -> Recorded:
    return Recorded("t", InputMap((), ()), outcome, code, None, (), "")


def seen(number: int = 0, code: int = 0, line: str = "", errors: str = "", *, late: bool = False) -> Seen:
    return Seen(number, code, line, late, "", errors)


class TestCompare:
    @pytest.mark.parametrize(
        ("outcome", "end"),
        [
            (Outcome.RETURNED, seen(line="ok")),
            (Outcome.EXITED, seen(code=3)),
            (Outcome.ABORTED, seen(signal.SIGABRT)),
            (Outcome.ASSERTION, seen(signal.SIGABRT, errors="a.c:3: f: Assertion `x' failed.")),
            (Outcome.SEGFAULT_NULL, seen(signal.SIGSEGV)),
            (Outcome.STACK_OVERFLOW, seen(signal.SIGSEGV)),
            (Outcome.DIVISION, seen(signal.SIGFPE)),
            (Outcome.QUOTIENT, seen(signal.SIGFPE)),
            (Outcome.HANG, seen(late=True)),
            (Outcome.BOUNDS_READ, seen(line="ok")),
            (Outcome.USE_AFTER_FREE, seen(code=1, line="not ok")),
            (Outcome.DOUBLE_FREE, seen(signal.SIGABRT)),
            (Outcome.UNINITIALISED, seen(late=True)),
        ],
    )
    def test_the_same(self, outcome: Outcome, end: Seen) -> None:
        assert compare(recorded(outcome, 3), end)[0] == SAME

    @pytest.mark.parametrize(
        ("outcome", "end", "word"),
        [
            (Outcome.RETURNED, seen(line="not ok", code=1), "something else"),
            (Outcome.RETURNED, seen(signal.SIGSEGV), "SIGSEGV"),
            (Outcome.RETURNED, seen(code=0), "exit(0)"),
            (Outcome.EXITED, seen(code=4), "exit(4)"),
            (Outcome.EXITED, seen(line="not ok", code=3), "differs"),
            (Outcome.ASSERTION, seen(signal.SIGABRT), "SIGABRT"),
            (Outcome.ABORTED, seen(line="ok"), "returned"),
            (Outcome.SEGFAULT_NULL, seen(line="ok"), "returned"),
            (Outcome.HANG, seen(line="ok"), "returned"),
            (Outcome.DIVISION, seen(late=True), "in time"),
        ],
    )
    def test_different(self, outcome: Outcome, end: Seen, word: str) -> None:
        verdict, proof = compare(recorded(outcome, 3), end)
        assert verdict.agreement is Agreement.DIFFERS
        assert str(verdict) == f"differs: {verdict.why}"
        assert word in str(verdict)
        assert proof is (Proof.REFUTED if outcome is Outcome.HANG else Proof.NONE)

    def test_only_what_is_seen_is_confirmed(self) -> None:
        assert compare(recorded(Outcome.SEGFAULT_NULL), seen(signal.SIGSEGV)) == (SAME, Proof.CONFIRMED)
        assert compare(recorded(Outcome.BOUNDS_WRITE), seen(line="ok")) == (SAME, Proof.NONE)

    def test_the_notes_of_the_suite_are_quoted(self) -> None:
        end = Seen(0, 1, "not ok", timed_out=False, output="# t: result is 1, expected 2\nnot ok 1 - t\n", errors="")
        assert describe(end) == "result is 1, expected 2"


ENDS = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int depth(volatile int *at) { volatile int here[64]; here[0] = *at; return depth(here) + here[0]; }
int ends(int how) {
    static volatile int called;
    puts("ok 1 - somebody else");
    switch (how) {
    case 1: abort();
    case 2: assert(how == 0);
    case 3: return *(volatile int *)0;
    case 4: return depth(&how);
    case 5: called = how / called; break;
    case 6: for (;;) called++;
    case 7: exit(9);
    case 8: return (int)(long)malloc(1L << 50);
    case 9: for (;;) puts("much");
    }
    fclose(stdout);
    return ++called;
}
"""
INT = Type(0, "signed", "int", 4, 4)


def test_ctrl_c_ends_the_replay_but_not_the_campaign(tmp_path: Path) -> None:
    impatient = tmp_path / "impatient"
    impatient.write_text(f"#!/bin/sh\nkill -INT {os.getpid()}\n")
    impatient.chmod(0o755)
    tests = (recorded(Outcome.EXITED, 0), recorded(Outcome.EXITED, 0))
    limits = ReplayLimits(launcher(compiler.find()))
    with interruptions() as interruption:
        interruption.begin()
        seen = SuiteReplayer(impatient, limits).replay(tests, interruption.is_pressed)
    assert [one.verdict for one in seen] == [SAME, STOPPED]


OUTCOMES = {
    0: Outcome.RETURNED,
    1: Outcome.ABORTED,
    2: Outcome.ASSERTION,
    3: Outcome.SEGFAULT_NULL,
    4: Outcome.STACK_OVERFLOW,
    5: Outcome.DIVISION,
    6: Outcome.HANG,
    7: Outcome.EXITED,
    8: Outcome.RETURNED,
    9: Outcome.HANG,  # what it prints is drained, so that no limit ends it
}


def ends(how: int, outcome: Outcome) -> Recorded:
    returned = (1 if how == 0 else 0).to_bytes(4, "little") if outcome is Outcome.RETURNED else None
    root = Root("how", 0, 0, 4, (Cell(0, "", Scalar(how, 32, "signed")),))
    return Recorded(f"how_{how}", InputMap((root,), ()), outcome, 9, returned, (), "")


def test_every_real_end_is_recognised(tmp_path: Path) -> None:
    source = tmp_path / "ends.c"
    source.write_text(ENDS)
    function = Function("ends", str(source), 1, (Parameter("how", 0),), 0, is_static=False)
    program = samples.program(
        entry="ends", include=source, sources=(source,), functions=(function,), types=(INT,), sites=()
    )
    tests = tuple(ends(how, outcome) for how, outcome in OUTCOMES.items())
    built = build_suite(tmp_path, "test_ends.c", plain.render(program, tests))
    limits = ReplayLimits(launcher(compiler.find()), seconds=1.0, memory=1 << 30, output=1 << 20)
    seen = SuiteReplayer(built.executable, limits).replay(tests)
    assert [(one.name, one.verdict, one.outcome) for one in seen] == [
        (f"how_{how}", SAME, outcome) for how, outcome in OUTCOMES.items()
    ]
    assert [one.proof is Proof.CONFIRMED for one in seen] == [outcome.is_bug for outcome in OUTCOMES.values()]


def test_what_veer_cut_off_is_not_run(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"  # it could not be started
    seen = SuiteReplayer(nothing, ReplayLimits(nothing)).replay([recorded(Outcome.MEMORY_LIMIT)])
    assert [(one.verdict, one.outcome) for one in seen] == [(AT_LIMIT, None)]


def test_a_real_time_signal_has_a_number_alone() -> None:
    assert describe(Seen(40, 0, "", False, "", "")) == "ended by signal 40"
