"""Parameters that are open files, by what the functions do that they are passed on to."""

from __future__ import annotations

from pathlib import Path

from front_fixtures import module_of

from veer.frontends.c.contracts.openfiles import OpenFile, OpenFiles
from veer.frontends.c.contracts.reading import Knowledge

HEADER = "#include <unistd.h>\n"


def opened(folder: Path, text: str, name: str = "f") -> dict[str, OpenFile]:
    module = module_of(folder, HEADER + text)
    function = module.function(name)
    assert function is not None
    return dict(OpenFiles(Knowledge(module)).of(function))


def test_a_descriptor_goes_to_calls_alone(tmp_path: Path) -> None:
    assert opened(tmp_path, "int f(int fd) { char c; return read(fd, &c, 1); }") == {"fd": OpenFile(may_be_none=False)}
    assert opened(tmp_path, "int f(int fd) { return fd < 0 ? -1 : close(fd); }") == {"fd": OpenFile(may_be_none=True)}
    assert opened(tmp_path, "int f(int n) { return close(n) + n; }") == {}
    assert opened(tmp_path, "int f(int n) { return n == 7; }") == {}


def test_what_callees_do_counts(tmp_path: Path) -> None:
    inner = "static int g(int d) { if (d == -1) return 0; return close(d); }"
    assert opened(tmp_path, f"{inner} int f(int fd) {{ return g(fd); }}") == {"fd": OpenFile(may_be_none=True)}
    assert opened(tmp_path, "int g(int); int f(int fd) { return g(fd) + close(fd); }") == {}
    odd = "static int g(int d) { return d * 2; } int f(int fd) { return g(fd) + close(fd); }"
    assert opened(tmp_path, odd) == {}


def test_functions_that_call_each_other(tmp_path: Path) -> None:
    text = "static int g(int d, int n); int f(int d, int n) { return n ? g(d, n - 1) : 0; }"
    text += " static int g(int d, int n) { return n ? f(d, n) : close(d); }"
    assert opened(tmp_path, text) == {"d": OpenFile(may_be_none=False)}


def test_many_ways_to_one_function_are_one(tmp_path: Path) -> None:
    """Two calls in each of 60 functions: 2 to the 60 ways lead to the last one."""
    text = "static int g60(int d) { return close(d); }\n"
    for k in reversed(range(60)):
        text += f"static int g{k}(int d) {{ return g{k + 1}(d) + g{k + 1}(d); }}\n"
    assert opened(tmp_path, text + "int f(int fd) { return g0(fd); }") == {"fd": OpenFile(may_be_none=False)}
