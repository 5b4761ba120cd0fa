"""Tape as veer sees it: a Language, a Renderer and a format of suites, registered by a distribution of its own.

`install(folder)` writes the metadata of that distribution into a folder that is on the path then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tape import Ran, Routine, routines, run, written
from tape_lowering import lowered

from veer.frontends.llvm.executor import executor, unit
from veer.frontends.llvm.harness import harness
from veer.frontends.protocol import Built, Entry, EntryInput, Measurable, WrittenSuite
from veer.model.buildoptions import BuildOptions
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision, Vector
from veer.model.errors import UsageError
from veer.model.inputs import InputMap, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program, Site, SiteKind
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Proof, Replay, Want, differs
from veer.model.result import Branch, Bug, Result, Test
from veer.model.types import Type
from veer.suite.protocol import SuiteFormat, Updated
from veer.toolchain.compiler import find

NUMBER = Type(0, "signed", "number", 4, 4)
ENTRY_POINTS = """\
[veer.languages]
tape = tape_language:LANGUAGE

[veer.renderers]
tape = tape_language:RENDERER

[veer.suites]
reel = tape_language:REEL
"""


def install(folder: Path) -> None:
    """Writes what an installed package would have beside it."""
    metadata = folder / "veer_tape-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: veer-tape\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)


@dataclass(frozen=True)
class Tape:
    """The language."""

    name: str = "tape"
    title: str = "Tape"
    suffixes: tuple[str, ...] = (".tape",)
    mistaken: Mapping[str, str] = field(default_factory=dict)
    begins: tuple[bytes, ...] = ()
    walks: bool = False
    takes: frozenset[str] = frozenset(("has_fast_path",))

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        return tuple(
            Entry(each.name, str(source), each.line, tuple(EntryInput(name, "any number") for name in each.inputs))
            for source in options.sources
            for each in routines(source)
        )

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        source = options.sources[0].absolute()
        routine = _routine(source, options.entry)
        parameters = tuple(Parameter(name, 0) for name in routine.inputs)
        units = (
            unit("the harness", harness(routine.name, parameters, 0, (NUMBER,)), options),
            unit(str(source), lowered(routine, source), options),
        )
        made = executor(units, find())
        function = Function(routine.name, str(source), routine.line, parameters, 0, is_static=False)
        program = Program(
            routine.name,
            HarnessKind.FUNCTION,
            (source,),
            made.executable,
            (made.with_graph(function),),
            (NUMBER,),
            made.sites,
            language=self.name,
            cached=made.cached,
        )
        return Built(program, options, {}, "tape's own")

    def replayer(self, built: Built, seconds: float) -> Interpreter:
        """See Language."""
        program = built.program
        return Interpreter(_routine(program.sources[0], program.entry), program.sites)

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> ReelReplayer:
        """See Language."""
        return ReelReplayer(suite.path)


@dataclass(frozen=True)
class Interpreter:
    """A Replayer without any process."""

    routine: Routine
    sites: tuple[Site, ...]

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        return tuple(Replay(test.name, STOPPED) if is_stopped() else self._one(test) for test in tests)

    def _one(self, test: Test) -> Replay:
        ran = run(self.routine, values_of(test.inputs))
        steps = self.routine.steps
        taken = {2 * self._site(steps[at].line) + went for at, went in ran.branches}
        marks = {2 * self._branches().index(at) + went for at, went in ran.branches}
        lines = {1 + at for at in ran.steps} | {0}
        found = _compared(test, ran)
        return Replay(
            test.name,
            AT_LIMIT if test.outcome.is_limit else found.verdict,
            ran.outcome,
            ran.outcome.sentence,
            found.proof,
            tuple(sorted(taken)),
            tuple(sorted(lines)),
            tuple(sorted(marks)),
            b"",
        )

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        file, name = self._file(), self.routine.name
        lines = (
            CountedLine(file, self.routine.line, name, opens=True),
            *(CountedLine(file, step.line, name) for step in self.routine.steps),
        )
        decisions = tuple(
            Decision(
                *(file, self.routine.steps[at].line, 1, name, "the top is 0", ("the top is 0",)),
                vectors=(Vector("F", outcome=False), Vector("T", outcome=True)),
                fixed="-",
                first=2 * place,
                is_branched=True,
            )
            for place, at in enumerate(self._branches())
        )
        return Measurable(lines, decisions)

    def _branches(self) -> list[int]:
        return [at for at, step in enumerate(self.routine.steps) if step.word == "unless"]

    def _site(self, line: int) -> int:
        """The id that the executor gave the branch of a line."""
        return next(site.id for site in self.sites if site.line == line and site.kind is SiteKind.BRANCH)

    def _file(self) -> str:
        return next(site.file for site in self.sites if site.function == self.routine.name)


@dataclass(frozen=True)
class ReelReplayer:
    """A Replayer of a written suite: a line for each test, `test_001: middle +1 +2 => gives +1`."""

    path: Path

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        source, *lines = self.path.read_text().splitlines()
        rows = {name: rest for name, _, rest in (line.partition(": ") for line in lines)}
        return tuple(_replayed(test.name, Path(source.split()[-1]), rows[test.name]) for test in tests)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return Measurable()


def _replayed(name: str, source: Path, row: str) -> Replay:
    called, _, expected = row.partition(" => ")
    routine = _routine(source, called.split()[0])
    numbers = [int(word) for word in called.split()[1:]]
    ran = run(routine, dict(zip(routine.inputs, numbers, strict=True)))
    seen = _ended(ran.outcome, ran.given)
    return Replay(name, SAME if seen == expected else differs(f"{seen}, expected {expected}"), ran.outcome, seen)


def _ended(outcome: Outcome, given: int | None) -> str:
    return f"gives {written([given])}" if given is not None else f"ends: {outcome.key}"


def _compared(test: Test, ran: Ran) -> Replay:
    expected = int.from_bytes(test.returned, "little", signed=True) if test.returned is not None else None
    same = (ran.outcome, ran.given) == (test.outcome, expected)
    proof = Proof.CONFIRMED if same and test.outcome.is_bug else Proof.NONE
    if test.outcome is Outcome.HANG and not same:
        proof = Proof.REFUTED
    why = f"{_ended(ran.outcome, ran.given)}, recorded: {_ended(test.outcome, expected)}"
    return Replay(test.name, SAME if same else differs(why), proof=proof)


def _routine(source: Path, entry: str) -> Routine:
    found = {each.name: each for each in routines(source)}
    if entry not in found:
        raise UsageError(f"{source} has no entry {entry}; there are {', '.join(found)}")
    return found[entry]


def values_of(inputs: InputMap) -> dict[str, int]:
    """The recorded numbers by name; one that was not read is 0."""
    cells = {root.name: root.cells[0].value for root in inputs.roots}
    numbers = {name: value.bits for name, value in cells.items() if isinstance(value, Scalar)}
    return {name: bits - (1 << 32) if bits >> 31 else bits for name, bits in numbers.items()}


@dataclass(frozen=True)
class TapeRenderer:
    """How values and tests are written in Tape."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """See Renderer."""
        return {name: written([number]) for name, number in values_of(inputs).items()}

    def file_name(self, program: Program) -> str:
        """See Renderer."""
        return f"{program.entry}.reel"

    def commands(self, program: Program) -> tuple[str, ...]:
        """See Renderer."""
        return (f"tape play {self.file_name(program)}",)

    def beside(self, program: Program) -> dict[str, bytes]:
        """A reel needs nothing."""
        return {}

    def updated(self, before: str, after: str) -> Updated:
        """A reel is as it is."""
        return Updated(after, () if before == after else ("the reel changed",))

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """See Renderer."""
        entry = program.function(program.entry)
        assert entry is not None
        lines = [f"tests of {program.sources[0]}"]
        for test in tests:
            values = values_of(test.inputs)
            numbers = [values.get(parameter.name, 0) for parameter in entry.parameters]
            given = int.from_bytes(test.returned, "little", signed=True) if test.returned is not None else None
            lines.append(f"{test.name}: {program.entry} {written(numbers)} => {_ended(test.outcome, given)}")
        return "\n".join(lines) + "\n"


def _reel(result: Result) -> dict[str, bytes]:
    return {"tests.reel": RENDERER.render(result.program, result.tests).encode()}


LANGUAGE = Tape()
RENDERER = TapeRenderer()
REEL = SuiteFormat(_reel, frozenset(("tape",)))
