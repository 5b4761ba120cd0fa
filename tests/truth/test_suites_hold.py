"""The suite that a user gets holds with gcc and with clang, at -O0 and at -O2, and its bugs still show.

retvoid.c         old C: a main whose `return;` gives no value, so nothing is expected of it
pure.c            functions whose results nobody would need: a compiler may drop such a call
pure_sequence.c   such a call at the end of a sequence
two_interfaces.c  functions that take arguments beside functions that use a harness interface
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from suite_builds import build_suite, zig_command

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.suite.c import plain
from veer.toolchain.runtime import INCLUDE

CASES = Path(__file__).parent / "cases"
OLD_C = ("-Wno-error=implicit-int", "-Wno-error=return-mismatch")  # of clang, which takes them for errors else
COMPILERS = {"clang": (*zig_command(), *OLD_C)} | ({"gcc": ("gcc",)} if shutil.which("gcc") else {})


def explored(file: str, entry: str, sequence: str = "") -> Result:
    build = BuildOptions((CASES / file,), entry, sequence=sequence)
    return campaign.run(build, SearchOptions(criterion="path", budget=30.0))


def runs(result: Result, folder: Path, compiler: str, level: str) -> tuple[bool, list[int]]:
    """Whether the tests pass, and how the process of each bug ends."""
    name = plain.file_name(result.program)
    text = plain.render(result.program, result.tests, result.bugs, result.branches)
    command = (*COMPILERS[compiler], level, "-idirafter", str(INCLUDE))
    built = build_suite(folder, name, text, command)
    listed = [shlex.split(line) for line in built.run("--list").stdout.splitlines()]
    bugs = [built.run(*words[:2]).returncode for words in listed if words[0] == "--bug"]
    return built.run().returncode == 0, bugs


AT_AN_ADDRESS = """
#include <stddef.h>
int below(const char *place, size_t end)    /* the end of a buffer is a number, for its start is NULL */
{
    if (!place || end < 0x21000000 || end > 0x60000000) return 0;
    return (size_t)place < end ? 1 : 2;
}
"""


def test_no_suite_has_a_test_that_holds_at_the_campaigns_addresses_alone(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(AT_AN_ADDRESS)
    result = campaign.run(BuildOptions((source,), "below"), SearchOptions(criterion="path", budget=5.0, max_runs=300))
    assert any(test.replayed.startswith("differs: as a test of the suite") for test in result.tests)
    assert all(runs(result, tmp_path, compiler, "-O0")[0] for compiler in COMPILERS)


@pytest.mark.parametrize(
    ("file", "entry", "bugs"),
    [
        ("retvoid.c", "main", 0),
        ("pure.c", "first", 1),
        ("pure.c", "quotient", 2),
        ("pure.c", "next", 1),
        ("pure.c", "swapped", 1),
        ("two_interfaces.c", "plain", 0),
        ("two_interfaces.c", "own", 0),
        ("two_interfaces.c", "both", 0),
    ],
)
def test_tests_pass_and_bugs_crash_with_each_compiler(file: str, entry: str, bugs: int, tmp_path: Path) -> None:
    result = explored(file, entry)
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests if not test.outcome.is_bug} == {"same"}
    assert not [note for note in result.program.notes if "compile" in note]
    for compiler in COMPILERS:
        for level in ("-O0", "-O2"):
            passed, ended = runs(result, tmp_path, compiler, level)
            assert passed, (compiler, level)
            assert len(ended) == bugs
            assert all(code < 0 for code in ended), (compiler, level, ended)


def test_the_last_call_of_a_sequence_is_made_with_each_compiler(tmp_path: Path) -> None:
    result = explored("pure_sequence.c", "sequence", "box_new,box_length")
    assert len(result.bugs) == 1
    for compiler in COMPILERS:
        for level in ("-O0", "-O2"):
            _, ended = runs(result, tmp_path, compiler, level)
            assert len(ended) == 1 and ended[0] < 0, (compiler, level, ended)


def test_what_an_interface_hands_over_is_told_from_an_argument_of_its_name() -> None:
    result = explored("two_interfaces.c", "both")
    returned = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert returned == {0, 1, 2}


def test_the_main_of_another_source_is_not_the_suites(tmp_path: Path) -> None:
    """What the note says of the suite is the last look at it: it was compiled with the commands that a user gets."""
    unit, program = tmp_path / "unit.c", tmp_path / "program.c"
    unit.write_text("int level(int);\nint f(int x) { return level(x) > 3; }\n")
    program.write_text("int level(int x) { return x & 7; }\nint main(void) { return level(2); }\n")
    result = campaign.run(BuildOptions((unit, program), "f"), SearchOptions(budget=30.0))
    assert not [note for note in result.program.notes if "suite" in note], result.program.notes
    assert result.tests and all(test.replayed == "same" for test in result.tests)
    compiler = next(iter(COMPILERS.values()))
    text = plain.render(result.program, result.tests, result.bugs, result.branches)
    built = build_suite(tmp_path, "test_f.c", text, (*compiler, "-Dmain=veer_user_main", str(program)))
    assert built.run().returncode == 0
