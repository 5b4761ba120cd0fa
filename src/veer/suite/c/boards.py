"""Suites for target boards: one process, no files, no mapped memory; plain, or with Unity.

    test_f.c          the unit, its tests, `main`
    veer_support.h    the same for all suites of the format

The tests are those of the plain suite. Static data is set back between them, and `exit` comes back to the runner. A
test that depends on what the target has otherwise (`model/boards.py`) is left out there, by name.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import Struct

from veer.model.boards import BoardLook, Trait
from veer.model.literal import string
from veer.model.program import USER_MAIN, HarnessKind, Program
from veer.model.result import Result
from veer.model.values import replace
from veer.suite.c import expectations, frees
from veer.suite.c.cases import Case, cases, comment, where
from veer.suite.c.dialects import DIALECTS
from veer.suite.c.files import has_files
from veer.suite.c.header import NAME, Header
from veer.suite.c.mocks import mock_name, mocked
from veer.suite.c.plain import carried, contract_lines, file_name, has_main, made_by, support, with_include
from veer.suite.c.template_files import compiled, template

_COMPILER, _EMULATOR = "arm-none-eabi-gcc", "qemu-arm"
_EXITS = frozenset(("exit", "_exit", "_Exit"))
_FREES = frozenset(("free", "realloc", "reallocarray", "getline", "getdelim"))
_UNSIGNED = "-funsigned-char"
_CONDITIONS = {Trait.LONG: "__SIZEOF_LONG__ == 8 && __SIZEOF_POINTER__ == 8", Trait.HOST: "defined __x86_64__"}


class _Row(Struct, frozen=True):
    """A row of the runner's table. `condition`: of the preprocessor, under which the test is there; "": always."""

    number: int
    name: str
    function: str
    expected: str
    exit_code: int
    note: str
    condition: str = ""
    is_alone: int = 0


def board_files(result: Result) -> dict[str, bytes]:
    """The plain suite for boards."""
    return _files(result, is_unity=False)


def board_unity_files(result: Result) -> dict[str, bytes]:
    """The same with Unity's assertions and its count of tests."""
    return _files(result, is_unity=True)


def board_text(result: Result, *, is_unity: bool = False) -> str:
    """The text of the suite; it has no monitors of specifications."""
    program = replace(result.program, watching=None)
    reason = why_not(program)
    found = [_on_board(each, reason) for each in cases(program, result.tests, result.bugs, result.branches)]
    written = [case for case in found if not case.why_not]
    traits = {case.function: _traits(result.board_looks, case) for case in written}
    dialect = DIALECTS["unity"] if is_unity else expectations.plain
    values = {
        "title": "target boards, with Unity" if is_unity else "target boards",
        "entry": program.entry,
        "commands": _commands(program, is_unity=is_unity),
        "file": file_name(program),
        "made_by": made_by(program),
        "dependent_lines": _dependent_lines(result, written, traits),
        "contract_lines": contract_lines(program),
        "bug_lines": [comment(f"bug {bug.id}: {where(bug)}{bug.message}") for bug in result.bugs],
        "exits": _ends(program, written),
        "support": support(replace(program, is_for_board=True), result.tests),
        "statics": program.statics.named if program.statics is not None else (),
        "mocks": [mock_name(name) for name in mocked(program, result.tests)],
        "bodies": compiled("bodies.c").render(bodies=[_body(program, case, traits, dialect) for case in found]),
        "tests": [_row(program, case, traits[case.function]) for case in written if not case.is_bug],
        "bugs": [_row(program, case, ()) for case in written if case.is_bug],
        "aside": has_main(program),
        "is_unity": is_unity,
        "defines": {function.name for function in program.functions},
    }
    lines, brought = _header(is_unity=is_unity).included(program, result.tests)
    is_freeing = bool(_calls(program) & _FREES)
    return with_include(
        program,
        file_name(program),
        compiled("board_suite.c"),
        values,
        (f"{'#define VEER_FREES' * is_freeing}\n{lines}", brought),
        frees.head(program, result.tests),
    )


