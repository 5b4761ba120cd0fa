"""Replay by a compiled suite in C: whether the tests that were written end as they were recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.execution.replay import BY_CHANCE, NEGATIVE, POSITIVE, ReplayLimits, Seen, compare, describe, one_by_one, run
from veer.frontends.protocol import Measurable
from veer.model.outcome import Outcome
from veer.model.replay import NOT_HELD, SAME, Proof, Replay, Verdict, Want, differs
from veer.model.result import Test


class SuiteReplayer(Struct, frozen=True):
    """Tests of a compiled suite; it measures nothing (a Replayer). Each has a process of its own, or two with fills of
    malloc's blocks where the suite allocates."""

    executable: Path
    limits: ReplayLimits
    allocates: bool = True

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        return one_by_one(tests, is_stopped, self._one)

    def _one(self, test: Test, directory: Path) -> Replay:
        for fill in ({},) if test.outcome.is_bug or not self.allocates else (POSITIVE, NEGATIVE):
            seen = run(self.executable, test, self.limits, directory, fill)
            if seen.exit_code == 2 and "usage:" in seen.errors:
                return Replay(test.name, NOT_HELD)
            verdict, proof = compare(test, seen)
            if verdict != SAME:
                break
        if verdict != SAME and fill:
            again = compare(test, run(self.executable, test, self.limits, directory))[0]
            verdict = differs(BY_CHANCE) if again == SAME else verdict
        printed = seen.printed if verdict == SAME and not test.outcome.is_bug else None
        return Replay(test.name, verdict, _outcome(test, seen, verdict, proof), describe(seen), proof, printed=printed)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return Measurable()


def _outcome(test: Test, seen: Seen, verdict: Verdict, proof: Proof) -> Outcome | None:
    """How it ended, as far as a process without checks shows it."""
    if seen.timed_out:
        return Outcome.HANG
    if proof is Proof.CONFIRMED or (verdict == SAME and not test.outcome.is_bug):
        return test.outcome
    if seen.signal:
        return None
    return Outcome.RETURNED if seen.line else Outcome.EXITED
