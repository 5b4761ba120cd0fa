"""Java as it is written (suite/protocol.py): what `veer.renderers` registers under `java`.

    static void test_001() {
        equal(3, Triangle.classify(1, 1, 1));
    }

    javac -d classes -sourcepath /home/u Triangle_classifyTest.java && java -ea -cp classes Triangle_classifyTest

A suite needs no framework: its `main` runs all tests, or those that are named. Tests that show bugs run only when they
are named.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from veer.model.describe import BEFORE
from veer.model.errors import UsageError
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import STANDARD_INPUT, Program
from veer.model.replay import UNCALLABLE, VARIES, Agreement
from veer.model.result import Branch, Bug, Result, Test
from veer.model.wholefile import text_of
from veer.suite.java.expectations import arranged, body
from veer.suite.java.frameworks import PLAIN, Framework, needed
from veer.suite.java.packagenames import within_package
from veer.suite.java.values import INPUT_BYTE, INPUT_SIZE, NOT_GIVEN, THIS, Values
from veer.suite.java.watched import monitors, with_loader
from veer.suite.protocol import Updated

_INPUTS = Path(__file__).with_name("inputs")
_NOT_READ = " (not read)"
_LETTERS = r"\w+"
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_MOST_COVERED = 6
_OUTCOMES = {
    Outcome.UNDEFINED: "Another path to an exception that nobody catches",
    Outcome.ASSERTION: "Another path to an assertion that fails",
}
"""What tests show that are no bug's own, in words of Java."""


class Place(Struct, frozen=True):
    """Where an entry is: its package, "" for none; the class and method as the package's own code names them; the
    directory or jar that the package begins in. `which`: its parameters, where several methods share the name;
    `is_apart`: its source lies in no folders of its package's name, so that javac finds it by no root."""

    package: str
    call: str
    root: Path
    source: Path
    which: str = ""
    is_apart: bool = False

    @property
    def is_source(self) -> bool:
        """Whether it is made of sources, which javac finds below the root; else of class files."""
        return self.source.suffix == ".java"

    @property
    def suite(self) -> str:
        """The class of its tests."""
        return f"{'_'.join((*self.call.split('.'), *re.findall(_LETTERS, self.which)))}Test"


def place_of(program: Program) -> Place:
    """The package is what the entry's name has in common with the folders that its source lies in, or what the source
    says."""
    name, _, which = program.entry.partition("-")
    parts = name.replace("$", ".").split(".")
    entry, first = program.function(program.entry), program.sources[0]
    file = Path(entry.file) if entry is not None else first
    folder, said = file.parent, _package_of(file)
    source = file if said is not None else first
    for count in range(min(len(parts) - 2, len(folder.parts)), 0, -1):
        package = ".".join(parts[:count])
        if tuple(parts[:count]) == folder.parts[-count:] and said in (None, package):
            root = [folder, *folder.parents][count]
            return Place(package, ".".join(parts[count:]), root, source, which)
    call = ".".join(parts).removeprefix(f"{said}.")
    return Place(said or "", call, folder, source, which, is_apart=bool(said))


