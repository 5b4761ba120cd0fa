"""The plain suite: one C file with a `main` and no framework, which compiles with gcc, clang and zig.

    suite/test_f.c    #include "the source that defines f"
                      support     blocks of exact size, comparisons
                      test_001()  one function per test: inputs as readable C, the call, the expected result
                      bug_001()   inputs that crash: run only when they are named
                      runner      TAP output, each test in a process of its own

A test is expected to return what the recorded run returned, or to exit as it did. What cannot be written in C is left
out, with a comment that says why.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from veer.model.describe import describe, type_at
from veer.model.inputs import Root
from veer.model.literal import string
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.result import Branch, Bug, Test
from veer.suite.declarators import Names, declare, is_nameable
from veer.suite.graph import GraphWriter, result_checks
from veer.suite.shims import feed, feed_statements, shim, stub_definitions, stub_root

_RENAMED_MAIN = "veer_user_main"
_SECONDS_PER_TEST = 10
_MOST_COVERS = 4
_MAIN_ASIDE = f"""\
/* The program's main keeps its name in C (and its implicit return 0), but not its symbol: that is the suite's. */
#undef main
int main() __asm__("{_RENAMED_MAIN}");
int {_RENAMED_MAIN}();
"""
_RUNNABLE = (Outcome.RETURNED, Outcome.EXITED)
_CALLED_WITH_ARGUMENTS = (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER)


@dataclass(frozen=True, slots=True)
class Case:
    """A row of the runner's table."""

    number: int
    name: str
    function: str
    expected: str
    exit_code: int
    note: str


def file_name(program: Program) -> str:
    """The suite's file: test_ENTRY.c."""
    return f"test_{re.sub(r'[^A-Za-z0-9_]', '_', program.entry)}.c"


def is_in_suite(test: Test) -> bool:
    """Whether the suite runs this test: it returned, exited, or shows a bug."""
    return test.outcome in _RUNNABLE or test.outcome.is_bug


def commands(program: Program) -> tuple[str, ...]:
    """The commands that build and run the suite in its own directory."""
    source = file_name(program)
    others = [str(path) for path in program.sources if path != program.include]
    flags = list(program.compile_flags)
    if _has_main(program) and others:
        flags.append(f"-Dmain={_RENAMED_MAIN}")
    standard = [] if any(flag.startswith("-std=") for flag in flags) else ["-std=gnu11"]
    words = ["gcc", *standard, "-g", *flags, source, *others, *program.link_flags, "-lm", "-o", source[:-2]]
    return (shlex.join(words), f"./{source[:-2]}")


def render(program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()) -> str:
    """The suite's text. `branches`, if given, lets the comments say what each test covers.

    Tests with an outcome that is a bug form the group that runs only on `--bug`. The witness of a bug has its id as
    number there; other paths that reach one have no number, only a name.
    """
    by_id = {branch.id: branch for branch in branches}
    witnessed = {bug.test: bug for bug in bugs}
    bodies: list[str] = []
    good: list[Case] = []
    bad: list[Case] = []
    for number, test in enumerate(tests, start=1):
        if not is_in_suite(test):
            continue
        bug = witnessed.get(test.name)
        function = ("bug_" if test.outcome.is_bug else "test_") + _identifier(test.name)
        text, why_not = _body(program, test, function, bug, by_id)
        bodies.append(text)
        if why_not:
            continue
        if test.outcome.is_bug:
            note = f"{_where(bug)}{bug.message}" if bug else f"{test.outcome.sentence}, on another path"
            bad.append(Case(bug.id if bug else 0, test.name, function, "VEER_FAILS", 0, string(note.encode())))
        else:
            exits = test.outcome is Outcome.EXITED
            code = (test.exit_code or 0) & 0xFF
            good.append(Case(number, test.name, function, "VEER_EXITS" if exits else "VEER_RETURNS", code, '""'))
    return _assemble(program, tests, bugs, bodies, good, bad)


def _assemble(
    program: Program,
    tests: Sequence[Test],
    bugs: Sequence[Bug],
    bodies: list[str],
    good: list[Case],
    bad: list[Case],
) -> str:
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    most = max((len(test.inputs.objects) + len(test.inputs.roots) for test in tests), default=0) + 8
    return environment.from_string(_template("suite.c")).render(
        entry=program.entry,
        commands=commands(program),
        bug_lines=[_comment(f"bug {bug.id}: {_where(bug)}{bug.message}") for bug in bugs],
        includes=_includes(program),
        support=environment.from_string(_template("support.c")).render(most_blocks=most),
        shim=shim(program) + stub_definitions(program, tests),
        bodies=bodies,
        runner=environment.from_string(_template("runner.c")).render(
            tests=good, bugs=bad, seconds=_SECONDS_PER_TEST, aside=_includes_main(program)
        ),
    )


