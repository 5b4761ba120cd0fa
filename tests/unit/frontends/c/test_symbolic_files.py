"""Files as inputs: the option, what a campaign finds, and that the suite gives the same bytes to the plain build."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite, compiler_command

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.c.files import input_files, symbolic_files
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind, InputFiles, SymbolicFile
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.types import ExtentKind, Type, TypeKind

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

READER = """
#include <stdio.h>
#include <string.h>
int level(void) {
    char line[8], word[8];
    int number = 0;
    static FILE *file; /* or each return behind it would lose it */
    file = fopen("app.conf", "r");
    if (!fgets(line, sizeof line, file)) return 1;
    if (feof(file) && line[0] == 'q') return 2;
    rewind(file);
    int c = fgetc(file);
    if (ungetc(c, file) != c) return 9;
    if (fscanf(file, "%d", &number) == 1 && number == 42) return 3;
    if (fseek(file, -1, SEEK_END) == 0 && fgetc(file) == ';') return 4;
    int was_at_end = feof(file);
    fclose(file);
    return was_at_end ? 9 : 5;
}
int sum(void) {
    int a, b;
    if (scanf("%d,%d", &a, &b) != 2) return -1;
    return a + b == 11 ? 1 : 0;
}
int named(char is_given) {
    FILE *file = fopen(is_given ? "in" : NULL, "r");
    if (!file) return is_given ? 9 : 2;
    return fclose(file) ? 9 : 1;
}
int bytes(void) {
    unsigned char block[4];
    size_t count = fread(block, 2, 2, stdin);
    if (count == 1) return getchar() == EOF ? 1 : 2;
    return count == 2 && block[3] == 0xff ? 3 : 0;
}
"""


def run(tmp_path: Path, entry: str, *files: str) -> Result:
    source = tmp_path / "reader.c"
    source.write_text(READER)
    build = BuildOptions((source,), entry, files=files)
    result = campaign.run(build, SearchOptions(budget=30.0, criterion="path"))
    deliver(result, tmp_path / "out").checked()
    return result


@pytest.mark.parametrize(
    ("entry", "file", "returned"),
    [
        ("level", "app.conf=2", {1, 2, 3, 4, 5}),
        ("named", "in=1", {1, 2}),
        ("sum", "stdin=3", {-1, 0, 1}),
        ("bytes", "stdin=4", {0, 1, 3}),
    ],
)
def test_every_path_of_a_reader_is_found_and_replays(tmp_path: Path, entry: str, file: str, returned: set[int]) -> None:
    result = run(tmp_path, entry, file)
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs and not result.diverged
    assert f"symbolic-file {file}" in result.program.bounds
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == returned
    suite = tmp_path / "out" / "suite" / f"test_{entry}.c"
    built = build_suite(tmp_path, "again.c", suite.read_text(), compiler_command())
    done = built.run()
    assert done.returncode == 0, done.stdout


def options(*files: str, sequence: str = "") -> BuildOptions:
    return BuildOptions((Path("a.c"),), "f", files=files, sequence=sequence)


def test_names_and_sizes_are_read() -> None:
    assert symbolic_files(options("a=b.txt=3", "stdin=4")) == (
        SymbolicFile("a=b.txt", 3),
        SymbolicFile("stdin", 4),
    )


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (("data",), "give NAME=SIZE"),
        (("=3",), "give NAME=SIZE"),
        (("data=0",), "give NAME=SIZE"),
        (("data=many",), "give NAME=SIZE"),
        (("data=1", "data=2"), "given twice"),
        (("a=4000", "b=97"), "4096 bytes together"),
        (tuple(f"{k}=1" for k in range(8)), "at most 7"),
    ],
)
def test_what_is_no_file_is_refused(files: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        symbolic_files(options(*files))


STREAM = Type(0, TypeKind.POINTER, "FILE *", 8, extent=ExtentKind.OPEN)


@pytest.mark.parametrize(
    ("most", "size", "sentence"),
    [
        (17, 8, "at most 16"),
        (2, 5000, "a file has at most 4096 bytes"),
        (16, 600, "17 files 8192 together"),
    ],
)
def test_more_files_than_there_is_room_for_are_refused(most: int, size: int, sentence: str) -> None:
    asked = BuildOptions((Path("a.c"),), "f", input_files=most, file_size=size)
    assert input_files((), (), asked, HarnessKind.FUNCTION) is None
    with pytest.raises(UsageError, match=sentence):
        input_files((), (STREAM,), asked, HarnessKind.FUNCTION)


def test_harnesses_that_fetch_their_inputs_have_no_others() -> None:
    usual = BuildOptions((Path("a.c"),), "f")
    assert input_files((), (STREAM,), usual, HarnessKind.FUNCTION) == InputFiles(2, 8)
    assert input_files((), (STREAM,), usual, HarnessKind.KLEE) is None


def test_sequences_take_no_files() -> None:
    with pytest.raises(UsageError, match="--sequence"):
        symbolic_files(options("data=1", sequence="f"))
