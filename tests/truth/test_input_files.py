"""Files that a program asks for: a campaign against gcc's build in a folder with each possible file, and with none."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import build_suite
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.python.api import test as run_veer

HEADERS = """
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>
/* Each number by a path of its own. */
static int told(int number) {
    for (int k = 0; k < 120; k++) if (number == k) return k;
    return 120;
}
"""
PROGRAMS = {
    "characters": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            if (!file) return 100;
            int c = getc(file), code = c == EOF ? 1 : c == 'x' ? 2 : 3;
            if (c != EOF && ungetc('x', file) == 'x' && fgetc(file) == 'x') code += 10;
            code += 20 * !!feof(file) + 40 * !!ferror(file);
            return fclose(file) ? 99 : told(code);
        }
        """,
        2,
        b"xy",
    ),
    "lines": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            char line[3];
            int lines = 0, ended = 0;
            if (!file) return errno == ENOENT ? 101 : 102;
            while (fgets(line, sizeof line, file)) {
                lines++;
                ended = strchr(line, '\\n') != NULL;
            }
            fclose(file);
            return told(10 * lines + ended);
        }
        """,
        3,
        b"a\n\0",
    ),
    "getline": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            char *line = NULL;
            size_t room = 0;
            long sum = 0, got;
            if (!file) return 100;
            while ((got = getline(&line, &room, file)) > 0) sum = 4 * sum + got;
            free(line);
            fclose(file);
            return told((int)sum);
        }
        """,
        3,
        b"a\n",
    ),
    "scanned": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            int a = 0, b = 0;
            if (!file) return 100;
            int got = fscanf(file, "%d,%d", &a, &b);
            fclose(file);
            return told(got == 2 ? (a == b ? 30 : 20) : got == 1 ? 10 + (a > 3) : got == 0 ? 5 : 6);
        }
        """,
        3,
        b"14,",
    ),
    "blocks": (
        """
        int main(void) {
            unsigned char block[4];
            FILE *file = fopen("data", "rb");
            if (!file) return 100;
            size_t got = fread(block, 2, 2, file);
            int code = 10 * (int)got + (got && block[1] == 'y') + 2 * !!feof(file);
            fclose(file);
            return told(code);
        }
        """,
        3,
        b"xy",
    ),
    "places": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            if (!file) return 100;
            if (fseek(file, 0, SEEK_END)) return 99;
            long size = ftell(file);
            rewind(file);
            int first = fgetc(file);
            if (size && fseek(file, -1, SEEK_CUR)) return 98;
            if (size && fgetc(file) != first) return 97;
            if (size > 1 && fseek(file, -1, SEEK_END) == 0 && fgetc(file) == first) size += 10;
            fclose(file);
            return told((int)size);
        }
        """,
        3,
        b"xy",
    ),
    "descriptors": (
        """
        int main(void) {
            struct stat status;
            char text[8] = "";
            int file = open("data", O_RDONLY);
            if (file < 0) return errno == ENOENT ? 100 : 101;
            if (fstat(file, &status) || !S_ISREG(status.st_mode)) return 102;
            if (status.st_size > 2) return 103;
            long end = lseek(file, 0, SEEK_END);
            if (end != status.st_size || lseek(file, 0, SEEK_SET)) return 104;
            long got = read(file, text, sizeof text);
            close(file);
            return told(got != end ? 105 : 10 * (int)got + (text[0] == 'x') + 2 * (text[1] == 'y'));
        }
        """,
        3,
        b"xy",
    ),
    "mapped": (
        """
        int main(void) {
            struct stat status;
            int file = open("data", O_RDONLY), sum = 0;
            if (file < 0) return 100;
            if (fstat(file, &status)) return 101;
            if (!status.st_size) return mmap(NULL, 0, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? 102 : 103;
            char *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
            close(file);
            if (text == MAP_FAILED) return 104;
            for (long k = 0; k < status.st_size; k++) sum = 3 * sum + (text[k] == 'x' ? 1 : 2);
            return munmap(text, (size_t)status.st_size) ? 105 : told(sum);
        }
        """,
        3,
        b"xy",
    ),
    "twice": (
        """
        int main(void) {
            FILE *one = fopen("data", "r"), *two = fopen("./data", "r");
            if (!one || !two) return !one && !two ? 100 : 101;
            int a = fgetc(one), b = fgetc(two);
            if (a != b) return 102;
            int same = fgetc(one) == a;
            fclose(one);
            fclose(two);
            return told(same);
        }
        """,
        2,
        b"xy",
    ),
    "copied": (
        """
        int main(void) {
            FILE *from = fopen("data", "r");
            if (!from) return 100;
            FILE *to = fopen("copy", "w");
            int c, count = 0;
            if (!to) return 101;
            while ((c = fgetc(from)) != EOF) fputc(c == 'x' ? 'z' : c, to);
            fclose(from);
            fclose(to);
            to = fopen("copy", "r");
            if (!to) return 102;
            while ((c = fgetc(to)) != EOF) count = 3 * count + (c == 'z' ? 1 : 2);
            fclose(to);
            return unlink("copy") ? 103 : told(count);
        }
        """,
        3,
        b"xy",
    ),
    "changed": (
        """
        int main(void) {
            FILE *file = fopen("data", "r+");
            char text[8] = "";
            if (!file) return 100;
            if (fgetc(file) != 'x') return 1;
            if (fseek(file, 0, SEEK_SET) || fputc('z', file) != 'z' || fseek(file, 0, SEEK_SET)) return 101;
            size_t got = fread(text, 1, sizeof text, file);
            fclose(file);
            return text[0] != 'z' ? 102 : told(10 * (int)got + (text[1] == 'x'));
        }
        """,
        3,
        b"xy",
    ),
    "asked": (
        """
        int main(void) {
            struct stat status;
            int is_there = stat("data", &status) == 0;
            if (is_there != (access("data", R_OK) == 0)) return 100;
            FILE *file = fopen("data", "r");
            if (is_there != (file != NULL)) return 101;
            return is_there ? told(10 + (int)status.st_size) : 0;
        }
        """,
        3,
        b"x",
    ),
    "removed": (
        """
        int main(void) {
            struct stat status;
            int had = unlink("data") == 0;
            if (access("data", F_OK) == 0 || stat("data", &status) == 0 || fopen("data", "r")) return 100;
            if (unlink("data") == 0) return 101;
            return told(had);
        }
        """,
        1,
        b"x",
    ),
    "renamed": (
        """
        int main(void) {
            if (rename("data", "other")) return errno == ENOENT ? 1 : 100;
            if (access("data", F_OK) == 0) return 101;
            FILE *file = fopen("other", "r");
            if (!file) return 102;
            int c = fgetc(file);
            fclose(file);
            return rename("other", "data") ? 103 : c == EOF ? 2 : c == 'x' ? 3 : 4;
        }
        """,
        1,
        b"xy",
    ),
    "appended": (
        """
        int main(void) {
            FILE *file = fopen("data", "a+");
            if (!file) return 100;
            int first = fgetc(file);
            if (fseek(file, 0, SEEK_END) || fputc('z', file) != 'z') return 101;
            if (fseek(file, -1, SEEK_END) || fgetc(file) != 'z') return 102;
            long size = ftell(file);
            fclose(file);
            return told(10 * (int)size + (first == 'x'));
        }
        """,
        2,
        b"xy",
    ),
    "locked": (
        """
        int main(void) {
            int file = open("data", O_WRONLY | O_CREAT | O_EXCL, 0600);
            if (file < 0) return errno == EEXIST ? 1 : 2;
            write(file, "x", 1);
            close(file);
            return unlink("data") ? 3 : 0;
        }
        """,
        1,
        b"x",
    ),
    "emptied": (
        """
        int main(void) {
            struct stat status;
            int file = open("data", O_RDWR | O_TRUNC);
            if (file < 0) return 1;
            if (fstat(file, &status) || status.st_size) return 2;
            write(file, "ab", 2);
            return truncate("data", 1) || fstat(file, &status) ? 3 : 4 + (int)status.st_size;
        }
        """,
        2,
        b"x",
    ),
    "reopened": (
        """
        int main(void) {
            FILE *file = tmpfile();
            if (!file) return 100;
            if (!freopen("data", "r", file)) return 1;
            return fgetc(file) == 'x' ? 2 : 3;
        }
        """,
        1,
        b"xy",
    ),
    "at_a_place": (
        """
        int main(void) {
            char c = 0;
            int file = openat(AT_FDCWD, "data", O_RDONLY);
            if (file < 0) return 1;
            return read(file, &c, 1) != 1 ? 2 : c == 'x' ? 3 : 4;
        }
        """,
        1,
        b"xy",
    ),
    "put_back": (
        """
        int main(void) {
            FILE *file = fopen("data", "r");
            if (!file) return 100;
            int first = fgetc(file), second = first == EOF ? EOF : fgetc(file);
            if (second == EOF) return 1;
            if (ungetc(second, file) != second || ungetc(first, file) != first || ftell(file)) return 2;
            if (fgetc(file) != first || fgetc(file) != second) return 3;
            return first == second ? 4 : 5;
        }
        """,
        3,
        b"xy",
    ),
    "touched": (
        """
        int main(void) {
            struct stat status;
            if (chmod("data", 0444)) return errno == ENOENT ? 1 : 2;
            if (stat("data", &status) || (status.st_mode & 0777) != 0444) return 3;
            return utime("data", NULL) || chmod("data", 0644) ? 4 : access("data", X_OK) ? 5 : 6;
        }
        """,
        1,
        b"x",
    ),
    "argument": (
        """
        int main(int argc, char **argv) {
            if (argc < 2) return 1;
            FILE *file = fopen(argv[1], "r");
            if (!file) return 2;
            int c = fgetc(file);
            fclose(file);
            struct stat status;
            if (stat(argv[1], &status)) return 100;
            return c == EOF ? 3 : c == 'x' ? told(4 + (int)status.st_size) : 5;
        }
        """,
        2,
        b"xy",
    ),
}