class JavaRenderer(Struct, frozen=True):
    """Tests as static methods, values as Java source."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """See Renderer."""
        values = Values(program, inputs)
        unread = values.unread()
        given = [*([(THIS, values.object())] if values.object() else []), *values.arguments()]
        if calls := list(values.before(place_of(program).package)):
            given.insert(0, (BEFORE, "; ".join(calls)))
        if (text := values.standard_input()) is not None:
            given.append((STANDARD_INPUT, f'"{text}"'))
        package = place_of(program).package
        shown = {name: text + (_NOT_READ if name in unread else "") for name, text in given}
        shown |= {each.name: each.shown for each in values.objects()}
        return {name: within_package(text, package) for name, text in shown.items()}

    def file_name(self, program: Program) -> str:
        """See Renderer."""
        return f"{place_of(program).suite}.java"

    def commands(self, program: Program) -> tuple[str, ...]:
        """See Renderer."""
        place = place_of(program)
        name = f"{place.package}.{place.suite}" if place.package else place.suite
        root = shlex.quote(str(place.root))
        needed = "".join(f":{shlex.quote(each)}" for each in program.link_flags)
        found, path = ("-sourcepath", "classes") if place.is_source else ("-cp", f"classes:{root}")
        if _needs_inputs(program):
            root = f".:{root}" if place.is_source else f"{root}{needed} -sourcepath ."
        elif not place.is_source:
            root += needed
        if place.is_source and needed:
            root += f" -cp {needed[1:]}"
        made = f"javac -d classes {found} {root} {self.file_name(program)}{_sources_of_others(program, place)}"
        return (made, f"java -ea -cp {path}{needed} {name}")

    def beside(self, program: Program) -> dict[str, bytes]:
        """See Renderer: what gives the program the inputs that it asks for."""
        files = sorted(_INPUTS.rglob("*.java")) if _needs_inputs(program) else []
        return {str(each.relative_to(_INPUTS)): each.read_bytes() for each in files}

    def updated(self, before: str, after: str) -> Updated:
        """Raises UsageError: tests in Java are not compared yet."""
        raise UsageError("suites in Java are not compared yet: run `veer test` again, and look at the difference")

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """See Renderer."""
        return "\n".join(_Suite(program, PLAIN, bugs, branches).lines(tests, self.commands(program))) + "\n"


def _package_of(source: Path) -> str | None:
    """What a Java source says; "" for none, None where there is no source."""
    text = text_of(source) if source.suffix == ".java" else ""
    found = _PACKAGE.search(text)
    return found[1] if found is not None else "" if text else None


def _with_mentioned(source: Path) -> list[Path]:
    """A source, and those of its package beside it that are named after words of it, or of one of these."""
    found, package = [source], _package_of(source)
    others = {each.stem: each for each in sorted(source.parent.glob("*.java")) if each != source}
    for each in found:
        words = dict.fromkeys(re.findall(_LETTERS, text_of(each)))
        named = [others.pop(word) for word in words if word in others]
        found += [other for other in named if _package_of(other) == package]
    return found


def _sources_of_others(program: Program, place: Place) -> str:
    """The entry's source, where tests name a class of it that javac finds by no file of its name."""
    entry = program.function(program.entry)
    if entry is None or not place.is_source:
        return ""
    if place.is_apart:
        return "".join(f" {shlex.quote(str(each))}" for each in _with_mentioned(Path(entry.file)))
    file, begins = Path(entry.file), f"{place.package}." if place.package else ""
    types = {f"{begins}{place.call}", *(recipe.type for row in program.types for recipe in row.recipes)}
    names = {each.removeprefix(begins).partition(".")[0] for each in types if each.startswith(begins)}
    own = {name for name in names if name in _declared_in(file)}
    return f" {shlex.quote(str(file))}" if own - {file.stem} else ""


def _declared_in(source: Path) -> frozenset[str]:
    """The names of types that a source declares, or mentions behind such a word."""
    return frozenset(re.findall(r"\b(?:class|interface|enum|record)\s+(\w+)", text_of(source)))


def _why_left_out(program: Program, test: Test) -> str:
    """Why a test is none that holds in every start of the JVM, or empty."""
    if any(root.name in NOT_GIVEN for root in test.inputs.roots):
        return "it depends on a clock, or on a Random without a seed"
    if VARIES in test.replayed:
        return VARIES
    if why := Values(program, test.inputs).impossible():
        return why
    if UNCALLABLE in test.replayed:
        return test.replayed
    differs = not test.outcome.is_bug and test.replayed.startswith(str(Agreement.DIFFERS))
    return test.replayed if differs else ""


def _in_comment(text: str) -> str:
    """In one line; Unicode escapes are read in comments, too."""
    return " ".join(text.split()).replace("\\u", "\\ u")


def _needs_inputs(program: Program) -> bool:
    """Whether tests say what the program asks for by the classes that are brought along."""
    return bool(set(program.asked) - {INPUT_SIZE, INPUT_BYTE})


