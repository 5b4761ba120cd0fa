"""Arrays of integers are set and compared as a whole: of each kind, with each framework, and a wrong element fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from suite_builds import compiler_command

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = r"""
#include <stdbool.h>
#include <stdint.h>
enum color { RED, GREEN = 5 };
struct all {
    uint8_t key[5];
    int grid[2][4];
    enum color colors[4];
    bool flags[4];
    volatile short moving[4];
    float ratios[4];
    const long fixed[4];
    signed char three[3];
    union { uint16_t words[4]; uint32_t numbers[2]; } either;
};
uint8_t table[6] = {9, 8, 7, 6, 5, 4};
int turn(struct all *a, int n)
{
    if (!a || a->key[4] != 77) return -1;
    a->grid[1][2] = a->grid[0][3];
    a->colors[3] = GREEN;
    a->flags[0] = !a->flags[0];
    a->moving[1] = (short)(a->moving[0] ^ 1);
    a->ratios[2] = 1.5f;
    a->either.words[1] = 3;
    a->three[2] = 1;
    if (n > 3) for (int i = 0; i < 5; i++) table[i] = (uint8_t)i;
    return (int)(a->fixed[1] & 1);
}
"""


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of the unit, and what its campaign found."""
    source = tmp_path_factory.mktemp("rows") / "unit.c"
    source.write_text(UNIT)
    return source, campaign.run(BuildOptions(sources=(source,), entry="turn"), SearchOptions(budget=10.0))


def ran(folder: Path, result: Result) -> subprocess.CompletedProcess[str]:
    """Builds and runs the plain suite."""
    for file, data in plugins.find("veer.suites", "plain").files(result).items():
        (folder / file).write_bytes(data)
    built = (*compiler_command(), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "test_turn.c", "-lm", "-o", "t")
    done = subprocess.run(built, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return subprocess.run((folder / "t",), capture_output=True, text=True, timeout=60)


@pytest.mark.slow
def test_the_suite_passes_and_writes_arrays_as_a_whole(explored: tuple[Path, Result], tmp_path: Path) -> None:
    _, result = explored
    done = ran(tmp_path, result)
    assert done.returncode == 0 and "not ok" not in done.stdout, done.stdout
    text = (tmp_path / "test_turn.c").read_text()
    for name in ("a->key", "a->grid[1]", "a->moving"):
        assert f"veer_set({name}, " in text
    assert 'veer_expect_bytes("a->key", a->key, ((const uint8_t[]){' in text
    assert 'veer_expect_double("a->ratios[2]"' in text and "a->three[2] = " in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("a->grid[1][2] = a->grid[0][3];", "a->grid[1][3] = a->grid[0][3];", "a->grid[1]"),
        ("a->colors[3] = GREEN;", "a->colors[3] = RED;", "a->colors"),
        ("(a->moving[0] ^ 1)", "(a->moving[0] ^ 2)", "a->moving"),
        ("i < 5; i++) table", "i < 4; i++) table", "table"),
    ],
)
def test_a_wrong_element_fails(
    explored: tuple[Path, Result], tmp_path: Path, before: str, after: str, told: str
) -> None:
    source, result = explored
    try:
        source.write_text(UNIT.replace(before, after))
        assert source.read_text() != UNIT
        done = ran(tmp_path, result)
    finally:
        source.write_text(UNIT)
    assert done.returncode != 0
    assert any(told in line for line in done.stdout.splitlines() if line.startswith("# ")), done.stdout
