"""What suites share is one file, the same bytes for all units: it compiles without a warning, whatever a suite uses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from suite_builds import printed, zig_command

from veer.cli.app import main
from veer.suite.c import plain
from veer.suite.c.header import NAME

STRICT = ("-Wall", "-Wextra", "-Werror")
COMPILERS: dict[str, Callable[[], tuple[str, ...]]] = {"gcc": lambda: ("gcc",), "clang": zig_command}
"""By name; clang is zig's."""
TEXTS = """
int reads(const char *text, int limit)
{
    if (text[0] == 0) return -1;
    return text[0] == 'k' && limit > 3 ? limit : 0;
}
"""
SENSOR = """
#define bytes 8
int read_sensor(int channel);
int dup(int value) { return value > 4 ? 1 : 2; }
int polls(int channel)
{
    int value = read_sensor(channel);
    if (value < 0) return -1;
    return value > 100 ? dup(value) : bytes;
}
"""


def compiler(name: str) -> tuple[str, ...]:
    if name == "gcc" and shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    return COMPILERS[name]()


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two units and, in a folder `tests`, the suites of both, as one would commit them; moved since."""
    before, after = tmp_path_factory.mktemp("here") / "project", tmp_path_factory.mktemp("there") / "the project"
    (before / "tests").mkdir(parents=True)
    (before / "veer.toml").write_text("")
    headers = []
    for entry, text in (("reads", TEXTS), ("polls", SENSOR)):
        (before / f"{entry}.c").write_text(text)
        out = before / "out"
        assert main(["test", str(before / f"{entry}.c"), "--entry", entry, "--quiet", "--out", str(out)]) in (0, 1)
        assert main(["export", str(out), "--format", "plain", "--to", str(before / "tests")]) == 0
        headers.append((before / "tests" / NAME).read_bytes())
    assert headers[0] == headers[1]
    shutil.move(before, after)
    return after / "tests"


@pytest.mark.parametrize("name", COMPILERS)
def test_two_units_in_one_folder(suites: Path, name: str) -> None:
    command = compiler(name)
    for entry in ("reads", "polls"):
        printed([*command, "-std=gnu11", *STRICT, f"test_{entry}.c", "-lm", "-o", f"{entry}_{name}"], suites)
        ran = printed([f"./{entry}_{name}"], suites)
        assert "not ok" not in ran and "ok 1" in ran


def test_a_suite_is_its_tests(suites: Path) -> None:
    """No code that another suite has, too, stands in one but that of its own table and main."""
    one, other = ((suites / f"test_{entry}.c").read_text() for entry in ("reads", "polls"))
    functions = [set(re.findall(r"^[\w *]+?(\w+)\([^;]*\)\n\{", text, re.MULTILINE)) for text in (one, other)]
    assert functions[0] & functions[1] == {"main"}
    assert "#define VEER_MOCKS" in other and "VEER_MOCKS" not in one
    assert "#define VEER_HIDES_dup" not in one


@pytest.mark.parametrize("name", COMPILERS)
def test_formats_are_inputs(tmp_path: Path, name: str) -> None:
    text = """
    #include <stdio.h>
    __attribute__((format(printf, 1, 2))) int says(const char *format, ...) { return format[0] == 'x'; }
    """
    (tmp_path / "says.c").write_text(text)
    assert main(["test", str(tmp_path / "says.c"), "--entry", "says", "--quiet", "--out", str(tmp_path / "out")]) == 0
    command = [*compiler(name), "-std=gnu11", *STRICT, "-Wformat-security", "test_says.c", "-o", "says"]
    printed(command, tmp_path / "out" / "suite")


def test_address_sanitizer_lets_a_block_be_too_large(suites: Path) -> None:
    """A test of what happens where malloc has no more is none of a sanitizer."""
    text = """
    #include <stdlib.h>
    #include "veer_support.h"
    int main(void) { return malloc((size_t)-1 >> veer_failures + 1) != NULL; }
    """
    (suites / "large.c").write_text(text)
    printed([*compiler("gcc"), "-w", "-fsanitize=address", "large.c", "-o", "large"], suites)
    assert printed(["./large"], suites) == ""  # exit code 0: malloc gave NULL


@pytest.mark.parametrize("name", COMPILERS)
def test_each_part_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    command, text = compiler(name), plain.header().text
    (tmp_path / NAME).write_text(text)
    parts = re.findall(r"^#ifdef (VEER_\w+)$", text, re.MULTILINE)
    assert len(parts) >= 10
    tables = "static const unsigned long veer_regions[] = { 1, 2 }, veer_computed_ranges[] = { 0, 0 };\n"
    rows = 'static const struct veer_case none[] = { { 0, NULL, NULL, NULL, VEER_RETURNS, 0, "", NULL, 0 } };\n'
    rest = (
        f'#include "{NAME}"\n{rows}int main(int argc, char **argv) {{ return veer_suite(argc, argv, none, none); }}\n'
    )
    kinds = [each for each in parts if each.endswith("_FAILURES") and each != "VEER_FAILURES"]
    wanted = [[], parts, *(["VEER_INPUTS", each] for each in parts if each not in ("VEER_FAILURES", *kinds))]
    wanted += [["VEER_INPUTS", "VEER_FAILURES", each] for each in kinds]  # these go together
    for number, macros in enumerate(wanted):
        file = tmp_path / f"with_{number}.c"
        file.write_text("".join(f"#define {each}\n" for each in macros) + tables * ("VEER_REGISTERS" in macros) + rest)
        printed([*command, "-std=gnu11", *STRICT, "-c", file.name, "-o", "with.o"], tmp_path)
