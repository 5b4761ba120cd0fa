"""What a unit asks of the machine stands among the bounds of its claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.c.library_facts import FACTS, known
from veer.model.program import Function, HarnessKind, Program
from veer.model.values import replace
from veer.python.api import test as run_veer
from veer.search.environment import environment_bounds


def program(functions: dict[str, tuple[str, ...]], heeds: tuple[str, ...] = ()) -> Program:
    """Functions with their callees; the first is the entry, which uses the results of those that it `heeds`."""
    made = tuple(
        Function(name, "a.c", 1, (), -1, False, calls=calls, heeds=heeds if not at else ())
        for at, (name, calls) in enumerate(functions.items())
    )
    return Program(made[0].name, HarnessKind.FUNCTION, (), Path("x"), made, (), (), external=known(FACTS))


@pytest.mark.parametrize(
    ("functions", "bounds"),
    [
        ({"entry": ("strlen", "helper"), "helper": ()}, ()),
        (
            {"entry": ("helper",), "helper": ("time", "fopen64")},
            ("the environment as it was (time)", "no files but the run's own (fopen)"),
        ),
        ({"entry": ("malloc", "free", "strdup")}, ("every allocation succeeds (malloc, strdup)",)),
        ({"entry": (), "never_called": ("getenv",)}, ()),
        ({"entry": ("access",), "access": ()}, ()),  # the unit's own, of the same name
    ],
)
def test_the_bound_names_what_the_entry_may_ask(functions: dict[str, tuple[str, ...]], bounds: tuple[str, ...]) -> None:
    assert environment_bounds(program(functions)) == bounds


def test_allocations_that_may_fail_are_no_bound() -> None:
    whole = replace(program({"entry": ("malloc", "calloc")}), failing=("malloc",))
    assert environment_bounds(whole) == ("every allocation succeeds (calloc)",)


def test_what_never_fails_is_a_bound_where_somebody_looks() -> None:
    calls = ("fopen", "puts", "fclose", "fseek", "write")
    assert environment_bounds(program({"entry": calls})) == ("no files but the run's own (fopen)",)
    assert environment_bounds(program({"entry": calls}, heeds=calls)) == (
        "calls that the machine may refuse succeed (fclose, puts, write)",
        "no files but the run's own (fopen, fseek)",
    )
    assert environment_bounds(program({"entry": ("lseek",)}, heeds=("lseek",))) == (
        "standard input and output are regular files (lseek)",
    )
    failing = replace(program({"entry": calls}, heeds=("write", "puts")), failing=("write", "fopen"))
    assert environment_bounds(failing)[0] == "calls that the machine may refuse succeed (puts)"


def test_the_bound_names_what_was_not_instrumented() -> None:
    whole = replace(program({"entry": ("level",), "level": ()}), uninstrumented=("level", "not_called"))
    assert environment_bounds(whole) == ("uninstrumented functions as they ran (level)",)


def test_data_of_the_library_may_have_been_set_before(tmp_path: Path) -> None:
    source = tmp_path / "before.c"
    source.write_text(
        "#include <errno.h>\nextern char **environ;\n"
        "int set(void) { return environ[0] ? 1 : 0; }\n"
        "int failed(int x) { return errno == x; }\n"
        "int own(int x) { errno = x; return errno == 3; }\n"
    )
    assert run_veer(source, "set").ending.within == ("data of the library as at the start of a program (environ)",)
    assert run_veer(source, "failed").ending.within == ("data of the library as at the start of a program (errno)",)
    assert run_veer(source, "own").ending.within == ()


def test_a_missing_file_bounds_the_claim(tmp_path: Path) -> None:
    source = tmp_path / "settings.c"
    source.write_text(
        "#include <stdio.h>\n"
        "int configured(int x) {\n"
        '    FILE *file = fopen("/nowhere/settings", "r");\n'
        "    if (file == NULL) return x > 0;\n"
        "    fclose(file);\n"
        "    return 2;\n"
        "}\n"
    )
    ending = run_veer(source, "configured", input_files=0).ending
    assert ending.claim == "paths"
    assert ending.within == ("no files but the run's own (fopen)",)
    ending = run_veer(source, "configured", file_size=3).ending
    assert ending.claim == "paths"
    assert ending.within == (
        "file-size 3",
        "each file is missing, or a regular one that may be read and written (fopen)",
    )
