"""What the code calls the numbers that it returns, read from its text."""

from __future__ import annotations

from pathlib import Path

from veer.frontends.c.namedresults import named_results
from veer.model.program import Function

HEADER = """
#define PARSE_END 7 /* at the end */
#define PARSE_LATE (-3)
#define PARSE_WHERE __LINE__
#define OCTAL 017
enum state { IDLE, BUSY = 4, DONE, /* FAKE = 9, */ LAST = BUSY + 9, NEVER };
"""
SOURCE = """
#include <errno.h>
#include "parse.h"
int parse(const char *text)
{
    if (!text) return -EINVAL;
    if (*text == 'a') return PARSE_END;
    if (*text == 'b') return (PARSE_LATE);
    if (*text == 'c') return PARSE_WHERE;
    if (*text == 'd') return DONE;
    if (*text == 'e') return NEVER;
    if (*text == 'f') return OCTAL;
    /* return -ENOMEM; */
    puts("return BUSY;");
    return IDLE;
}
"""


def written(folder: Path, source: str) -> tuple[Path, list[str]]:
    (folder / "parse.h").write_text(HEADER)
    (folder / "parse.c").write_text(source)
    return folder / "parse.c", [str(folder / "parse.c"), str(folder / "parse.h"), "/usr/include/errno.h"]


def test_names_of_errno_macros_and_enumerators(tmp_path: Path) -> None:
    assert dict(named_results(*written(tmp_path, SOURCE))) == {
        "-EINVAL": -22,
        "PARSE_END": 7,
        "PARSE_LATE": -3,
        "DONE": 5,
        "OCTAL": 15,
        "IDLE": 0,
    }


def test_a_number_with_two_names_has_none(tmp_path: Path) -> None:
    text = "enum { NOTHING }; int f(int a) { if (a) return IDLE; if (a > 3) return BUSY; return NOTHING; }\n"
    assert named_results(*written(tmp_path, text)) == (("BUSY", 4),)


def test_a_source_without_names_needs_no_header(tmp_path: Path) -> None:
    (tmp_path / "plain.c").write_text("int f(int a) { return a > 3 ? 1 : 0; }\n")
    assert named_results(tmp_path / "plain.c", [str(tmp_path / "missing.h")]) == ()


def test_names_count_that_the_entry_can_return(tmp_path: Path) -> None:
    text = """/* two
lines */
static int inner(int a) { return a ? 1 : 0; }
int entry(int a)
{
    if (a > 3) return IDLE;
    return inner(a);
}
int other(int a) { return BUSY; }
"""
    source, files = written(tmp_path, text)
    functions = [
        Function(name, str(source), line, (), 0, is_static=False, calls=calls)
        for name, line, calls in (("inner", 3, ()), ("entry", 4, ("inner",)), ("other", 9, ()))
    ]
    assert named_results(source, files, functions, "entry") == (("IDLE", 0),)
    assert named_results(source, files, functions, "other") == (("BUSY", 4),)
    assert named_results(source, files, functions, "inner") == ()
    assert named_results(source, files, functions, "elsewhere") == (("BUSY", 4), ("IDLE", 0))