def framework_suite(result: Result, framework: Framework) -> dict[str, bytes]:
    """The files of a suite for a framework, by name."""
    program = result.program
    text = _Suite(program, framework, result.bugs, result.branches).lines(result.tests, (f"Needs {framework.needs}.",))
    return {RENDERER.file_name(program): ("\n".join(text) + "\n").encode(), **RENDERER.beside(program)}


class _Suite:
    """The text of one suite."""

    def __init__(self, program: Program, framework: Framework, bugs: Sequence[Bug], branches: Sequence[Branch]) -> None:
        self._program = program
        self._framework = framework
        self._place = place_of(program)
        self._bugs = {bug.test: bug for bug in bugs}
        self._branches = {branch.id: branch for branch in branches}

    def lines(self, tests: Sequence[Test], notes: Sequence[str]) -> Iterator[str]:
        """The whole file. `notes`: for its head."""
        framework, suite = self._framework, self._place.suite
        impossible = {test.name: why for test in tests if (why := _why_left_out(self._program, test))}
        shown = [test for test in tests if not test.outcome.is_limit and test.name not in impossible]
        good = [test for test in shown if test.outcome is Outcome.RETURNED]
        bad = [test for test in shown if test.outcome.is_bug]
        if self._place.package:
            yield f"package {self._place.package};"
            yield ""
        yield from (f"import {each};" if each else "" for each in framework.imports)
        if framework.imports:
            yield ""
        yield "/**"
        yield f" * Tests of {self._place.call} in {self._place.source.name}, made by veer."
        yield from (f" *     {line}" for line in notes)
        yield " */"
        yield f"{framework.class_head.format(suite=suite)} {suite} {{"
        written = list[str]()
        for test in good:
            written += self._test(
                test, list(body(self._program, test, self._place.call, framework, self._place.package))
            )
        for test in bad:
            lines, call = arranged(Values(self._program, test.inputs), self._place.call, self._place.package)
            written += self._test(test, [*lines, f"{call};"])
        yield from written
        for test in shown:
            if test not in good and test not in bad:
                yield f"    // {test.name} is left out: {test.outcome.sentence}."
        yield from (f"    // {name} is left out: {_in_comment(why)}." for name, why in impossible.items())
        tests_, bugs = (", ".join(f'"{test.name}"' for test in which) for which in (good, bad))
        helpers = with_loader(framework.helpers, self._program)
        yield helpers.format(suite=suite, tests=tests_, bugs=bugs).rstrip()
        yield from (each.replace("SUITE", suite).rstrip() for each in needed("\n".join(written)))
        yield from monitors(self._program, f"{self._place.package}.{suite}" if self._place.package else suite)
        yield "}"

    def _test(self, test: Test, body_: Sequence[str]) -> Iterator[str]:
        said, framework = self._about(test), self._framework
        if said:
            yield f"    /** {said}. */"
        reason = said.replace("\\", "\\\\").replace('"', '\\"')
        for annotation in framework.bug_annotations if test.outcome.is_bug else framework.annotations:
            yield f"    {annotation.format(reason)}"
        yield f"    {framework.method} {test.name}() throws Throwable {{"
        package, imports = self._place.package, framework.imports
        yield from (f"        {within_package(line, package, imports)}" for line in body_)
        yield "    }"
        yield ""

    def _about(self, test: Test) -> str:
        if test.outcome.is_bug:
            bug = self._bugs.get(test.name)
            own = _OUTCOMES.get(test.outcome, test.outcome.sentence)
            return f"{bug.message} ({Path(bug.file).name}:{bug.line})" if bug is not None else own
        covered = [self._branches[each] for each in test.covers if each in self._branches]
        texts = [f"{Path(each.file).name}:{each.line} {each.text}".strip() + f": {each.side}" for each in covered]
        if len(texts) > _MOST_COVERED:
            texts = [*texts[:_MOST_COVERED], f"and {len(texts) - _MOST_COVERED} more"]
        return f"Covers {'; '.join(texts)}".replace("*/", "* /") if texts else ""


RENDERER = JavaRenderer()
