"""What a language is to veer: it lists entries, builds an executor, and runs recorded tests in its own truth.

A language is an object with this protocol, registered by an entry point of the group `veer.languages`:

    [project.entry-points."veer.languages"]
    zig = "veer_zig.language:ZIG"

    sources ──entries──► Entry, ...            `veer list`
    options ──build────► Built ──► Program     what the search needs: functions, types, sites
                           │         └ executable: speaks with the shared memory (execution/protocol.py, executor.py)
                           └──replayer──► Replayer ──replay(tests)──► Replay, ...

The executor is native code, for all searches live on its speed: a front end gives LLVM IR to `instrument/` and links
what comes out with the runtime. Nothing else is: inputs are bytes by the program's types, branches are the program's
site ids, and the replayer may be a JVM, an emulator or an interpreter in Python.

How values and tests are written in the language is its renderer (`suite/protocol.py`, group `veer.renderers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from veer.model.boards import BoardLook
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKeys
from veer.model.comparison import Look, Told
from veer.model.confinement import OFF, Confinement
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.program import Program
from veer.model.replay import Replay, Want
from veer.model.result import Test
from veer.model.severity import NO_CHECKS, CheckedFor

GROUP = "veer.languages"


class EntryInput(Struct, frozen=True):
    """A parameter of an entry: its type and what is made for it, in the words of its language; `refused`: or why
    nothing can be made for it."""

    name: str
    made: str
    refused: str = ""


class Entry(Struct, frozen=True):
    """A function that the sources define. Texts are in the words of its language.

    `inputs`: one for each parameter; `qualities`: what stands behind its place ("static"); `why_not`: why it cannot be
    tested, or empty; `contract`: what is assumed of its arguments, and who says so.
    """

    name: str
    file: str
    line: int
    inputs: tuple[EntryInput, ...] = ()
    qualities: tuple[str, ...] = ()
    why_not: str = ""
    contract: tuple[str, ...] = ()


class Built(Struct, frozen=True):
    """A program ready for a search.

    `options`: what it was built with; `files`: the files read, by path, with the digest of what they held;
    `toolchain`: what built it, for people; `traps`: what the checks of its compiler find, in a sentence, by the number
    that it gives llvm.ubsantrap; `checked_for`: what some of them are about, for the severity of what they find.
    """

    program: Program
    options: BuildOptions
    files: Mapping[str, str] = field(default_factory=dict)
    toolchain: str = ""
    traps: Mapping[int, str] = field(default_factory=dict)
    checked_for: CheckedFor = NO_CHECKS


class Measurable(Struct, frozen=True):
    """What the numbers of a replay stand for.

    `lines`: the lines with code, by the index that `Replay.lines` uses; `decisions`: with the marks of their vectors;
    None when the language, or its compiler, does not mark decisions.
    """

    lines: tuple[CountedLine, ...] = ()
    decisions: tuple[Decision, ...] | None = None


class Replayer(Protocol):
    """Runs recorded tests in the language's own truth: the plain build, a virtual machine, an emulator.

    It never fails because of a test: what a test does to its process is that test's verdict. Calls may be repeated, in
    any order and with any tests of the program.
    """

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """Each test run again, in the order of `tests`, one `Replay` for each.

        Each test begins in a fresh state. It is the same when it ends with the recorded outcome, exit code, returned
        bytes, values of changed memory, and `printed` where the test has it; a bug whose outcome needs a check is the
        same whatever the plain run does. A test that veer cut off (`outcome.is_limit`) is AT_LIMIT and gives coverage.
        Once `is_stopped()`, the tests that are left are STOPPED. `want` may spare builds and runs.

        Raises:
            ToolchainError: what the tests run in cannot be made; `ExecutorError`: it cannot be started.
        """
        ...

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """What the lines and marks of this replayer's replays stand for. Raises what `replay` raises.

        Without Want.MARKS no decisions are needed, and nothing has to be built for them.
        """
        ...


@runtime_checkable
class VersionsReplayer(Protocol):
    """A replayer of programs with two versions of their entry (`veer compare`)."""

    def versions(self, test: Test, look: Look) -> Told | None:
        """The first difference between the versions that a plain run of each shows; None: there is none.

        `look`: where the campaign says that they differ. What they print is compared, too. Raises what `replay` raises.
        """
        ...


@runtime_checkable
class Keyed(Protocol):
    """A language that tells whether results of an earlier run stand (`veer test` of a project, decision 0483)."""

    def keys(self, builds: Sequence[BuildOptions]) -> CodeKeys | None:
        """A key for each of these builds: where both parts are as they were, so is all that a campaign shows but the
        lines at which functions stand. Where a result has no bugs, `code` alone decides. None: it cannot be told.

        Raises ToolchainError.
        """
        ...


@runtime_checkable
class BecomesC(Protocol):
    """A language whose sources a compiler of its own turns into C."""

    def as_c(self, source: Path) -> tuple[Path, Path]:
        """The source in C, and the folder of the headers that it includes. Raises UsageError, ToolchainError."""
        ...


@runtime_checkable
class LooksAtBoards(Protocol):
    """A language whose suites other machines may run."""

    def board_looks(
        self, suite: WrittenSuite, tests: Sequence[str], seconds: float, scratch: Path
    ) -> tuple[BoardLook, ...]:
        """Which tests of a suite in its form for boards depend on the machine; `scratch`: an empty directory."""
        ...


class WrittenSuite(Struct, frozen=True):
    """A suite as its renderer wrote it: the file, and the commands that build and run it in its folder.

    `confinement`: of what runs it; `allocates`: whether it may hold by what malloc's blocks begin with.
    """

    path: Path
    commands: tuple[str, ...]
    confinement: Confinement = OFF
    allocates: bool = True


class Language(Protocol):
    """One language. `name` is that of its entry point.

    `title`: what people call it ("C"); `suffixes`: of its sources, with the dot, the usual one first; `mistaken`: what
    to say of a file that is given by mistake, by suffix (".h": "is a header; give the C source that defines ...");
    `begins`: bytes with which files of it begin, which need none of the suffixes then;
    `walks`: whether a directory stands for all files within it that have the first of the suffixes that any has;
    `takes`: the fields of BuildOptions, beside sources and entry, that it can serve: another one is refused by name.
    """

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def suffixes(self) -> tuple[str, ...]: ...

    @property
    def mistaken(self) -> Mapping[str, str]: ...

    @property
    def begins(self) -> tuple[bytes, ...]: ...

    @property
    def walks(self) -> bool: ...

    @property
    def takes(self) -> frozenset[str]: ...

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """All functions that the sources define; `options.entry` is empty. Raises UsageError, ToolchainError."""
        ...

    def build(self, options: BuildOptions) -> Built:
        """The instrumented program of one entry, from a cache where nothing has changed.

        Raises:
            UsageError: the sources do not compile, or there is no such entry (near names are told).
            UnsupportedInputError: a parameter is of a type that no input can be made for.
            ToolchainError: something that should have worked did not.
        """
        ...

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """What runs this program's tests again, each for at most `seconds`. It may build when it is first asked."""
        ...

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """The same by a suite that was written: it is compiled and run as its user would. It measures nothing.

        `scratch`: an empty directory that stays as long as the replayer is used. The tests have names and outcomes;
        their inputs stand in the suite alone. Raises ToolchainError when the suite does not compile.
        """
        ...
