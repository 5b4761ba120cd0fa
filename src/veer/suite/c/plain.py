"""The plain suite: one C file with a `main` and no framework, which compiles with gcc, clang and zig.

    suite/test_f.c    #include "the source that defines f"
                      veer_support.h   blocks of exact size, comparisons, what runs the tests (header.py)
                      test_001()  one function per test: inputs as readable C, the call, the expected result
                      bug_001()   inputs that crash: run only when they are named
                      runner      TAP output, each test in a process of its own

A test is expected to return what the recorded run returned, or to exit as it did. What cannot be written in C is left
out, with a comment that says why.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Template
from msgspec import Struct

from veer.model.literal import string
from veer.model.program import USER_MAIN, Program
from veer.model.result import Branch, Bug, Test
from veer.suite.c import expectations, failures, frees, watched
from veer.suite.c.callbacks import callback_definitions
from veer.suite.c.cases import Case, cases, comment, is_in_suite, where
from veer.suite.c.header import NAME, SECONDS_PER_TEST, Header
from veer.suite.c.macros import taken_back
from veer.suite.c.shims import shim, stub_definitions
from veer.suite.c.template_files import compiled

__all__ = ["commands", "file_name", "is_in_suite", "render"]

_MAIN_ASIDE = f"""\
/* The program's main keeps its name in C (and its implicit return 0), but not its symbol: that is the suite's. */
#undef main
#ifdef __clang__
#pragma clang diagnostic push
#if __has_warning("-Wdeprecated-non-prototype")
#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#endif
#endif
int main() __asm__("{USER_MAIN}");
int {USER_MAIN}();
#ifdef __clang__
#pragma clang diagnostic pop
#endif
"""


def file_name(program: Program) -> str:
    """The suite's file: test_ENTRY.c."""
    return f"test_{re.sub(r'[^A-Za-z0-9_]', '_', program.entry)}.c"


def commands(program: Program) -> tuple[str, ...]:
    """The commands that build and run the suite in its own directory."""
    source = file_name(program)
    if program.declarations:
        return _commands_with_cxx(program)
    others = [program.suite_path(path) for path in program.sources if path != program.include]
    flags = program.suite_words(program.compile_flags)
    if has_main(program) and others:
        flags.append(f"-Dmain={USER_MAIN}")
    standard = [] if any(flag.startswith("-std=") for flag in flags) else ["-std=gnu11"]
    libraries = program.suite_words(program.link_flags)
    words = ["gcc", *standard, "-g", *flags, source, *others, *libraries, "-lm", "-o", source[:-2]]
    return (shlex.join(words), f"./{source[:-2]}")


def watched_commands(program: Program) -> tuple[str, ...]:
    """The commands that build and run it with the monitors of its specifications; none where it has none."""
    if not watched.is_woven(program):
        return ()
    others = [program.suite_path(path) for path in program.sources if path != program.include]
    return watched.commands(program, file_name(program), shlex.split(commands(program)[0]), others)


def _commands_with_cxx(program: Program) -> tuple[str, ...]:
    """The same with the entry's source in C++: it is compiled beside the suite, which is C."""
    source = file_name(program)
    sources = [program.suite_path(path) for path in program.sources]
    flags, libraries = program.suite_words(program.compile_flags), program.suite_words(program.link_flags)
    words = ["g++", "-g", *flags, "-x", "c", source, "-x", "none", *sources, *libraries]
    return (shlex.join([*words, "-lstdc++", "-lm", "-o", source[:-2]]), f"./{source[:-2]}")