def states(most: int, letters: bytes) -> Iterator[bytes | None]:
    """No file, and each one of up to `most` of these letters."""
    yield None
    for size in range(most + 1):
        yield from (bytes(each) for each in itertools.product(letters, repeat=size))


def plain_answers(tmp_path: Path, text: str, most: int, letters: bytes, arguments: list[str]) -> set[int]:
    built = build_suite(tmp_path, "plain.c", text)
    folder = tmp_path / "scratch"
    folder.mkdir()
    answers = set()
    for state in states(most, letters):
        file = folder / "data"
        file.unlink(missing_ok=True)
        if state is not None:
            file.write_bytes(state)
        answers.add(subprocess.run([built.executable, *arguments], cwd=folder, check=False).returncode)
    return answers


def returned(result: Result) -> set[int]:
    """What the tests return from main, as the shell sees it."""
    return {int.from_bytes(test.returned or b"", "little", signed=True) & 255 for test in result.tests}


def searched(source: Path, out: Path, **options: object) -> Result:
    build = BuildOptions((source,), "main", **options)  # type: ignore[arg-type]
    return explore(build, SearchOptions(budget=60.0, criterion="path"), out)


ALIKE = (
    *("getline", "blocks", "characters", "scanned", "twice", "at_a_place", "places", "asked"),
    *("renamed", "removed", "reopened", "emptied", "touched", "appended", "locked"),
)
"""Other ways to read, to be at a place, and to change a file or its name."""


