"""A test as parts that every format shares: the inputs as C statements, the call, what is expected afterwards.

setup          struct cell *p = veer_block(sizeof(struct cell));
               p->v = 3;
call           testme(p, x)
expectations   result is 0, p->v is 4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from veer.model.describe import describe, interrupted_at, type_at
from veer.model.inputs import Root
from veer.model.literal import Leaf
from veer.model.made import link_at
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.result import Branch, Bug, Test
from veer.model.state import Origin
from veer.model.types import ARGUMENT_LIST, ExtentKind, Type, TypeKind
from veer.model.values import replace
from veer.model.variadic import has_rest
from veer.suite.c.before import written_before
from veer.suite.c.declarators import Names, declare, declare_unseen, is_nameable, result_name
from veer.suite.c.endpointers import with_ends
from veer.suite.c.expectations import Dialect, Expectation, Kind, expected_result
from veer.suite.c.frees import blocks as allocated_blocks
from veer.suite.c.frees import freed
from veer.suite.c.graph import GraphWriter
from veer.suite.c.made import MadeBlocks, kept_blocks
from veer.suite.c.mockcalls import expected_mock_calls
from veer.suite.c.mocks import Parameter, mocked
from veer.suite.c.naming import function_names
from veer.suite.c.outputs import Variables, expected_outputs, written_types
from veer.suite.c.sequences import Step, written_sequence
from veer.suite.c.shims import (
    expected_calls,
    feed,
    feed_statements,
    file_statements,
    given_files,
    is_fed,
    taken_roots,
    unmade,
)
from veer.suite.c.variadic import behind, without_list
from veer.suite.c.watched import at_end

_MOST_COVERS = 4
_CUT = "  Not all of what it made is compared."
_RUNNABLE = (Outcome.RETURNED, Outcome.EXITED)
DIFFERS = "differs"
"""How the verdict of a replay begins that ended otherwise than recorded (execution/replay.py)."""


class Case(Struct, frozen=True):
    """One test, ready to be written.

    `number`: its place among the tests, or the id of the bug that it witnesses (0: another path to a bug);
    `why_not`: why it cannot be written in C, or empty; then `setup` is empty.
    """

    number: int
    name: str
    function: str
    heading: tuple[str, ...]
    setup: tuple[str, ...] = ()
    call: str = ""
    result: str = ""  # the declaration of the variable that holds it, empty where nobody looks at it
    variable: str = "result"
    expectations: tuple[Expectation, ...] = ()
    exit_code: int | None = None  # the code that it is expected to exit with
    printed: bytes | None = None  # what it is expected to write to standard output; None: whatever
    is_bug: bool = False
    note: str = ""  # bugs: what is shown
    why_not: str = ""
    steps: tuple[Step, ...] = ()  # of a call sequence, in the place of one call
    end: tuple[str, ...] = ()  # what stands behind the last call

    def statements(self, dialect: Dialect) -> list[str]:
        """The body of its function."""
        if self.steps:
            told = (line for step in self.steps for line in (*step.lines, *map(dialect, step.expectations)))
            return [*told, *self.end]
        called = f"{self.result} = {self.call};" if self.result else f"{self.call};"
        lines = [*self.setup, "", called, *self.end] if self.setup else [called, *self.end]
        if self.result and not self.expectations:
            lines.append(f"(void){self.variable};")
        return lines + [dialect(expectation) for expectation in self.expectations]

    def comment(self) -> str:
        """The comment above its function, with a line break behind it."""
        return "/* " + "\n * ".join(comment(line) for line in self.heading) + " */\n"

    def definition(self, dialect: Dialect, head: str, around: tuple[str, str] = ("", "")) -> str:
        """The whole function; a comment when it cannot be written.

        `head`: all before its body; `around`: a first and a last statement, if any.
        """
        if self.why_not:
            return f"/* {self.name} is not written: {comment(self.why_not)}. {comment(' '.join(self.heading))} */"
        body = [*filter(None, around[:1]), *self.statements(dialect), *filter(None, around[1:])]
        lines = "".join(f"    {line}".rstrip() + "\n" for line in body)
        return f"{self.comment()}{head}\n{{\n{lines}}}"


class _Suite(Struct, frozen=True):
    """What all tests of a suite share: the types of objects that the entry writes, and the mocks."""

    written: frozenset[int]
    mocks: Mapping[str, Sequence[Parameter]]


def is_in_suite(test: Test) -> bool:
    """Whether the suite runs this test: it returned, exited, or shows a bug."""
    return test.outcome in _RUNNABLE or test.outcome.is_bug


def cases(
    program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
) -> tuple[Case, ...]:
    """The tests that a suite holds. `branches`, if given, lets the comments say what each covers."""
    covered = {branch.id: branch for branch in branches}
    witnessed = {bug.test: bug for bug in bugs}
    wrong = {bug.test for bug in bugs if bug.outcome is Outcome.FAULTED}  # no suite expects such a result
    kept = [
        (number, test) for number, test in enumerate(tests, start=1) if is_in_suite(test) and test.name not in wrong
    ]
    names = function_names(program, [test for _, test in kept])
    suite = _Suite(written_types(program, tests), mocked(program, tests))
    calls = {test.name: expected_calls(program, tests, test) for _, test in kept}
    end = at_end(program)
    begun = (
        (test, Case(number, test.name, names[test.name], (), printed=test.printed, end=end)) for number, test in kept
    )
    return tuple(
        _with_calls(_case(program, test, case, witnessed.get(test.name), covered, suite), calls[test.name])
        for test, case in begun
    )


def _with_calls(case: Case, calls: tuple[Expectation, ...]) -> Case:
    """With how often stubs are called, where the case makes one call."""
    is_one_call = not case.why_not and not case.steps
    return replace(case, expectations=case.expectations + calls) if is_one_call else case


def _case(
    program: Program,
    test: Test,
    case: Case,
    bug: Bug | None,
    branches: Mapping[int, Branch],
    suite: _Suite,
) -> Case:
    """`case` has its number and names."""
    case = replace(case, heading=_heading(program, test, bug, branches), why_not=_why_not(program, test))
    if case.why_not:
        pass
    elif program.harness.passes_arguments:
        case = _called(program, test, case, suite)
    elif program.harness is HarnessKind.SEQUENCE:
        found = written_sequence(program, test, suite.written)
        heading = (*case.heading, *((_CUT,) if found.is_cut else ()))
        end = (*found.end, *case.end)
        case = replace(case, heading=heading, steps=found.steps, end=end, why_not=found.why_not)
    else:
        setup, call = feed(program, test)
        case = _with_result(program, test, replace(case, setup=tuple(setup), call=call))
    if case.why_not:
        shown = ", ".join(f"{name} = {value}" for name, value in describe(program, test.inputs).items())
        return replace(case, heading=(f"Its inputs: {shown}",), setup=(), is_bug=test.outcome.is_bug)
    if not test.outcome.is_bug:
        code = (test.exit_code or 0) & 0xFF if test.outcome is Outcome.EXITED else None
        return replace(case, exit_code=code)
    note = f"{where(bug)}{bug.message}" if bug else f"{test.outcome.sentence}, on another path"
    return replace(case, number=bug.id if bug else 0, is_bug=True, note=note)


def _why_not(program: Program, test: Test) -> str:
    """Why a test is not written in C, or nothing."""
    interrupt = program.interrupt
    at = interrupted_at(interrupt, test.inputs) if interrupt is not None else ()
    if interrupt is not None and at:
        accesses = ", ".join(map(str, at))
        return (
            f"{interrupt.function} comes before volatile access {accesses}: only veer's own replay makes it come there"
        )
    return unmade(program, test) or _unlike(test)


def _unlike(test: Test) -> str:
    """Why a test that would fail is not written, or nothing: its replay on the plain build ended otherwise."""
    if test.outcome.is_bug or not test.replayed.startswith(DIFFERS):
        return ""
    return f"on the plain build it {test.replayed}"


def _called(program: Program, test: Test, case: Case, suite: _Suite) -> Case:
    """Inputs, and the call with its arguments."""
    entry = program.function(program.entry)
    if entry is None:
        return replace(case, why_not=f"{program.entry} is not among the functions of the program")
    names = Names(program)
    parameters = tuple(parameter.name for parameter in entry.parameters)
    before = written_before(program, test)
    others = tuple(root for root in before.inputs.roots if _is_global(root, (*parameters, *before.roots)))
    names.reserve(root.name for root in others)
    names.reserve(variable.name for variable in program.outputs)
    inputs = without_list(program, before.inputs)
    writer = GraphWriter(program, inputs, (*before.roots, *parameters), names)
    setup = writer.write()
    lines = setup.lines + writer.globals(others)
    initialised = writer.initialised()
    lines += initialised
    if is_fed(program, test):
        lines += feed_statements(program, test, taken_roots(program, test), writer.variable)
    lines += file_statements(program, test)
    files = given_files(program, test)
    own = entry.parameters[:-1] if has_rest(entry, program.types) else entry.parameters
    for parameter in own:
        if parameter.name not in setup.arguments and not setup.unwritable:
            type_ = program.types[parameter.type]
            if type_.extent is ExtentKind.END:
                continue
            variable = names.free(parameter.name)
            zero = (
                "NULL"
                if type_.kind == TypeKind.POINTER
                else "{0}"
                if type_.kind in (TypeKind.STRUCT, TypeKind.UNION, TypeKind.ARRAY)
                else "0"
            )
            lines.append(f"{declare(program.types, type_, variable)} = {files.get(parameter.name, zero)};")
            setup.arguments[parameter.name] = variable
    lines += before.lines(program, setup.arguments)
    if before.calls and suite.mocks:
        lines.append("veer_forget_calls();")
    passed = [_passed(program.types[each.type], setup.arguments.get(each.name, "0")) for each in own]
    given = [*with_ends(program.types, own, passed), *behind(program, before.inputs, writer.variable)]
    call = f"{program.entry}({', '.join(given)})"
    case = replace(case, setup=tuple(lines), call=call, why_not=setup.unwritable)
    if case.why_not:
        return case
    blocks = MadeBlocks(program, test.left, writer.variable)
    case = _with_result(program, test, case, blocks)
    if test.returned_object and case.expectations and case.expectations[0].kind is Kind.NOT_NULL:
        same = Expectation(Kind.SAME, case.variable, writer.variable(test.returned_object))
        case = replace(case, expectations=(same,))
    variables = Variables(program, writer.variable, blocks)
    outputs = expected_outputs(variables, test, suite.written)
    calls = expected_mock_calls(variables, test, suite.mocks)
    is_counted = not before.calls and not initialised
    released = allocated_blocks(program, test) if is_counted else ()
    released += tuple(Expectation(Kind.FREED, writer.variable(number), "") for number in freed(program, test))
    heading = (*case.heading, *((_CUT,) if blocks.is_cut else ()))
    return replace(case, heading=heading, expectations=case.expectations + outputs + released + calls)


def _passed(type_: Type, argument: str) -> str:
    """An argument as it is passed: what leads to several of them as a va_list."""
    return f"veer_arguments({argument})" if type_.name == ARGUMENT_LIST else argument


def _with_result(program: Program, test: Test, case: Case, blocks: MadeBlocks | None = None) -> Case:
    """With what the entry returned, where it returned; a main is expected to return an int.

    `blocks`: what tests expect behind the pointers that it returned."""
    entry = program.function(program.entry)
    returns = type_at(program, entry.returns) if entry is not None else None
    if returns is None or program.acts_at_exit:
        return case
    name = result_name(program)
    case = replace(case, variable=name)
    if test.outcome.is_bug:
        return replace(case, result=declare_unseen(program.types, returns, name))
    declared = declare(program.types, returns, name) if is_nameable(returns) else f"__auto_type {name}"
    if test.returned is None or test.outcome is not Outcome.RETURNED or (entry is not None and entry.forgets_value):
        return case
    if not program.harness.passes_arguments and returns.kind != TypeKind.SIGNED:
        return case
    if blocks is None:
        expected = expected_result(program, returns, test.returned, name)
        return replace(case, result=declared, expectations=expected) if expected else case

    def behind(place: str, leaf: Leaf) -> Sequence[Expectation]:
        return blocks.pointer(place, leaf.type, link_at(test.left.result, leaf.offset))

    expected = expected_result(program, returns, test.returned, name, behind)
    kept = kept_blocks(program, test.left, returns, name)
    return replace(case, result=declared, expectations=expected, end=(*kept, *case.end)) if expected else case


def _is_global(root: Root, parameters: tuple[str, ...]) -> bool:
    return root.name not in parameters and "(" not in root.name and root.type >= 0 and root.occurrence == 0


def _heading(program: Program, test: Test, bug: Bug | None, branches: Mapping[int, Branch]) -> tuple[str, ...]:
    """How it ends, the last of the branches that it covers, and the one that decides it. No number stands there that
    another line of the unit, or another test, would change."""
    sentence = where(bug) + bug.message if bug is not None else _ending(test)
    lines = [f"{sentence[:1].upper() if bug is None else sentence[:1]}{sentence[1:]}."]
    if test.state is Origin.FREE:
        lines.append("  Static data is set: no calls of the unit's functions were found that bring it there.")
    own = program.include.name if program.include is not None else ""

    def said(item: int) -> str:
        file = Path(branches[item].file).name
        return f"{'' if file == own else f'{file}: '}`{branches[item].text}` is {branches[item].side}"

    covered = [item for item in test.covers if item in branches and item != test.decides]
    lines += [f"  {said(item)}" for item in covered[-_MOST_COVERS:]]
    if test.decides in branches:
        lines.append(f"  decided by: {said(test.decides)}")
    return tuple(lines)


def _ending(test: Test) -> str:
    if test.outcome is Outcome.EXITED:
        return f"it calls exit({test.exit_code or 0})"
    return "it returns" if test.outcome is Outcome.RETURNED else test.outcome.sentence


def where(bug: Bug | None) -> str:
    """`file.c:7: `, or nothing."""
    return f"{Path(bug.file).name}:{bug.line}: " if bug is not None else ""


def comment(text: str) -> str:
    """Text that may stand in a C comment."""
    return (
        text.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace("\n", " ")
        .replace("\\", "/" if text.endswith("\\") else "\\")
    )
