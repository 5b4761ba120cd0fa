"""Files of a run: what is written keeps its constraints, tests see the same, and nothing is left on the machine."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest
from suite_builds import build_suite
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.describe import NOT_READ, describe
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

HEADERS = """
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
"""
UNITS = {
    "through_a_pipe": (
        """
        int f(int x) {
            int p[2], j = 0;
            if (pipe(p)) return -1;
            write(p[1], &x, sizeof x);
            read(p[0], &j, sizeof j);
            close(p[0]);
            close(p[1]);
            if (j == 7) return 1;
            return 0;
        }
        """,
        {0, 1},
    ),
    "through_a_file": (
        """
        int f(unsigned char x) {
            int j = 0;
            FILE *fp = fopen("copy.txt", "w");
            if (!fp) return -1;
            fprintf(fp, "%d", x);
            fclose(fp);
            fp = fopen("copy.txt", "r");
            if (!fp) return -1;
            fscanf(fp, "%d", &j);
            fclose(fp);
            if (j == 77) return 1;
            return 0;
        }
        """,
        {0, 1},
    ),
    "names": (
        """
        int f(int x) {
            struct stat status;
            int file = open("made", O_RDWR | O_CREAT | O_EXCL, 0644);
            if (file != 3) return 9;
            if (open("made", O_RDWR | O_CREAT | O_EXCL, 0644) >= 0 || errno != EEXIST) return 8;
            if (access("not there", F_OK) == 0) return 7;
            write(file, &x, sizeof x);
            if (rename("made", "moved") || stat("moved", &status) || status.st_size != sizeof x) return 6;
            pread(file, &x, 2, 2);
            if (unlink("moved") || open("moved", O_RDONLY) >= 0) return 5;
            return (x & 0xff) == 42 ? 1 : 0;
        }
        """,
        {0, 1, 7, 9},  # somebody else may have made either of the two
    ),
    "temporary": (
        """
        int f(char c) {
            char line[8] = "", name[] = "tXXXXXX";
            FILE *one = tmpfile(), *two = fdopen(mkstemp(name), "w+");
            if (!one || !two) return -1;
            fputc(c, one);
            fputs("bc\\n", one);
            rewind(one);
            while (fgets(line, sizeof line, one)) fputs(line, two);
            fclose(one);
            if (ftell(two) != 4 || fseek(two, 0, SEEK_SET)) return -2;
            if (fgetc(two) == 'a') return 1;
            return 0;
        }
        """,
        {-2, 0, 1},  # a NUL hides the rest of its line from fputs
    ),
    "not_flushed": (
        """
        int f(char c) {
            FILE *out = fopen("log", "w");
            FILE *in = fopen("log", "r");
            if (!out || !in) return -1;
            fputc(c, out);
            if (fgetc(in) != EOF) return -2;
            clearerr(in);
            return 0;
        }
        """,
        {0},
    ),
}


def searched(tmp_path: Path, body: str, most: int = 0, **options: object) -> Result:
    source = tmp_path / "unit.c"
    source.write_text(HEADERS + body)
    build = BuildOptions((source,), "f", no_checks=("leak",), **options)  # type: ignore[arg-type]
    return explore(build, SearchOptions(budget=60.0, criterion="path", max_runs=most), tmp_path / "out")


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


@pytest.mark.parametrize("name", UNITS)
def test_what_was_written_keeps_its_constraints(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body, expected = UNITS[name]
    workplace = tmp_path / "workplace"
    workplace.mkdir()
    monkeypatch.chdir(workplace)
    result = searched(tmp_path, body)
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs and not result.diverged
    assert returned(result) == expected
    assert not any("differs" in note for note in result.program.notes)
    suite = tmp_path / "out" / "suite" / "test_f.c"
    done = build_suite(workplace, "again.c", suite.read_text()).run()
    assert done.returncode == 0, done.stdout
    assert {each.name for each in workplace.iterdir()} == {"again", "again.c", "veer_support.h"}, (
        "neither the search nor the suite leaves a file"
    )


@pytest.mark.parametrize(
    ("body", "expected", "most_runs"),
    [
        ("int f(int fd) { char c; return fd > 2 || fd < 0 ? (int)read(fd, &c, 1) : 7; }", {-1, 7}, 20),
        ("int f(int fd) { return close(fd > 4 ? fd : 900); }", {-1}, 20),
        ("int f(int n) { return n < 0 || n > 1023 ? dup2(0, n) : 7; }", {-1, 7}, 20),
        (
            'int f(int x) { int fd = open("x", x & ~(O_DIRECTORY | 010000000), 0600); return fd < 0 ? -1 : 1; }',
            {-1, 1},
            80,
        ),
        (
            """int f(long to) {
                int fd = open("x", O_RDWR | O_CREAT, 0600);
                long at = to < 9000 ? lseek(fd, to, SEEK_SET) : 3;
                return at < 0 ? -1 : at > 10;
            }""",
            {-1, 0, 1},
            20,
        ),
    ],
)
def test_an_input_as_a_descriptor_is_not_tried_value_by_value(
    tmp_path: Path, body: str, expected: set[int], most_runs: int
) -> None:
    result = searched(tmp_path, body, input_files=0)
    assert result.ending.claim == "paths", result.ending
    assert returned(result) == expected
    assert result.runs <= most_runs, "2^32 numbers have few meanings"


def test_a_size_that_is_an_input_is_checked_before_it_gets_a_value(tmp_path: Path) -> None:
    body = """
        int f(unsigned size) {
            char from[20], to[40];
            memset(from, 1, sizeof from);
            int fd = open("x", O_RDWR | O_CREAT, 0600);
            int written = write(fd, from, size);
            lseek(fd, 0, SEEK_SET);
            return written - (int)read(fd, to, sizeof to);
        }
        """
    result = searched(tmp_path, body, input_files=0)
    assert result.ending.claim == "paths", result.ending
    assert ["was read" in bug.message for bug in result.bugs] == [True]
    assert returned(result) == {0}
    assert result.runs <= 40, "twenty sizes that fit, and one that does not"


@pytest.mark.parametrize("use", ["fflush(file)", "x = fgetc(file)", "fputs(text, file)", 'fprintf(file, "%d", x)'])
def test_a_stream_that_was_closed_is_not_used(tmp_path: Path, use: str) -> None:
    body = f"""
        int f(int x) {{
            char text[4] = "abc";
            FILE *file = fopen("a", "r+"), *other;
            if (!file) return -1;
            if (x == 3) fclose(file);
            other = fopen("b", "w");
            {use};
            if (x != 3) fclose(file);
            if (other) fclose(other);
            return 0;
        }}
        """
    result = searched(tmp_path, body)
    assert [bug.outcome for bug in result.bugs] == [Outcome.USE_AFTER_FREE]
    assert result.ending.claim == "paths", result.ending


def test_places_of_closed_streams_are_taken_again(tmp_path: Path) -> None:
    body = """
        int f(unsigned char x) {
            FILE *file = NULL;
            for (int k = 0; k < 70; k++) {
                file = fopen("made", "w");
                if (!file) return -1;
                fputc(x, file);
                fclose(file);
            }
            file = fopen("made", "r");
            if (!file) return -2;
            if (!freopen("other", "r", file)) return fgetc(file) == EOF && fclose(file) == EOF ? 0 : 9;
            int c = fgetc(file);
            fclose(file);
            return c == 5 ? 1 : x == 7 ? 2 : 3;
        }
        """
    result = searched(tmp_path, body)
    assert not result.bugs and result.ending.claim == "paths", result.ending
    assert returned(result) == {0, 1, 2, 3}


def test_a_file_of_the_machines_is_not_there(tmp_path: Path) -> None:
    there = tmp_path / "settings"
    there.write_text("x")
    body = f'int f(void) {{ FILE *file = fopen("{there}", "r"); return file ? fgetc(file) == \'x\' ? 2 : 1 : 0; }}'
    result = searched(tmp_path, body, input_files=0)
    assert returned(result) == {0}
    assert "no files but the run's own (fopen)" in result.ending.within
    there.write_text("y")
    result = searched(tmp_path, body)
    assert returned(result) == {0, 1, 2}, "each content is tried, and no file, whatever the machine has"
    assert "each file is missing, or a regular one that may be read and written (fopen)" in result.ending.within


def test_a_function_that_is_called_by_its_address_asks_for_files(tmp_path: Path) -> None:
    there = tmp_path / "settings"
    there.write_text("x")
    body = f"""
        static FILE *(*const table[])(const char *, const char *) = {{ fopen }};
        int f(int x) {{
            FILE *(*opener)(const char *, const char *) = x > 3 ? fopen : table[0];
            FILE *file = opener("{there}", "r");
            return file ? 1 : 0;
        }}
        """
    result = searched(tmp_path, body)
    assert returned(result) == {0, 1}
    suite = tmp_path / "out" / "suite" / "test_f.c"
    done = build_suite(tmp_path, "again.c", suite.read_text()).run()
    assert done.returncode == 0, done.stdout


def test_a_program_that_opens_nothing_has_tests_without_files(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("#include <stdio.h>\nint main(void) { return getchar() == 'x' ? 1 : 0; }")
    explore(BuildOptions((source,), "main", stdin_size=2), SearchOptions(), tmp_path / "out")
    suite = (tmp_path / "out" / "suite" / "test_main.c").read_text()
    assert "veer_standard_input" in suite
    assert "veer_k_" not in suite, "the C library's getchar opens nothing by name"


def test_what_is_shown_of_standard_input_is_what_was_there(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("#include <stdio.h>\nint main(void) { return getchar() == EOF ? 1 : 0; }")
    result = explore(BuildOptions((source,), "main", stdin_size=3), SearchOptions())
    shown = [describe(result.program, test.inputs) for test in result.tests]
    assert {("size of stdin", "0"), ("stdin", '""')} <= {pair for each in shown for pair in each.items()}
    for each in shown:
        assert len(literal_eval("b" + each["stdin"].removesuffix(NOT_READ))) == int(each["size of stdin"].split()[0])


@pytest.mark.parametrize(
    "call",
    [
        'mkdir("d", x)',
        'ioctl(open("a", O_CREAT | O_RDWR, 0644), 1, &x)',
        "fgetpos(tmpfile(), (void *)&place)",
    ],
)
def test_what_is_not_modelled_takes_the_claim(tmp_path: Path, call: str) -> None:
    body = (
        f"#include <sys/ioctl.h>\nint f(int x) {{ char place[64]; if (x == 3) {call}; if (x > 3) return 1; return 0; }}"
    )
    result = searched(tmp_path, body)
    assert result.ending.claim == "none"
    assert any(entry.kind == "refused" and entry.line > 0 for entry in result.ledger), "named by function and line"
    assert {0, 1} <= returned(result), "other paths are searched all the same"


def test_bytes_that_leave_by_a_descriptor_of_the_machines_are_a_loss(tmp_path: Path) -> None:
    result = searched(
        tmp_path,
        """
        #include <sys/socket.h>
        int f(int x) {
            int ends[2], y = 0;
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
            write(ends[0], &x, sizeof x);
            read(ends[1], &y, sizeof y);
            close(ends[0]);
            close(ends[1]);
            if (y == 12345) return 1;
            return 0;
        }
        """,
        most=300,
    )
    assert result.ending.claim == "none"
    assert any("write" in entry.detail for entry in result.ledger)