@pytest.mark.parametrize("name", sampled(PROGRAMS, lambda name: name not in ALIKE))
def test_each_content_and_no_file_are_inputs(tmp_path: Path, name: str) -> None:
    body, most, letters = PROGRAMS[name]
    source = tmp_path / f"{name}.c"
    source.write_text(HEADERS + body)
    has_argument = "argv" in body
    result = searched(source, tmp_path / "out", file_size=most, stdin_size=0, argc=2)
    assert result.ending.claim == "paths", result.ending
    assert not result.diverged and not result.bugs
    expected = plain_answers(tmp_path, HEADERS + body, most, letters, ["data"] if has_argument else [])
    assert returned(result) == expected | ({1} if has_argument else set())
    suite = tmp_path / "out" / "suite" / "test_main.c"
    done = build_suite(suite.parent, "again.c", suite.read_text()).run()
    assert done.returncode == 0, done.stdout


UNNAMED = """
int main(int argc, char **argv) {
    if (argc < 3) return 1;
    FILE *one = fopen(argv[1], "r");
    if (!one) return 2;
    FILE *two = fopen(argv[2], "r");
    if (!two) return 3;
    int a = fgetc(one), b = fgetc(two);
    if (a == b) return strcmp(argv[1], argv[2]) ? 4 : 5;
    return strcmp(argv[1], argv[2]) ? 6 : 7;
}
"""


