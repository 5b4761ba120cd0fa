"""Standard output is a part of what a test expects; macros of the unit do not get in the way of its suite."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int c = getchar();
    if (c == 'a') { printf("an \"a\"%c\n", 0); return 3; }
    if (c == 'q') { puts("bye"); exit(2); }
    return 0;
}
"""
PRINTER = r"""
#include <stdio.h>
#define end 6
#define count 3
#define state volatile
#define size unsigned
#define failed {
struct item { int value; int key; };
#define key 4
int show(struct item *item) {
    if (!item) return -1;
    printf("%d\n", item->value > end ? end : count);
    return 0;
}
"""
FICKLE = r"""
#include <stdio.h>
int where(int x) {
    printf("%p\n", x > 3 ? (void *)&x : NULL);
    return 0;
}
"""
CLOCKED = r"""
#include <stdio.h>
#include <time.h>
int now(int x) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    if (x > 3) printf("%ld\n", (long)now.tv_sec / 1000000);
    return 0;
}
"""


def explored(folder: Path, text: str, entry: str) -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    return campaign.run(BuildOptions(sources=(source,), entry=entry), SearchOptions(budget=10.0))


def ran(folder: Path, result: Result, name: str = "plain") -> subprocess.CompletedProcess[str]:
    """Builds and runs the suite with gcc."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    suite = folder / f"test_{result.program.entry}.c"
    for file, data in plugins.find("veer.suites", name).files(result).items():
        (folder / file).write_bytes(data)
    program = suite.with_suffix("")
    subprocess.run(["gcc", "-w", "-std=gnu11", str(suite), "-lm", "-o", str(program)], check=True, timeout=60)
    return subprocess.run([str(program)], capture_output=True, text=True, timeout=60)


def test_a_program_is_expected_to_print_what_it_printed(tmp_path: Path) -> None:
    result = explored(tmp_path, PROGRAM, "main")
    assert {test.printed for test in result.tests} == {b"", b'an "a"\0\n', b"bye\n"}
    assert ran(tmp_path, result).returncode == 0
    (tmp_path / "unit.c").write_text(PROGRAM.replace("bye", "byE"))
    after = ran(tmp_path, result)
    assert after.returncode == 1
    assert 'it printed "byE\\012", expected "bye\\012"' in after.stdout
    assert after.stdout.count("not ok") == 1


def test_a_function_that_prints_too_and_macros_named_like_words_of_the_suite(tmp_path: Path) -> None:
    result = explored(tmp_path, PRINTER, "show")
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.printed for test in result.tests} == {None, b"3\n", b"6\n"}
    assert ran(tmp_path, result).returncode == 0
    (tmp_path / "unit.c").write_text(PRINTER.replace('"%d\\n"', '"%d"'))
    assert ran(tmp_path, result).returncode == 1


@pytest.mark.parametrize(("text", "entry"), [(FICKLE, "where"), (CLOCKED, "now")])
def test_what_is_printed_otherwise_each_time_is_not_expected(tmp_path: Path, text: str, entry: str) -> None:
    result = explored(tmp_path, text, entry)
    assert len(result.tests) >= 2
    assert {test.printed for test in result.tests} <= {None, b"(nil)\n"}
    assert ran(tmp_path, result).returncode == 0
