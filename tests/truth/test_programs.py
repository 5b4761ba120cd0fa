"""Whole programs: how many arguments there are is an input, and an argument that nobody reads is there all the same."""

from __future__ import annotations

from pathlib import Path

from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\\n", argv[0]);
        return 2;
    }
    if (argc > 2 && strcmp(argv[2], "-x") == 0)
        return 3;
    if (argv[argc] != NULL)
        return 9;
    return argv[1][0] == 'a' ? 4 : 5;
}
"""


def test_argc_is_an_input_and_unread_arguments_are_there(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    result = explore(BuildOptions(sources=(source,), entry="main"), SearchOptions(criterion="path", budget=30.0))
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    returned = [int.from_bytes(test.returned or b"", "little") for test in result.tests]
    assert set(returned) == {2, 3, 4, 5}
    sides = {(branch.text, branch.side) for branch in result.branches if branch.state != "covered"}
    assert sides == {("argv[argc] != NULL", "true")}


def test_arguments_are_no_aliases_of_each_other(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "int main(int argc, char **argv) { if (argc < 3) return 0; if (argv[1] == argv[2]) return 1;"
        " argv[1][0] = 'x'; return argv[2][0] == 'x' ? 2 : 3; }"
    )
    result = explore(BuildOptions(sources=(source,), entry="main"), SearchOptions(criterion="path", budget=30.0))
    assert {test.replayed for test in result.tests} == {"same"}
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {0, 2, 3}


def test_a_program_without_arguments_is_called_with_its_name(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stdio.h>\nint main(int argc, char **argv)"
        " { if (argc == 1) { int c = getchar(); return c == 'x' ? 3 : 4; } return 5; }"
    )
    result = explore(BuildOptions((source,), "main", argc=1), SearchOptions(criterion="path", budget=30.0))
    assert {test.replayed for test in result.tests} == {"same"}
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {3, 4}
    assert {branch.text for branch in result.branches if branch.state == "covered"} == {"argc == 1", "c == 'x'"}