def _template(name: str) -> str:
    return resources.files("veer.suite").joinpath("templates", name).read_text(encoding="utf-8")


def _includes(program: Program) -> str:
    included = program.include or (program.sources[0] if program.sources else Path())
    line = f"#include {string(str(included.absolute()).encode())}"
    if not _includes_main(program):
        return line
    return _MAIN_ASIDE + line


def _includes_main(program: Program) -> bool:
    """Whether the included source itself defines a main."""
    function = program.function("main")
    included = program.include or (program.sources[0] if program.sources else Path())
    return program.entry == "main" or (function is not None and Path(function.file).resolve() == included.resolve())


def _has_main(program: Program) -> bool:
    return program.entry == "main" or program.function("main") is not None


def _body(program: Program, test: Test, function: str, bug: Bug | None, branches: dict[int, Branch]) -> tuple[str, str]:
    """The C function of a test, and why it could not be written (then the text is a comment)."""
    if program.harness in _CALLED_WITH_ARGUMENTS:
        lines, why_not = _call(program, test)
    else:
        lines, why_not = feed(program, test), ""
    if why_not:
        shown = ", ".join(f"{name} = {value}" for name, value in describe(program, test.inputs).items())
        return f"/* {test.name} is not written: {_comment(why_not)}. Its inputs: {_comment(shown)} */", why_not
    head = _heading(test, bug, branches)
    return f"{head}static void {function}(void)\n{{\n" + "".join(
        f"    {line}".rstrip() + "\n" for line in lines
    ) + "}", ""


def _call(program: Program, test: Test) -> tuple[list[str], str]:
    """Inputs, the call with its arguments, the comparison of the result."""
    entry = program.function(program.entry)
    if entry is None:
        return [], f"{program.entry} is not among the functions of the program"
    names = Names(program)
    parameters = tuple(parameter.name for parameter in entry.parameters)
    others = tuple(root for root in test.inputs.roots if _is_global(program, root, parameters))
    names.reserve(root.name for root in others)
    writer = GraphWriter(program, test.inputs, parameters, names)
    setup = writer.write()
    lines = setup.lines + writer.globals(others)
    if program.stubs:
        taken = {stub_root(name) for name in program.stubs}
        stubbed = [root for root in test.inputs.roots if root.name in taken]
        lines += feed_statements(program, test, stubbed, writer.variable)
    for parameter in entry.parameters:
        if parameter.name not in setup.arguments and not setup.unwritable:
            type_ = program.types[parameter.type]
            variable = names.free(parameter.name)
            zero = "NULL" if type_.kind == "pointer" else "{0}" if type_.kind in ("struct", "union", "array") else "0"
            lines.append(f"{declare(program.types, type_, variable)} = {zero};")
            setup.arguments[parameter.name] = variable
    call = f"{program.entry}({', '.join(setup.arguments.get(name, '0') for name in parameters)})"
    returns = type_at(program, entry.returns)
    lines += [""] if lines else []
    checks = result_checks(program, returns, test.returned) if returns and test.returned is not None else []
    if returns is None or not checks or test.outcome is not Outcome.RETURNED:
        return [*lines, f"{call};"], setup.unwritable
    variable = declare(program.types, returns, "result") if is_nameable(returns) else "__auto_type result"
    return [*lines, f"{variable} = {call};", *checks], setup.unwritable


def _is_global(program: Program, root: Root, parameters: tuple[str, ...]) -> bool:
    return root.name not in parameters and "(" not in root.name and root.type >= 0 and root.occurrence == 0


def _heading(test: Test, bug: Bug | None, branches: dict[int, Branch]) -> str:
    sentence = _where(bug) + bug.message if bug is not None else _ending(test)
    lines = [f"{test.name}: {sentence}."]
    covered = [branches[item] for item in test.covers if item in branches]
    for branch in covered[:_MOST_COVERS]:
        lines.append(f"  {Path(branch.file).name}:{branch.line} `{branch.text}` is {branch.side}")
    if len(covered) > _MOST_COVERS:
        lines.append(f"  and {len(covered) - _MOST_COVERS} more")
    return "/* " + "\n * ".join(_comment(line) for line in lines) + " */\n"


def _ending(test: Test) -> str:
    if test.outcome is Outcome.EXITED:
        return f"it calls exit({test.exit_code or 0})"
    return "it returns" if test.outcome is Outcome.RETURNED else test.outcome.sentence


def _where(bug: Bug | None) -> str:
    return f"{Path(bug.file).name}:{bug.line}: " if bug is not None else ""


def _comment(text: str) -> str:
    """Text that may stand in a C comment."""
    return (
        text.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace("\n", " ")
        .replace("\\", "/" if text.endswith("\\") else "\\")
    )


def _identifier(name: str) -> str:
    short = re.sub(r"\W", "_", name)
    return re.sub(r"^(test|bug)_", "", short)
