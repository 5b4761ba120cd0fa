"""Options that would change nothing are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.requests import build_options, search_options
from veer.frontends.c.analysis import compile_modules
from veer.frontends.c.ineffective_options import idle_files, idle_sizes, require_uninstrumented
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind
from veer.toolchain import compiler

SOURCE = """
#include <string.h>
static int forgotten(int a) { return a; }
int helper(int a);
int unit(const char *s, int a) { char t[4]; memcpy(t, s, 4); return helper(a) + t[0] + (int)strlen(s); }
"""


def test_an_uninstrumented_function_is_defined_or_called(tmp_path: Path) -> None:
    source, toolchain = tmp_path / "unit.c", compiler.find(None)
    source.write_text(SOURCE)

    def ask(*names: str) -> None:
        options = BuildOptions((source,), "unit", uninstrumented=names)
        require_uninstrumented(compile_modules(options, toolchain), options, toolchain)

    ask("unit", "helper", "strlen", "forgotten", "memcpy")
    with pytest.raises(UsageError, match=r"--uninstrumented helpr: .* did you mean helper\?"):
        ask("unit", "helpr")
    with pytest.raises(UsageError, match=r"`veer list unit.c` shows the functions"):
        ask("qqqqqqqq")


def test_sizes_of_inputs_that_there_are_not_are_said() -> None:
    usual = BuildOptions((Path("a.c"),), "a")
    sized = BuildOptions((Path("a.c"),), "a", stdin_size=4, argv_size=3)
    for kind in HarnessKind:
        assert list(idle_sizes(usual, kind, takes_arguments=False, reads_input=False)) == []
        is_program = kind is HarnessKind.PROGRAM
        said = list(idle_sizes(sized, kind, takes_arguments=is_program, reads_input=is_program))
        assert len(said) == (0 if is_program else 2)
    (said_,) = idle_sizes(sized, HarnessKind.FUNCTION, takes_arguments=True, reads_input=False)
    assert "it does not read standard input" in said_
    (said_,) = idle_sizes(sized, HarnessKind.PROGRAM, takes_arguments=False, reads_input=True)
    assert "main has no parameters" in said_


def test_sizes_of_files_that_nobody_asks_for_are_said() -> None:
    assert list(idle_files(BuildOptions((Path("a.c"),), "a"))) == []
    assert list(idle_files(BuildOptions((Path("a.c"),), "a", input_files=0, file_size=3))) == []
    (said,) = idle_files(BuildOptions((Path("a.c"),), "a", file_size=3))
    assert said == "--file-size changes nothing: a asks for no file"


def test_max_calls_wants_a_sequence() -> None:
    assert build_options((Path("a.c"),), "a", {"max_calls": 3, "sequence": "a*"}).max_calls == 3
    with pytest.raises(UsageError, match="--max-calls bounds the calls of --sequence"):
        build_options((Path("a.c"),), "a", {"max_calls": 3})


@pytest.mark.parametrize("criterion", ["mcdc", "path"])
def test_look_ahead_is_about_branches(criterion: str) -> None:
    assert search_options({"look_ahead": True}).look_ahead
    with pytest.raises(UsageError, match=f"--criterion {criterion} may need them"):
        search_options({"look_ahead": True, "criterion": criterion})
