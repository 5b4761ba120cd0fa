"""A struct whose numbers do not matter is not to blame: a function that fills it overflows for each caller's. Where
a number of it decides whether there is a fault, calls of the unit have to make it. So with bytes behind a `void *`."""

from __future__ import annotations

from pathlib import Path

import veer
from veer.model.outcome import Outcome
from veer.model.severity import Severity

_SOURCE = """
#include <string.h>
struct settings { char name[8]; unsigned used; int port; };
int filled(const char *text, struct settings *s)
{
    memset(s, 0, sizeof *s);
    strcpy(s->name, text);
    return s->port;
}
int added(const char *text, struct settings *s)
{
    memcpy(s->name + s->used, text, strlen(text));
    s->used += (unsigned)strlen(text);
    return 0;
}
int emptied(struct settings *s) { s->used = 0; return s->port; }
int named(const char *text, struct settings *s)
{
    strncpy(s->name, text, sizeof s->name);
    return (int)strlen(s->name);
}
"""


def test_a_struct_that_is_filled_first_is_not_to_blame(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    found = veer.test(unit, "filled", budget="10s")
    bugs = [bug for bug in found.bugs if not any("NULL" in need for need in bug.needs)]
    assert {(bug.severity, bug.judgement.indifferent) for bug in bugs} == {(Severity.ERROR, ("settings",))}


def test_a_text_without_its_end_is_an_error_whatever_lies_behind_it(tmp_path: Path) -> None:
    """With 0 in `used` the text ends behind its array, with other numbers behind the struct."""
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    bugs = [bug for bug in veer.test(unit, "named", budget="10s").bugs if not any("NULL" in need for need in bug.needs)]
    assert {bug.severity for bug in bugs} == {Severity.ERROR}
    assert all(bug.judgement.indifferent == ("settings",) for bug in bugs)


def test_a_number_that_decides_is_one_that_calls_have_to_make(tmp_path: Path) -> None:
    """`added` overflows with most values of `used`, but not with 0."""
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    bugs = veer.test(unit, "added", budget="10s").bugs
    assert any("array index" in bug.message for bug in bugs)
    assert not any(bug.judgement.indifferent for bug in bugs)


_BYTES = """
#include <stdlib.h>
struct vec { int *body; char first; };
int first_of(const void *item)
{
    struct vec *made = malloc(sizeof *made);
    if (!made) return -1;
    int has_body = made->body != 0;                  /* never set, whatever item leads to */
    made->first = *(const char *)item;
    int first = made->first;
    free(made);
    return has_body + first;
}
int kind_of(const void *item)
{
    int kind;
    if (((const unsigned char *)item)[3] != 7) kind = 1;
    return kind;
}
"""


def test_bytes_behind_a_pointer_to_void_are_to_blame_only_where_one_of_them_decides(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(_BYTES)
    for entry, severity, names in (("first_of", Severity.ERROR, ("*item",)), ("kind_of", Severity.CONTRACT, ())):
        bugs = [each for each in veer.test(unit, entry, budget="10s").bugs if each.outcome is Outcome.UNINITIALISED]
        assert {(each.severity, each.judgement.indifferent) for each in bugs} == {(severity, names)}, entry
