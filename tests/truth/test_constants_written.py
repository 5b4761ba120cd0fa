"""Constant data that is written to: the bug has its place, also where the bytes were read before."""

from __future__ import annotations

from pathlib import Path

import veer

UNIT = """
#include <string.h>
#include <libgen.h>

static char *name(char *text) { return *text ? text : (char *)"."; }

int shorten(char *text, char *suffix)
{
    char *p = name(text);
    long keep = (long)strlen(p) - (long)strlen(suffix);
    if (keep > 0)
        p[keep] = 0; /* line 11 */
    return 0;
}

int of_the_library(char *text)
{
    char *p = basename(text);
    if (p[0] == '.')
        p[0] = '_'; /* line 19 */
    return p[0];
}
"""


def test_a_constant_that_was_read_is_written(tmp_path: Path) -> None:
    source = tmp_path / "constants.c"
    source.write_text(UNIT.lstrip())
    for entry, line in (("shorten", 11), ("of_the_library", 19)):
        result = veer.test(source, entry, nonnull=("text", *(("suffix",) if entry == "shorten" else ())), budget=5)
        told = {(bug.message.split(":")[0], bug.line) for bug in result.bugs}
        assert told == {("a constant object or a string literal was written to", line)}, result.bugs
        assert not result.ledger, result.ledger  # basename is followed