def test_two_names_that_are_inputs_may_be_one_file(tmp_path: Path) -> None:
    source = tmp_path / "names.c"
    source.write_text(HEADERS + UNNAMED)
    result = searched(source, tmp_path / "out", file_size=1, argv_size=1, stdin_size=0, argc=3)
    assert result.ending.claim == "paths", result.ending
    assert returned(result) == {1, 2, 3, 4, 5, 6}, "one file has one content"
    done = build_suite(
        tmp_path / "out" / "suite", "again.c", (tmp_path / "out" / "suite" / "test_main.c").read_text()
    ).run()
    assert done.returncode == 0, done.stdout


def test_a_claim_names_how_many_files_there_are_where_a_run_wants_more(tmp_path: Path) -> None:
    source = tmp_path / "three.c"
    source.write_text(
        HEADERS
        + """
        int main(void) {
            if (access("a", F_OK)) return 1;
            if (access("b", F_OK)) return 2;
            return access("c", F_OK) ? 3 : 4;
        }
        """
    )
    result = searched(source, tmp_path / "out", input_files=2, stdin_size=0)
    assert returned(result) == {1, 2, 3}
    assert "input-files 2" in result.ending.within
    result = searched(source, tmp_path / "out", input_files=3, stdin_size=0)
    assert returned(result) == {1, 2, 3, 4}
    assert "input-files 3" not in result.ending.within


PARAMETERS = {
    "a_stream": (
        """
        int f(FILE *in) {
            int c, marks = 0;
            if (!in) return 100;
            while ((c = getc(in)) != EOF) marks = 3 * marks + (c == 'x' ? 1 : 2);
            return told(marks);
        }
        """,
        'int main(int argc, char **argv) { return f(argc < 2 ? fopen("data", "r+") : NULL); }',
        b"xy",
    ),
    "a_stream_that_is_written": (
        """
        int f(FILE *both) {
            char line[8] = "";
            fprintf(both, "z");
            if (fflush(both)) return 101;
            rewind(both);
            if (!fgets(line, sizeof line, both)) return 102;
            return line[1] == 'x' ? told(10 + (int)strlen(line)) : told((int)strlen(line));
        }
        """,
        'int main(void) { FILE *file = fopen("data", "r+"); return file ? f(file) : 119; }',
        b"xy",
    ),
    "a_descriptor": (
        """
        static int first(int file) { char c = 0; return read(file, &c, 1) == 1 && c == 'x'; }
        int f(int file) {
            struct stat status;
            if (file < 0) return 100;
            if (fstat(file, &status)) return 101;
            int is_first = first(file);
            return lseek(file, 0, SEEK_CUR) > 1 ? 102 : told(10 * is_first + (int)status.st_size);
        }
        """,
        'int main(int argc, char **argv) { return f(argc < 2 ? open("data", O_RDWR) : -1); }',
        b"xy",
    ),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_an_open_file(tmp_path: Path, name: str) -> None:
    body, driver, letters = PARAMETERS[name]
    source = tmp_path / "unit.c"
    source.write_text(HEADERS + body)
    build = BuildOptions((source,), "f", file_size=2)
    result = explore(build, SearchOptions(budget=60.0, criterion="path"), tmp_path / "out")
    assert result.ending.claim == "paths", result.ending
    assert not result.diverged and not result.bugs
    expected = plain_answers(tmp_path, HEADERS + body + driver, 2, letters, [])
    # Of a file that is missing the function hears nothing: the driver has NULL or -1 for it, where the function asks.
    assert returned(result) == (expected if 100 in expected else expected - {119})
    done = build_suite(
        tmp_path / "out" / "suite", "again.c", (tmp_path / "out" / "suite" / "test_f.c").read_text()
    ).run()
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "body",
    [
        "int f(int file) { char c; if (file == 7) return 1; return read(file, &c, 1) < 0 ? 2 : 3; }",
        "int f(int file) { char c; int sum = file + 1; return read(file, &c, 1) < 0 ? sum > 3 : 3; }",
        "int f(int file) { return file > 3; }",
        "static int close(int door) { return door == 3; } int f(int door) { return close(door); }",
    ],
)
def test_a_number_of_which_more_is_asked_is_no_descriptor(tmp_path: Path, body: str) -> None:
    source = tmp_path / "unit.c"
    headers = "" if "close" in body else HEADERS
    source.write_text(headers + body)
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=60.0, criterion="path"))
    assert not any("is open at" in words for words in result.program.bounds)


