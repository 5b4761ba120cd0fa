"""The last look at tests: the suite that a user gets is compiled, and each of its tests is run once.

It is no part of what is true of the program, which the replay has said before: it says whether the text does what the
test does. So it runs beside the replay.

    tests ──rendered──► suite ──compiled──► each test: the same?   no: the test says so, and the suite leaves it out
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.findings.replaying import Replayed
from veer.frontends.protocol import Replayer, WrittenSuite
from veer.model.errors import NoCompilerError, ToolchainError
from veer.model.program import Fact, Program
from veer.model.replay import SAME, Agreement, Verdict, differs
from veer.model.result import Test
from veer.model.values import replace
from veer.suite.protocol import Renderer
from veer.toolchain.session import scratch_root


class WrittenTests(Struct, frozen=True):
    """Whoever writes the suite of a program, and runs what was written.

    `replayer`: of a suite, with an empty directory for what it compiles.
    """

    program: Program
    renderer: Renderer
    replayer: Callable[[WrittenSuite, Path], Replayer]
    is_stopped: Callable[[], bool]

    def verdicts(self, tests: Sequence[Test]) -> Look:
        """How each test of the suite ends; one that it does not hold has no verdict.

        What shows a bug is not run: the suite says nothing of it, and a hang would be waited for.
        """
        with tempfile.TemporaryDirectory(prefix="veer-suite-", dir=scratch_root()) as scratch:
            folder = Path(scratch)
            path, commands = folder / self.renderer.file_name(self.program), self.renderer.commands(self.program)
            allocates = any(Fact.ALLOCATES in each.facts for each in self.program.external)
            suite = WrittenSuite(path, commands, self.program.confinement, allocates)
            for name, data in self.renderer.beside(self.program).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            suite.path.write_text(self.renderer.render(self.program, tests), errors="surrogateescape")
            try:
                shown = [test for test in tests if not test.outcome.is_bug]
                seen = self.replayer(suite, folder).replay(shown, self.is_stopped)
            except NoCompilerError as error:
                return Look({}, str(error))
            except ToolchainError as error:
                return Look({}, f"the suite does not compile: {first_error(str(error))}")
            return Look({one.name: one.verdict for one in seen})


def first_error(message: str) -> str:
    """Of what a front end says of a suite (a sentence, then the compiler's lines) the first that tells an error."""
    lines = [line.strip() for line in message.splitlines()[1:]] or [message]
    found = next((line for line in lines if "error:" in line), lines[0])
    return found.rpartition("error: ")[2]


class Look(Struct, frozen=True):
    """What was seen of a written suite; `note`: why nothing was, or empty."""

    verdicts: dict[str, Verdict]
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return (self.note,) if self.note else ()

    def applied(self, found: Replayed) -> Replayed:
        """The tests, where those that the replay confirms and the suite does not are said to differ there."""
        return replace(found, tests=tuple(map(self._seen, found.tests)))

    def _seen(self, test: Test) -> Test:
        verdict = self.verdicts.get(test.name, SAME)
        if test.replayed != str(SAME) or verdict.agreement is not Agreement.DIFFERS or test.outcome.is_bug:
            return test
        return replace(test, replayed=str(differs(f"as a test of the suite, {verdict.why}")))
