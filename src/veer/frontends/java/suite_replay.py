"""A written suite as its user runs it: compiled by javac once, each test run by its name."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.java.jdk import Jdk, run_java
from veer.frontends.java.replay.jvm import run_confined
from veer.frontends.java.traps import CLASSES
from veer.frontends.protocol import Measurable, WrittenSuite
from veer.model.confinement import OFF, Confinement
from veer.model.errors import NoCompilerError, ToolchainError, UsageError
from veer.model.outcome import Outcome
from veer.model.replay import NOT_HELD, SAME, STOPPED, Proof, Replay, Want, differs
from veer.model.result import Test

_LINE = re.compile(r"^(ok|not ok) (\w+)(?:: (.*))?$", re.MULTILINE)
_EXPECTED = {
    Outcome.ASSERTION: ("java.lang.AssertionError",),
    Outcome.STACK_OVERFLOW: ("java.lang.StackOverflowError",),
}


class CompiledSuite(Struct, frozen=True):
    """The class path of a suite and its main class."""

    path: str
    main: str


def compiled_suite(suite: WrittenSuite, jdk: Jdk, scratch: Path) -> CompiledSuite:
    """Compiles a suite by its own command. Raises ToolchainError, NoCompilerError."""
    if not jdk.has_compiler:
        raise NoCompilerError("the suite was not compiled: there is a Java runtime here, and no javac")
    classes = scratch / "classes"
    words = shlex.split(suite.commands[0])[1:]
    places = {suite.path.name: str(suite.path), "classes": str(classes), ".": str(suite.path.parent)}
    given = [":".join(places.get(part, part) for part in word.split(":")) for word in words]
    try:
        run_java(
            (str(jdk.javac), "-J-Xshare:auto", "-nowarn", "-proc:none", *given),
            f"the suite {suite.path} does not compile",
        )
    except UsageError as error:
        raise ToolchainError(str(error)) from error
    *_, path, main = shlex.split(suite.commands[1])
    return CompiledSuite(":".join([str(classes), *path.split(":")[1:]]), main)


class SuiteReplayer(Struct, frozen=True):
    """Tests of a compiled suite (a Replayer); it measures nothing."""

    suite: CompiledSuite
    jdk: Jdk
    seconds: float
    confinement: Confinement = OFF

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer. What ends the JVM, or does not end, is run by itself."""
        together = [test.name for test in tests if test.outcome is not Outcome.HANG]
        found = self._run(together) if together and not is_stopped() else {}
        alone = [test for test in tests if test.name not in found]
        for test in alone:
            if not is_stopped():
                found |= self._run([test.name])
        return tuple(_replay(test, found, is_stopped=is_stopped()) for test in tests)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return Measurable()

    def _run(self, names: Sequence[str]) -> dict[str, str]:
        """Test -> what was thrown, empty for one that passed; "hang" where it did not end."""
        words = ("-Xshare:auto", "-XX:-UsePerfData", "-ea", "-cp", self.suite.path, self.suite.main, *names)
        readable = [Path(each) for each in self.suite.path.split(":") if each]
        try:
            done = run_confined(self.jdk, words, readable, 20 + self.seconds * len(names), self.confinement)
        except subprocess.TimeoutExpired:
            return {names[0]: "hang"} if len(names) == 1 else {}
        except OSError as error:
            raise ToolchainError(f"{self.jdk.java} cannot be run: {error}") from error
        return {matched[2]: matched[3] or "" for matched in _LINE.finditer(done.stdout)}


def _replay(test: Test, found: dict[str, str], *, is_stopped: bool) -> Replay:
    if test.name not in found:
        return Replay(test.name, STOPPED if is_stopped else NOT_HELD)
    said = found[test.name]
    if test.outcome.is_bug:
        expected = _EXPECTED.get(test.outcome, tuple(CLASSES.values()))
        is_shown = said == "hang" if test.outcome is Outcome.HANG else said.startswith(expected)
        if is_shown:
            return Replay(test.name, SAME, test.outcome, said, Proof.CONFIRMED)
        return Replay(test.name, differs(f"{said or 'returned'}, recorded: {test.outcome.sentence}"), None, said)
    return Replay(test.name, differs(said) if said else SAME, None if said else test.outcome, said or "as expected")
