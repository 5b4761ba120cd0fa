"""Functions of a project with a name of the C library's: stubs, unless they are declared as the library has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions


def explored(folder: Path, declared: str, body: str) -> Result:
    (folder / "own.h").write_text(declared + "\n")
    source = folder / "unit.c"
    source.write_text(f'#include <string.h>\n#include "own.h"\nint f(int x)\n{{ {body} }}\n')
    return campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=20))


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests if test.returned}


@pytest.mark.parametrize(
    ("name", "declared", "body"),
    [
        ("error", "_Noreturn void error(char *format, ...);", 'if (x == 7) error("bad %d", x); return x > 100;'),
        ("warn", "void warn(int level, char *what);", 'if (x == 7) warn(3, "seven"); return x > 100;'),
        ("log", "void log(const char *format, ...);", 'if (x == 7) log("%d", x); return x > 100;'),
        ("y1", "int y1(const char *text, int n);", 'return y1("text", x) == 77;'),
    ],
)
def test_a_function_of_the_projects_gets_a_stub(name: str, declared: str, body: str, tmp_path: Path) -> None:
    found = explored(tmp_path, declared, body)
    assert name in found.program.stubs
    assert found.ending.claim == "paths" and not found.bugs
    assert all(not test.replayed.startswith("differs") for test in found.tests)


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        ("void warn(const char *format, ...);", 'if (x == 7) warn("seven"); return x > 100;'),
        ("void srandom(unsigned);", "if (x == 7) srandom(1); return x > 100;"),
        ("int getpagesize();", "return x == 7 ? getpagesize() > 0 : 3;"),
    ],
)
def test_a_function_of_the_library_by_hand_is_the_librarys(declared: str, body: str, tmp_path: Path) -> None:
    found = explored(tmp_path, declared, body)
    assert not found.program.stubs
    assert returned(found) <= {0, 1, 3} and not found.bugs
