"""A written suite as its user runs it: compiled by `zig test` once, and run test by test; the bugs by `zig run`.

A panic ends `zig test`, so that what panics stands in the suite's `main`, by name.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.execution.replay import ReplayLimits, launched, one_by_one
from veer.execution.supervised import Watched
from veer.frontends.protocol import Measurable, WrittenSuite
from veer.frontends.zig.compiler import zig
from veer.model.errors import ToolchainError
from veer.model.outcome import Outcome
from veer.model.replay import NOT_HELD, SAME, Proof, Replay, Verdict, Want, differs
from veer.model.result import Test
from veer.toolchain.compiler import Toolchain, run, shorten
from veer.toolchain.session import scratch_root

_LINE = re.compile(r"^\d+/\d+ \S*\.test\.(\w+)\.\.\.(.*)$", re.MULTILINE)
_WHY = re.compile(r"^(expected .*|.*FAIL .*)$", re.MULTILINE)


class CompiledSuite(Struct, frozen=True):
    """The program of a suite's tests, and the one of its bugs."""

    tests: Path
    bugs: Path


def compiled_suite(suite: WrittenSuite, toolchain: Toolchain, scratch: Path) -> CompiledSuite:
    """Compiles a suite by its own commands. Raises ToolchainError."""
    made = CompiledSuite(scratch / "tests", scratch / "bugs")
    arguments = [_argument(word, suite.path) for word in shlex.split(suite.commands[0])[2:]]
    for head, output in ((("test", "--test-no-exec"), made.tests), (("build-exe",), made.bugs)):
        said = run(zig(toolchain), [*head, *arguments, f"-femit-bin={output}"], scratch)
        if said.code or not output.exists():
            raise ToolchainError(f"the suite {suite.path} does not compile:\n{shorten(said.messages)}")
    return made


def _argument(word: str, path: Path) -> str:
    return word.replace(f"={path.name}", f"={path}")


class SuiteReplayer(Struct, frozen=True):
    """Tests of a compiled suite (a Replayer); it measures nothing."""

    suite: CompiledSuite
    limits: ReplayLimits

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        with tempfile.TemporaryDirectory(prefix="veer-replay-", dir=scratch_root()) as scratch:
            found = _reports(launched(self.suite.tests, (), self.limits, Path(scratch)).errors)
        return one_by_one(tests, is_stopped, lambda test, directory: self._one(test, found, directory))

    def _one(self, test: Test, found: dict[str, str], directory: Path) -> Replay:
        if test.outcome.is_bug:
            return self._bug(test, launched(self.suite.bugs, (test.name,), self.limits, directory))
        if test.name not in found:
            return Replay(test.name, NOT_HELD)
        why = found[test.name]
        verdict: Verdict = differs(why) if why else SAME
        return Replay(test.name, verdict, None if why else test.outcome, why or "returned as expected")

    @staticmethod
    def _bug(test: Test, ran: Watched) -> Replay:
        ended = (ran.errors.strip().splitlines() or ["returned"])[0]
        is_shown = test.outcome is Outcome.HANG if ran.timed_out else ran.status < 0
        if is_shown:
            return Replay(test.name, SAME, test.outcome, ended, Proof.CONFIRMED)
        if test.outcome.needs_check:
            return Replay(test.name, SAME, None, ended)
        return Replay(test.name, differs(f"{ended}, recorded: {test.outcome.sentence}"), None, ended)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return Measurable()


def _reports(errors: str) -> dict[str, str]:
    """Test -> why it failed, empty for one that passed; of those that were run."""
    found: dict[str, str] = {}
    matches = list(_LINE.finditer(errors))
    for place, matched in enumerate(matches):
        end = matches[place + 1].start() if place + 1 < len(matches) else len(errors)
        text = errors[matched.start(2) : end]
        if text.startswith("OK"):
            found[matched[1]] = ""
        else:
            why = _WHY.search(text)
            found[matched[1]] = (why[1] if why else text.strip().partition("\n")[0]).strip()
    return found
