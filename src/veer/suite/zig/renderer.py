"""Zig as it is written (suite/protocol.py): what `veer.renderers` registers under `zig`.

    test "test_001" {
        try std.testing.expectEqual(3, list.sum(&.{ 1, 2 }));
    }

    zig test --dep list -Mroot=sum_test.zig -Mlist=/home/u/list.zig

A panic ends `zig test`. So a test that shows a bug is a function, which `main` calls: `zig run ... -- test_002`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Branch, Bug, Test
from veer.suite.protocol import Updated
from veer.suite.zig.expectations import of_objects, of_result, of_variables, set_back, written_types
from veer.suite.zig.typenames import HELPER, TypeNames
from veer.suite.zig.values import Object, Writer, name_of

_RESERVED = frozenset(("std", "root", "builtin", "veer"))
_NOT_READ = " (not read)"
_MOST_COVERED = 6
_MAIN = """\
/// Runs a test that ends by a panic: zig run ... -- NAME
pub fn main(init: std.process.Init.Minimal) !void {{
    var arguments = init.args.iterate();
    _ = arguments.skip();
    const name = arguments.next() orelse "";
{calls}    std.debug.print("usage: NAME, one of {names}\\n", .{{}});
    std.process.exit(2);
}}
"""
_CALL = '    if (std.mem.eql(u8, name, "{name}")) return {function}();\n'
_NO_MAIN = "pub fn main() void {}\n"


def module_name(path: Path) -> str:
    """What a source is called when it is imported as a module."""
    is_usable = re.fullmatch(r"[A-Za-z_]\w*", path.stem) and path.stem not in _RESERVED
    return path.stem if is_usable else "unit"


class ZigRenderer(Struct, frozen=True):
    """Tests as `test` blocks, values as Zig source."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """See Renderer."""
        writer = Writer(program, inputs)
        try:
            written = writer.written()
        except UnsupportedInputError:
            return _plainly(inputs)
        unread = _unread(program, inputs)
        shown = {name: text + (_NOT_READ if name in unread else "") for name, text in written.arguments}
        for each in written.objects:
            shown[each.name] = writer.contents(each)
        return shown

    def file_name(self, program: Program) -> str:
        """See Renderer."""
        return f"{program.entry.replace('.', '_')}_test.zig"

    def commands(self, program: Program) -> tuple[str, ...]:
        """See Renderer."""
        source = program.sources[0]
        module = module_name(source)
        words = f"--dep {module} -Mroot={self.file_name(program)} -M{module}={shlex.quote(str(source))}"
        return (f"zig test {words}",)

    def beside(self, program: Program) -> dict[str, bytes]:
        """See Renderer."""
        return {}

    def updated(self, before: str, after: str) -> Updated:
        """Raises UsageError: tests in Zig are not compared yet."""
        raise UsageError("suites in Zig are not compared yet: run `veer test` again, and look at the difference")

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """See Renderer."""
        return "\n".join(_Suite(program, bugs, branches).lines(tests, self.commands(program)[0])) + "\n"


class _Suite:
    """The text of one suite."""

    def __init__(self, program: Program, bugs: Sequence[Bug], branches: Sequence[Branch]) -> None:
        self._program = program
        self._bugs = {bug.test: bug for bug in bugs}
        self._branches = {branch.id: branch for branch in branches}
        self._module = module_name(program.sources[0])
        self._names = TypeNames(program)
        self._written: frozenset[int] = frozenset()

    def lines(self, tests: Sequence[Test], command: str) -> Iterator[str]:
        """The whole file."""
        shown = [test for test in tests if not test.outcome.is_limit]
        self._written = written_types(self._program, shown)
        blocks = [list(self._test(test)) for test in shown if not test.outcome.is_bug]
        panics = [test for test in shown if test.outcome.is_bug]
        functions = [(test, self._bug(test)) for test in panics]
        written = [test.name for test, lines in functions if not lines[-1].startswith("//")]
        yield f"//! Tests of {self._program.entry} in {self._program.sources[0].name}, made by veer."
        yield f"//!     {command}"
        if panics:
            run = command.replace("zig test", "zig run", 1)
            yield "//! A panic ends `zig test`: the tests that show bugs are functions, each run by its name:"
            yield f"//!     {run} -- {panics[0].name}"
        yield 'const std = @import("std");'
        yield f'const {self._module} = @import("{self._module}");'
        yield ""
        if self._names.declared:
            yield HELPER.format(entry=f"{self._module}.{self._program.entry}")
            yield from (f"const {name} = {way};" for name, way in self._names.declared.items())
            yield ""
        for lines in (*blocks, *(lines for _, lines in functions)):
            yield from lines
            yield ""
        yield self._main(written)

    @staticmethod
    def _main(names: Sequence[str]) -> str:
        if not names:
            return _NO_MAIN.rstrip()
        calls = "".join(_CALL.format(name=name, function=name) for name in names)
        return _MAIN.format(calls=calls, names=", ".join(names)).rstrip()

    def _test(self, test: Test) -> Iterator[str]:
        yield from self._heading(test)
        try:
            body = list(self._body(test))
        except UnsupportedInputError as error:
            yield f"// {test.name} is left out: {error}."
            return
        yield f'test "{test.name}" {{'
        yield from (f"    {line}" for line in body)
        yield "}"

    def _bug(self, test: Test) -> list[str]:
        bug = self._bugs.get(test.name)
        said = f"{bug.message} ({Path(bug.file).name}:{bug.line})" if bug is not None else test.outcome.sentence
        heading = f"/// {said}"
        try:
            body = [*self._arrange(test, Writer(self._program, test.inputs)), f"_ = {self._call(test)};"]
        except UnsupportedInputError as error:
            return [f"// {test.name} ({said}) is left out: {error}."]
        if self._is_error_union():
            body[-1] = f"_ = try {self._call(test)};"
        return [heading, f"fn {test.name}() !void {{", *(f"    {line}" for line in body), "}"]

    def _is_error_union(self) -> bool:
        entry = self._program.function(self._program.entry)
        if entry is None or entry.returns < 0:
            return False
        return any(each.name == "error" for each in self._program.types[entry.returns].fields)

    def _heading(self, test: Test) -> Iterator[str]:
        covered = [self._branches[each] for each in test.covers if each in self._branches]
        texts = [f"{Path(each.file).name}:{each.line} {each.text}: {each.side}" for each in covered]
        if len(texts) > _MOST_COVERED:
            texts = [*texts[:_MOST_COVERED], f"and {len(texts) - _MOST_COVERED} more"]
        if texts:
            yield f"// covers {'; '.join(texts)}"

    def _body(self, test: Test) -> Iterator[str]:
        if test.outcome is not Outcome.RETURNED:
            raise UnsupportedInputError(f"it ends otherwise than by a return: {test.outcome.sentence}")
        writer = Writer(self._program, test.inputs)
        yield from set_back(test, self._module)
        yield from self._arrange(test, writer)
        yield from of_result(self._program, test, self._call(test))
        yield from of_objects(self._program, test, writer.objects, self._written)
        yield from of_variables(self._program, test, self._module)

    def _arrange(self, test: Test, writer: Writer) -> Iterator[str]:
        """The objects: all are declared before any is filled, for they may lead to each other."""
        objects = writer.written().objects
        for each in objects:
            yield f"var {each.name}: {self._type(each)} = undefined;"
        for each in objects:
            yield f"{each.name} = {writer.contents(each)};"

    def _type(self, item: Object) -> str:
        element = self._names.name(item.type)
        if not item.is_array:
            return element
        return f"[{item.count}{':0' if item.ending else ''}]{element}"

    def _call(self, test: Test) -> str:
        written = Writer(self._program, test.inputs).written()
        path = ".".join(name_of(part) for part in self._program.entry.split("."))
        return f"{self._module}.{path}({', '.join(text for _, text in written.arguments)})"


def _unread(program: Program, inputs: InputMap) -> set[str]:
    """The parameters that the run never looked at."""
    read: set[str] = set()
    every: set[str] = set()
    for root in inputs.roots:
        name = re.split(r"[.\[]", root.name, maxsplit=1)[0]
        every.add(name)
        for cell in root.cells:
            value = cell.value
            if value.used if isinstance(value, Scalar) else value.decided:
                read.add(name)
    return every - read


def _plainly(inputs: InputMap) -> dict[str, str]:
    """Numbers and pointers by the names of the inputs."""
    shown: dict[str, str] = {}
    for root in inputs.roots:
        for cell in root.cells:
            value = cell.value
            text = f"&object_{value.target}" if isinstance(value, Pointer) else str(value.number)
            shown[root.name + cell.path] = text
    return shown


RENDERER = ZigRenderer()
