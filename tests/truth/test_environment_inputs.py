"""--inputs: what time, getenv and their like answer is an input: every answer of a machine is tried, and no other."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from suite_builds import build_suite, compiler_command

import veer
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.suite.c.plain import render

UNIT = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>

int unit(int x)
{
    struct timespec first, second;
    const char *mode = getenv("MODE");
    if (!mode) return 1;
    if (strcmp(mode, "on") == 0) return time(NULL) % 60 == 7 ? 2 : 3;
    if (clock_gettime(99, &first) == 0) return -1;
    if (clock_gettime(CLOCK_REALTIME, &first) != 0) return -2;
    if (first.tv_sec == 1234567) return 4;
    if (first.tv_nsec > 999999999) return -3;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    if (second.tv_sec < first.tv_sec) return -4;
    return second.tv_sec - first.tv_sec == 3 && x == 5 ? 5 : 6;
}

/* A name that is an input itself may be that of another variable. */
int named(const char *name)
{
    char *value, *other, *again;
    if (!name) return 0;
    value = getenv(name);
    other = secure_getenv("M");
    again = getenv(name);
    if (value != again) return -1;
    if (value && value == other) return strcmp(name, "M") == 0 ? 1 : -2;
    return value && !other ? 2 : 3;
}

int main(int argc, char **argv)
{
    struct timeval now;
    time_t told, answered = time(&told);
    if (told != answered) return 90;
    if (argc > 1 && argv[1][0] == 'e' && getenv("HOME") && getenv("HOME")[0] == '/') return 10;
    if (gettimeofday(&now, NULL) != 0 || now.tv_usec > 999999) return 91;
    return rand() % 6 + 1 == 6 ? 11 : clock() > 5 ? 12 : 13;
}
"""
NAMES = ("time,clock", "clock_gettime", "gettimeofday,getenv", "rand")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "unit.c"
    path.write_text(UNIT)
    return path


def explored(source: Path, entry: str, inputs: Sequence[str] = NAMES) -> Result:
    """All paths of the entry, with strings of up to two characters."""
    return veer.test(source, entry, inputs=inputs, criterion="path", max_length=2, budget="60s", grow=False)


@pytest.mark.parametrize(
    ("entry", "returned"), [("unit", {1, 2, 3, 4, 5, 6}), ("named", {0, 1, 2, 3}), ("main", {10, 11, 12, 13})]
)
def test_every_answer_of_a_machine_is_tried_and_replays(source: Path, entry: str, returned: set[int]) -> None:
    result = explored(source, entry)
    assert result.ending.claim == "paths", result.ending
    assert not any("environment" in bound for bound in result.ending.within)
    assert not result.bugs and not result.diverged
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == returned
    assert {test.replayed for test in result.tests} == {"same"}
    assert not any("veer_" in branch.reason for branch in result.branches)
    built = build_suite(source.parent, "again.c", render(result.program, result.tests), compiler_command())
    done = built.run()
    assert done.returncode == 0, done.stdout


def test_without_names_clocks_tell_times_of_their_own(source: Path) -> None:
    result = explored(source, "main", ("getenv",))
    assert "clocks that begin in 2001 and go on as they are looked at" in result.ending.within
    names = {root.name.partition("(")[0] for test in result.tests for root in test.inputs.roots}
    assert "getenv" in names and not names & {"time", "clock", "gettimeofday", "rand"}


def test_none_leaves_all_to_the_machine(source: Path) -> None:
    result = explored(source, "main", ("none",))
    assert "the environment as it was (clock, getenv, gettimeofday, time)" in result.ending.within
    assert not {root.name for test in result.tests for root in test.inputs.roots if "()" in root.name}


@pytest.mark.parametrize(
    ("text", "inputs", "sentence"),
    [
        ("int f(void) { return 0; }", "tyme", "--inputs tyme: its answers cannot be inputs; known are time, "),
        ("int rand(void) { return 4; } int f(void) { return rand(); }", "rand", "the sources define rand themselves"),
    ],
)
def test_wrong_calls_are_refused(tmp_path: Path, text: str, inputs: str, sentence: str) -> None:
    source = tmp_path / "f.c"
    source.write_text(text + "\n")
    with pytest.raises(UsageError, match=sentence):
        veer.test(source, "f", inputs=[inputs])


VARIABLES = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int unit(char c)
{
    static char text[] = "C=x";
    char value[] = {c, 0}, *found = getenv("A");
    if (setenv("A", value, 0) != 0) return -1;
    if (found && strcmp(getenv("A"), found) != 0) return -2;
    if (!found && getenv("A")[0] != c) return -3;
    if (setenv("A", "new", 1) != 0 || strcmp(getenv("A"), "new") != 0) return -4;
    if (unsetenv("A") != 0 || getenv("A")) return -5;
    if (setenv("B=", "x", 1) != -1 || errno != EINVAL || setenv("", "x", 1) != -1 || unsetenv("B=") != -1) return -6;
    if (setenv("B", value, 1) != 0) return -7;
    if (putenv(text) != 0) return -8;
    text[2] = c;
    if (getenv("C")[0] != c) return -9;
    if (putenv("C") != 0 || getenv("C")) return -10;
    if (getenv("B")[0] == 'q') return found ? 1 : 2;
    found = getenv("D");
    clearenv();
    if (getenv("B") || getenv("D") || getenv("E")) return -11;
    return found ? 3 : 4;
}
"""


@pytest.mark.parametrize("compiler", ["clang", "gcc"])
def test_what_a_run_sets_is_found(tmp_path: Path, compiler: str) -> None:
    """setenv and its like, on veer's runtime, on the plain build, and in a suite."""
    if compiler == "gcc" and shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    source = tmp_path / "unit.c"
    source.write_text(VARIABLES)
    result = veer.test(source, "unit", criterion="path", max_length=2, budget="60s", grow=False)
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs and not result.diverged
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == {1, 2, 3, 4}
    assert {test.replayed for test in result.tests} == {"same"}
    command = compiler_command() if compiler == "clang" else ("gcc",)
    done = build_suite(tmp_path, "again.c", render(result.program, result.tests), command).run()
    assert done.returncode == 0, done.stdout


def test_a_variable_is_an_input_without_an_option(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text('#include <stdlib.h>\nint f(void) { return getenv("HOME") ? 1 : 2; }\n')
    result = veer.test(source, "f")
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {1, 2}
    assert result.ending.claim == "paths" and result.ending.within == ()
    result = veer.test(source, "f", inputs=["none"])
    assert result.ending.within == ("the environment as it was (getenv)",)


def test_a_getenv_of_the_sources_own_is_no_input(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("char *getenv(const char *name) { return 0; }\nint f(void) { return getenv(0) != 0; }\n")
    result = veer.test(source, "f")
    assert [test.returned for test in result.tests] == [bytes(4)] and result.program.asked == ()


def test_what_nobody_calls_is_said(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("int f(int x) { return x > 0; }\n")
    result = veer.test(source, "f", inputs=["clock"])
    assert "--inputs clock: nothing in these sources calls clock" in result.program.notes
    assert result.program.asked == () and result.ending.within == ()