def why_not(program: Program) -> str:
    """Why no test of this program can run on a board, or nothing."""
    if program.declarations:
        return "the entry is in C++"
    if program.device is not None:
        return "it reads registers, which a board has itself"
    if program.harness is HarnessKind.PROGRAM:
        return "it is a whole program"
    if has_files(program) or program.files:
        return "it uses files"
    if program.asked or program.failing:
        return "it depends on answers of the system that a board does not give"
    return ""


def _files(result: Result, *, is_unity: bool) -> dict[str, bytes]:
    text = board_text(result, is_unity=is_unity)
    header = _header(is_unity=is_unity).text
    name = file_name(result.program)
    return {name: text.encode(errors="surrogateescape"), NAME: header.encode()} | carried(result.program)


def _header(*, is_unity: bool) -> Header:
    before = template("unity_headers.c") if is_unity else ""
    return Header(before, compiled("board_runner.c").render(is_unity=is_unity), not is_unity, is_of_board=True)


def _on_board(case: Case, reason: str) -> Case:
    return replace(case, why_not=reason, setup=(), printed=None) if reason and not case.why_not else case


def _traits(looks: Sequence[BoardLook], case: Case) -> tuple[Trait, ...]:
    return tuple(look.trait for look in looks if case.name in look.failing)


def _condition(program: Program, traits: Sequence[Trait]) -> str:
    is_unsigned = _UNSIGNED in program.compile_flags
    of_char = "defined __CHAR_UNSIGNED__" if is_unsigned else "!defined __CHAR_UNSIGNED__"
    found = [of_char if each is Trait.CHAR else _CONDITIONS.get(each, "") for each in traits]
    return " && ".join(filter(None, found))


def _body(program: Program, case: Case, traits: dict[str, tuple[Trait, ...]], dialect: expectations.Dialect) -> str:
    text = case.definition(dialect, f"static void {case.function}(void)")
    condition = _condition(program, traits.get(case.function, ()))
    return f"#if {condition}\n{text}\n#endif" if condition else text


def _row(program: Program, case: Case, traits: Sequence[Trait]) -> _Row:
    expected = "VEER_FAILS" if case.is_bug else "VEER_RETURNS" if case.exit_code is None else "VEER_EXITS"
    note = case.note if case.is_bug else " and ".join(traits)
    alone = int(Trait.PROCESS in traits)
    condition = _condition(program, traits)
    literal = string(note.encode())
    return _Row(case.number, case.name, case.function, expected, case.exit_code or 0, literal, condition, alone)


def _dependent_lines(result: Result, written: Sequence[Case], traits: dict[str, tuple[Trait, ...]]) -> list[str]:
    """What is said of tests that depend on the machine, and of what could not be looked at."""
    found = [
        f"{case.function} depends on {' and '.join(traits[case.function])}: it is left out where that is otherwise."
        for case in written
        if traits[case.function]
    ]
    hidden = result.program.statics.hidden if result.program.statics is not None else ()
    if hidden:
        found.append(f"Not set back between tests: {', '.join(hidden)}. -DVEER_TEST=N runs test N alone.")
    found += [look.note for look in result.board_looks if look.note]
    return [comment(line) for line in found]


def _ends(program: Program, written: Sequence[Case]) -> bool:
    return bool(_calls(program) & _EXITS or any(case.exit_code is not None for case in written))


def _calls(program: Program) -> set[str]:
    return {name for function in program.functions for name in (*function.calls, *function.takes)}


def _commands(program: Program, *, is_unity: bool) -> tuple[str, ...]:
    """What builds the suite with Debian's compiler for ARM, and runs it on an emulator of its processors."""
    source = file_name(program)
    others = [program.suite_path(path) for path in program.sources if path != program.include]
    flags = program.suite_words(program.compile_flags)
    if has_main(program) and others:
        flags.append(f"-Dmain={USER_MAIN}")
    if others and _calls(program) & _EXITS:
        flags += [f"-D{name}=veer_board_exit" for name in sorted(_EXITS)]
    standard = [] if any(flag.startswith("-std=") for flag in flags) else ["-std=gnu11"]
    unity = ["-DUNITY_SUPPORT_64", "unity.c"] if is_unity else []
    made = source.removesuffix(".c")
    words = [_COMPILER, "--specs=rdimon.specs", *standard, "-g", *flags, source, *others, *unity, "-lm", "-o", made]
    return shlex.join(words), f"{_EMULATOR} ./{made}"