def test_without_input_files_a_stream_cannot_be_made(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(HEADERS + "int f(FILE *in) { return getc(in); }")
    with pytest.raises(UnsupportedInputError, match="veer cannot make a FILE"):
        explore(BuildOptions((source,), "f", input_files=0), SearchOptions())


MOVED = """
int f(const char *folder) {
    if (!folder) return 5;
    if (chdir(folder)) return errno == ENOENT ? 1 : 100;
    FILE *file = fopen("list", "r");
    if (!file) return 2;
    return fgetc(file) == 'x' ? 3 : 4;
}
"""


def test_a_folder_that_a_run_goes_to_is_there_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "unit.c"
    source.write_text(HEADERS + MOVED)
    result = explore(
        BuildOptions((source,), "f", file_size=1, max_length=2),
        SearchOptions(budget=60.0, criterion="path"),
        tmp_path / "out",
    )
    assert result.ending.claim == "paths", result.ending
    assert returned(result) == {1, 2, 3, 4, 5}
    done = build_suite(
        tmp_path / "out" / "suite", "again.c", (tmp_path / "out" / "suite" / "test_f.c").read_text()
    ).run()
    assert done.returncode == 0, done.stdout


def test_a_name_in_two_folders_is_not_followed(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    body = """
        int f(void) {
            FILE *file = fopen("list", "r");
            if (chdir("sub")) return 1;
            return file && fopen("list", "r") ? 2 : 3;
        }
        """
    source.write_text(HEADERS + body)
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=60.0))
    assert result.ending.claim == "none"
    assert any("another directory" in reason for reason in result.ending.lost_by)


SETTINGS = """
int load(const char *name) {
    char line[64];
    const int levels[6] = {0, 10, 20, 30, 40, 50};
    FILE *file = fopen(name, "r");
    if (!file) return -1;
    if (!fgets(line, sizeof line, file)) {
        fclose(file);
        return -2;
    }
    fclose(file);
    char *equals = strchr(line, '=');
    if (!equals) return -3;
    *equals = 0;
    if (strcmp(line, "timeout") == 0) return atoi(equals + 1);
    return strcmp(line, "verbosity_level") == 0 ? levels[atoi(equals + 1)] : -4;
}
"""


def test_a_bug_behind_sixteen_characters_of_a_file_is_found(tmp_path: Path) -> None:
    source = tmp_path / "settings.c"
    source.write_text(HEADERS + SETTINGS)
    found = [bug for bug in run_veer(source, "load", budget=60).bugs if "array index" in bug.message]
    assert [bug.severity for bug in found] == ["error"], "what a file holds breaks no contract"
