"""What a program does as it exits: functions of atexit run, standard output may be closed, and runs stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <string.h>\n"
PROGRAMS = {
    "a handler runs behind a main that returns": (
        """
        static int given;
        static void last(void) { if (given == 'x') _exit(7); if (given == 'y') _exit(8); }
        int main(void) { atexit(last); given = getchar(); return 3; }
        """,
        {3, 7, 8},
    ),
    "handlers run at exit, the last first": (
        """
        static int code;
        static void first(void) { _exit(code); }
        static void second(void) { code *= 2; }
        static void finish(void) { exit(1); }
        int main(void) { atexit(first); atexit(second); code = getchar() == 'x' ? 5 : 6; finish(); }
        """,
        {10, 12},
    ),
    "_exit runs none": (
        """
        static void last(void) { _exit(9); }
        int main(void) { atexit(last); if (getchar() == 'x') _exit(2); exit(4); }
        """,
        {2, 9},
    ),
    "on_exit is told the code": (
        """
        #define _GNU_SOURCE
        int on_exit(void (*)(int, void *), void *);
        static void last(int code, void *more) { _exit(code + *(int *)more); }
        static int ten = 10;
        int main(void) { on_exit(last, &ten); if (getchar() == 'x') exit(1); return 2; }
        """,
        {11, 12},
    ),
    "standard output is closed by each run": (
        """
        int main(void) {
            int c = getchar();
            if (c == 'x' && fputs("x\\n", stdout) == EOF) return 9;
            if (c == 'y' && puts("y") == EOF) return 9;
            if (ferror(stdout) || fclose(stdout) == EOF) return 2;
            return c == 'z' ? 1 : 0;
        }
        """,
        {0, 1},
    ),
    "standard output has a buffer of the program's": (
        """
        static char room[64];
        int main(void) {
            char small[16];
            if (setvbuf(stdout, getchar() == 'x' ? small : room, _IOFBF, 16)) return 2;
            puts("something that is longer than the buffer");
            return fflush(stdout) ? 3 : 1;
        }
        """,
        {1},
    ),
}


def searched(directory: Path, body: str) -> Result:
    source = directory / "unit.c"
    source.write_text(HEADERS + body)
    return explore(BuildOptions((source,), "main", stdin_size=1), SearchOptions(budget=20.0), directory / "out")


@pytest.mark.parametrize("name", PROGRAMS)
def test_exits_are_those_of_the_plain_build(tmp_path: Path, name: str) -> None:
    body, codes = PROGRAMS[name]
    result = searched(tmp_path, body)
    assert result.ending.claim is Claim.PATHS, result.ending
    assert not result.bugs and not result.ledger
    ended = {test.exit_code if test.outcome is Outcome.EXITED else test.returned[0] for test in result.tests}  # type: ignore[index]
    assert ended == codes
    assert {test.replayed for test in result.tests} == {"same"}


def test_a_handler_with_a_bug_is_found(tmp_path: Path) -> None:
    body = """
        static int *place;
        static void last(void) { *place = 1; }
        int main(void) { int there; atexit(last); place = getchar() == 'x' ? NULL : malloc(4); (void)there; return 0; }
        """
    result = searched(tmp_path, body)
    assert [(bug.function, "null" in bug.message) for bug in result.bugs] == [("last", True)]
    assert not result.program.notes, "the suite compiles"
