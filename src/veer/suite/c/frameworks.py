"""Suites for Unity, CMocka, Check and GoogleTest, and their CMakeLists.txt, which builds in an empty folder.

    test_f.c          the unit, one function of the framework per test, a runner
    veer_support.h    what all suites of the format share
    errors_f.c        the same for the inputs that show bugs: its tests fail until the bugs are mended
    test_f.cmake      both as targets; CTest runs the first, and the second with -DVEER_BUGS=ON
    CMakeLists.txt    takes the targets of all suites in the folder

Each test runs in a process of its own (Check and GoogleTest's death tests bring that), as each was recorded in fresh
memory; so a test that crashes or exits harms no other. GoogleTest is C++, which cannot include C: its tests call
functions of test_f.c.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence

from msgspec import Struct

from veer.model.program import USER_MAIN, Program
from veer.model.result import Result
from veer.suite.c import expectations, watched
from veer.suite.c.cases import Case, cases
from veer.suite.c.dialects import DIALECTS
from veer.suite.c.header import NAME, SECONDS_PER_TEST, Header
from veer.suite.c.naming import words
from veer.suite.c.plain import (
    ahead,
    beside,
    carried,
    contract_lines,
    file_name,
    has_main,
    made_by,
    render,
    support,
    with_include,
)
from veer.suite.c.template_files import compiled, template

_HERE = "${CMAKE_CURRENT_SOURCE_DIR}/"  # CMake compiles in a folder of its own


class Framework(Struct, frozen=True):
    """`title`: its name; `head`: what a test function starts with, `{}` its name; `tail`: what follows it."""

    name: str
    title: str
    head: str
    tail: str = ""
    first: str = ""  # the first statement of each body
    last: str = ""  # the last one
    own: str = "cases.c"  # the template of what runs the tests of one suite
    shared: tuple[str, ...] = ()  # of what all suites of the format share for that


FRAMEWORKS = {
    framework.name: framework
    for framework in (
        Framework("unity", "Unity", "static void {}(void)", shared=("apart.c", "unity.c")),
        Framework(
            "cmocka",
            "CMocka",
            "static void {}(void **state)",
            first="(void)state;",
            shared=("apart.c", "cmocka.c"),
        ),
        Framework("check", "Check", "START_TEST({})", tail="\nEND_TEST", own="check.c"),
        Framework("gtest", "GoogleTest", "int {}(void)", last="return veer_failures;", own="", shared=("gtest.c",)),
    )
}


def framework_suite(result: Result, framework: Framework) -> dict[str, bytes]:
    """The files of a suite by name."""
    program = result.program
    found = cases(program, result.tests, result.bugs, result.branches)
    stem = file_name(program).removeprefix("test_").removesuffix(".c")
    groups = {
        f"test_{stem}": [case for case in found if not case.is_bug],
        f"errors_{stem}": [case for case in found if case.is_bug and case.number],  # one test a bug
    }
    files: dict[str, bytes] = {}
    for name, group in groups.items():
        if any(not case.why_not for case in group) or name.startswith("test_"):
            files |= {file: text.encode() for file, text in _group(result, framework, name, group).items()}
    suites = tuple(file for file in files if file.endswith(".c"))
    files |= _cmake(program, framework.name, stem, files)
    files |= watched.beside(program, *suites)
    return files | {NAME: _header(framework).text.encode()} | carried(program)


def _header(framework: Framework) -> Header:
    """The header that the suites of this framework share."""
    values = {"title": framework.title, "seconds": SECONDS_PER_TEST}
    runner = "".join(compiled(name).render(values) for name in framework.shared)
    return Header(template(f"{framework.name}_headers.c"), runner, compares=framework.name == "gtest")


def plain_suite(result: Result) -> dict[str, bytes]:
    """The plain suite with what CMake builds it by."""
    program = result.program
    name = file_name(program)
    files = {name: render(program, result.tests, result.bugs, result.branches).encode()}
    files |= _cmake(program, "plain", name.removeprefix("test_").removesuffix(".c"), files)
    return files | beside(program)


def _group(result: Result, framework: Framework, name: str, group: Sequence[Case]) -> dict[str, str]:
    """The C file of one group of tests, and for GoogleTest the C++ file that calls it."""
    program = result.program
    written = [case for case in group if not case.why_not]
    values = {
        "title": framework.title,
        "entry": program.entry,
        "suite": words(program.entry) or "suite",
        "file": name,
        "is_errors": name.startswith("errors_"),
        "contract_lines": contract_lines(program),
        "made_by": made_by(program),
        "tests": written,
        "short": {case.function: _short_name(program, case) for case in written},
        "seconds": SECONDS_PER_TEST,
        "aside": has_main(program),
        "defines": {function.name for function in program.functions},
    }
    whole = values | {
        "support": support(program, result.tests),
        "bodies": compiled("bodies.c").render(bodies=[_body(framework, case) for case in group]),
        "runner": compiled(framework.own).render(values) if framework.own else "",
    }
    included = _header(framework).included(program, result.tests)
    first = ahead(program, result.tests)
    text = with_include(program, f"{name}.c", compiled("framework.c"), whole, included, first)
    files = {f"{name}.c": text}
    if framework.name == "gtest":
        files[f"{name}_gtest.cpp"] = compiled("gtest.cpp").render(values)
    return files


def _body(framework: Framework, case: Case) -> str:
    dialect = DIALECTS.get(framework.name, expectations.plain)
    text = case.definition(dialect, framework.head.format(case.function), (framework.first, framework.last))
    return text if case.why_not else text + framework.tail


def _short_name(program: Program, case: Case) -> str:
    """The name within the suite that the entry names: `returns_0_when_x_is_3`."""
    for head in (f"test_{words(program.entry)}_", f"bug_{words(program.entry)}_"):
        if case.function.startswith(head):
            return case.function[len(head) :]
    return case.function


def _cmake(program: Program, framework: str, stem: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """What CMake builds a suite by: CMakeLists.txt is the same for all suites of a framework."""
    others = [path for path in program.sources if path != program.include]
    flags = program.suite_words(program.compile_flags, _HERE)
    if has_main(program) and others:
        flags.append(f"-Dmain={USER_MAIN}")
    if not any(flag.startswith("-std=") for flag in flags):
        flags.insert(0, "-std=gnu11")
    targets = sorted((file.removesuffix(".c") for file in files if file.endswith(".c")), reverse=True)
    own = compiled("suite.cmake").render(
        framework=framework,
        targets=targets,
        is_watched=watched.is_woven(program),
        flags=_argument("".join(f" {_quoted(flag)}" for flag in flags)),
        sources=[_bracketed(program.suite_path(other)) for other in others],
        libraries=[_argument(word) for word in (*program.suite_words(program.link_flags, _HERE), "m")],
    )
    whole = compiled("CMakeLists.txt").render(framework=framework)
    return {"CMakeLists.txt": whole.encode(), f"test_{stem}.cmake": own.encode()}


def _quoted(word: str) -> str:
    """As a shell takes it: a path from this folder on in quotes, for where the folder is may have blanks."""
    return f'"{word}"' if _HERE in word else shlex.quote(word)


def _argument(text: str) -> str:
    """An argument of CMake: a bracket argument, but where it has paths from this folder on."""
    if _HERE not in text:
        return _bracketed(text)
    return '"' + _HERE.join(re.sub(r'(["$;\\\\])', r"\\\1", part) for part in text.split(_HERE)) + '"'


def _bracketed(text: str) -> str:
    """A bracket argument of CMake: nothing in it means anything."""
    marks = "="
    while f"]{marks}]" in text:
        marks += "="
    return f"[{marks}[{text}]{marks}]"


SUITES: dict[str, Callable[[Result], dict[str, bytes]]] = {"plain": plain_suite}
"""The suites by the name of their format, as functions from a result to files."""


def _suite(framework: Framework) -> Callable[[Result], dict[str, bytes]]:
    return lambda result: framework_suite(result, framework)


SUITES |= {name: _suite(framework) for name, framework in FRAMEWORKS.items()}
