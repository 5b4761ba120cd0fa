"""Standard input of 0 to N bytes: what a campaign finds against the plain build on every text over a few characters."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import build_suite
from veer_side import explore

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

PROGRAMS = {
    "end": ("int main(void) { if (getchar() == EOF) return 1; return 0; }", 1, b"a"),
    "lines": (
        """
        int main(void) {
            char line[4];
            int lines = 0, has_end = 0;
            while (fgets(line, sizeof line, stdin)) {
                lines++;
                if (strchr(line, '\\n')) has_end = 1;
                else has_end = 0;
            }
            return 10 * lines + has_end;
        }
        """,
        4,
        b"a\n\0",
    ),
    "blocks": (
        """
        int main(void) {
            char block[2];
            long n = read(0, block, 2);
            if (n == 2 && block[0] == 'x') return read(0, block, 2) == 1 ? 1 : 2;
            return n == 0 ? 3 : n == 1 ? 4 : 5;
        }
        """,
        3,
        b"xa",
    ),
}


def returned(result: Result) -> set[int]:
    """What the tests return from main, as the shell sees it."""
    return {int.from_bytes(test.returned or b"", "little", signed=True) & 255 for test in result.tests}


def plain_answers(tmp_path: Path, text: str, most: int, letters: bytes) -> set[int]:
    built = build_suite(tmp_path, "plain.c", text)
    texts = itertools.chain.from_iterable(itertools.product(letters, repeat=n) for n in range(most + 1))
    return {subprocess.run([built.executable], input=bytes(each), check=False).returncode for each in texts}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_length_up_to_the_bound_is_an_input(tmp_path: Path, name: str) -> None:
    body, most, letters = PROGRAMS[name]
    text = f"#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n{body}"
    source = tmp_path / f"{name}.c"
    source.write_text(text)
    result = explore(
        BuildOptions((source,), "main", stdin_size=most), SearchOptions(budget=30.0, criterion="path"), tmp_path / "out"
    )
    assert result.ending.claim == "paths", result.ending
    assert not result.diverged and not result.bugs
    assert f"stdin-size {most}" in result.program.bounds
    assert returned(result) == plain_answers(tmp_path, text, most, letters)
    suite = tmp_path / "out" / "suite" / "test_main.c"
    done = build_suite(tmp_path, "again.c", suite.read_text()).run()
    assert done.returncode == 0, done.stdout


FUNCTIONS = """
#include <stdio.h>
#include <unistd.h>
static int next(void) { int c = getchar(); return c == EOF ? -1 : c; }
static int from_zero(void) { char c; return read(0, &c, 1) == 1 ? c : -1; }
static int (*const table[])(void) = {from_zero};
static int (*chosen)(void) = next;
int called(void) { if (next() == 'x') return 1; return 0; }
int by_table(void) { if (table[0]() == 'x') return 1; return 0; }
int by_variable(void) { if (chosen() == 'x') return 1; return 0; }
int named(void) { FILE *in = stdin; char b[2]; if (fread(b, 1, 1, in) && b[0] == 'x') return 1; return 0; }
int scanned(void) { char c; if (scanf("%c", &c) == 1 && c == 'x') return 1; return 0; }
int none(int x) { if (x == 'x') return 1; return 0; }
"""


@pytest.mark.parametrize(
    "entry",
    sampled(
        ("called", "by_table", "by_variable", "named", "scanned", "none"), lambda name: name in ("by_table", "none")
    ),
)
def test_what_a_function_reads_is_an_input_as_of_a_program(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(FUNCTIONS)
    search = SearchOptions(budget=30.0, criterion="path")
    result = explore(BuildOptions((source,), entry, stdin_size=2), search, tmp_path / "out")
    assert result.ending.claim == "paths", result.ending
    assert returned(result) == {0, 1}
    assert ("stdin-size 2" in result.ending.within) == (entry != "none"), result.ending
    suite = tmp_path / "out" / "suite" / f"test_{entry}.c"
    done = build_suite(tmp_path, "again.c", suite.read_text()).run()
    assert done.returncode == 0, done.stdout


def test_nothing_can_be_written_to_standard_input(tmp_path: Path) -> None:
    """As where a shell redirects it. A struct whose descriptor is 0, the first value that is tried, had such a test."""
    source = tmp_path / "unit.c"
    source.write_text('#include <unistd.h>\nint f(int n) { return write(0, "abc", n & 3) < 0 ? -1 : n; }\n')
    result = campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=20))
    assert all(not test.replayed.startswith("differs") for test in result.tests)
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == {-1}