def render(program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()) -> str:
    """The suite's text. `branches`, if given, lets the comments say what each test covers.

    Tests with an outcome that is a bug form the group that runs only on `--bug`. The witness of a bug has its id as
    number there; other paths that reach one have no number, only a name.
    """
    found = cases(program, tests, bugs, branches)
    written = [case for case in found if not case.why_not]
    values = {
        "entry": program.entry,
        "commands": commands(program),
        "watched_commands": watched_commands(program),
        "file": file_name(program),
        "made_by": made_by(program),
        "contract_lines": contract_lines(program),
        "bug_lines": [comment(f"bug {bug.id}: {where(bug)}{bug.message}") for bug in bugs],
        "support": support(program, tests),
        "bodies": compiled("bodies.c").render(
            bodies=[case.definition(expectations.plain, f"static void {case.function}(void)") for case in found]
        ),
        "runner": compiled("tables.c").render(
            tests=[_row(case) for case in written if not case.is_bug],
            bugs=[_row(case) for case in written if case.is_bug],
            aside=has_main(program),
        ),
    }
    included = header().included(program, tests)
    return with_include(program, file_name(program), compiled("suite.c"), values, included, ahead(program, tests))


def ahead(program: Program, tests: Sequence[Test]) -> str:
    """What stands ahead of the unit: by which names it calls what may fail, and what frees."""
    return failures.head(program) + frees.head(program, tests)


def header() -> Header:
    """The header that plain suites share."""
    return Header("", compiled("runner.c").render(seconds=SECONDS_PER_TEST), compares=True)


def beside(program: Program) -> dict[str, bytes]:
    """The files that a suite needs in its folder: the header, and what the unit brings along."""
    return {NAME: header().text.encode()} | carried(program) | watched.beside(program, file_name(program))


def carried(program: Program) -> dict[str, bytes]:
    """The files that the unit brings along, in words that the host's compiler reads."""
    return {each.name: each.text.encode(errors="surrogateescape") for each in program.carried}


def made_by(program: Program) -> str:
    """The command that makes the suite again, as a line of a comment; "" where none does."""
    line = shlex.join(("veer", "test", *program.command)) if program.command else ""
    return line if comment(line) == line else ""


def contract_lines(program: Program) -> list[str]:
    """What the tests are for, where the code says it, and what they assume of arguments, as lines of a comment."""
    required = [f"Requirements: {', '.join(program.required)}."] if program.required else []
    return [comment(line) for line in (*required, *(f"Assumed: {words}." for words in program.contracts))]


def with_include(
    program: Program,
    file: str,
    suite: Template,
    values: Mapping[str, object],
    header: tuple[str, str],
    first: str = "",
) -> str:
    """The text of a suite: the unit in the place of `includes`, without macros that the rest would stumble over.

    `header`: the lines that include the shared header, and the text that they bring; `first`: ahead of the unit.
    """
    lines, brought = header
    rest = suite.render(values, includes="", header="")
    unit = first + watched.around(program, file, includes(program)) + taken_back(program, rest + brought)
    return suite.render(values, includes=unit, header=lines)


class Row(Struct, frozen=True):
    """A row of the runner's table."""

    number: int
    name: str
    function: str
    expected: str
    exit_code: int
    note: str
    printed: str  # a literal, or NULL
    printed_size: int


def _row(case: Case) -> Row:
    expected = "VEER_FAILS" if case.is_bug else "VEER_RETURNS" if case.exit_code is None else "VEER_EXITS"
    note, printed = string(case.note.encode()), case.printed
    literal, size = ("NULL", 0) if printed is None else (string(printed), len(printed))
    return Row(case.number, case.name, case.function, expected, case.exit_code or 0, note, literal, size)


def support(program: Program, tests: Sequence[Test]) -> str:
    """What takes the place of a harness interface and of undefined functions."""
    made = shim(program) + stub_definitions(program, tests) + callback_definitions(program, tests)
    return f"\n{made}" if made else ""


def includes(program: Program) -> str:
    """The #include of the entry's source, whose main, if it has one, keeps aside."""
    if program.declarations:
        return program.declarations
    included = program.include or (program.sources[0] if program.sources else Path())
    line = f"#include {string(program.suite_path(included).encode())}"
    if not includes_main(program):
        return line
    return _MAIN_ASIDE + line


def includes_main(program: Program) -> bool:
    """Whether the included source itself defines a main."""
    function = program.function("main")
    included = program.include or (program.sources[0] if program.sources else Path())
    return program.entry == "main" or (function is not None and Path(function.file).resolve() == included.resolve())


def has_main(program: Program) -> bool:
    """Whether any of the sources defines a main."""
    return program.entry == "main" or program.function("main") is not None
