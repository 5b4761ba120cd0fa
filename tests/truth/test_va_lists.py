"""What a va_list leads to is an input (docs/decisions/0447): each result that some caller gets is found, no other, and
the tests hold on the plain build and in a suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from variadic_calls import holds, results, results_of_every_call

import veer
from veer.model.ending import Claim
from veer.model.errors import UnsupportedInputError
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.severity import Severity

UNIT = """
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each kind of argument, in any order. */
int kinds(const char *fmt, va_list ap)
{
    int n = 0;
    for (; *fmt; fmt++)
        switch (*fmt) {
        case 'd': if (va_arg(ap, int) == -1234) n |= 1; break;
        case 'l': if (va_arg(ap, long) == 0x123456789aL) n |= 2; break;
        case 's': { const char *s = va_arg(ap, const char *); if (s && s[0] == 'x') n |= 4; break; }
        case 'f': if (va_arg(ap, double) == 2.5) n |= 8; break;
        default: return -1;
        }
    return n;
}

/* A list that is copied, and read twice. */
int twice(int n, va_list ap)
{
    va_list again;
    int first, second;
    va_copy(again, ap);
    first = va_arg(ap, int);
    second = va_arg(again, int);
    va_end(again);
    if (first != second) return 1;
    return va_arg(ap, int) == (int)(first + 1u) ? 2 : n > 0 ? 3 : 4;
}

/* The library takes the arguments. */
int formatted(va_list ap)
{
    char text[16];
    vsnprintf(text, sizeof text, "%d-%s", ap);
    if (!strcmp(text, "42-b")) return 1;
    return text[0] == '7' ? 2 : 3;
}

/* More than there are. */
int counted(int n, va_list ap)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum |= va_arg(ap, int);
    return sum != 0;
}

/* A stream among the arguments, and an object that only functions of the unit make. */
struct line { int length; char *text; };
struct line *line_new(void) { struct line *l = malloc(sizeof *l); if (l) { l->length = 0; l->text = 0; } return l; }
void line_add(struct line *l) { l->length++; }
int from_stream(va_list ap) { FILE *f = va_arg(ap, FILE *); return fgetc(f) == 'x'; }
int behind(struct line *l, va_list ap) { return va_arg(ap, int) == 7 ? 100 / (l->length + 5) : 0; }

int total(int n, ...) { va_list ap; int k; va_start(ap, n); k = va_arg(ap, int); va_end(ap); return k > 3 ? n : 0; }
"""
CALL = """
static int call(const char *fmt, ...) { va_list ap; va_start(ap, fmt); int n = kinds(fmt, ap); va_end(ap); return n; }
"""


def explored(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="30s", **options)
    assert not result.diverged
    assert {test.replayed for test in result.tests if not test.outcome.is_bug} == {"same"}
    assert all(branch.state.name == "COVERED" for branch in result.branches), "and none of va_arg()'s own is counted"
    return result


def test_results_are_those_of_every_call(tmp_path: Path) -> None:
    result = explored(tmp_path, "kinds", criterion="path", max_length=2, nonnull=["fmt"], hybrid=False)
    assert result.ending.claim is Claim.PATHS
    assert "8 arguments of a va_list" in result.ending.within
    assert results(result) == results_of_every_call(tmp_path, UNIT + CALL, "call")
    assert holds(tmp_path, result)


@pytest.mark.parametrize(("entry", "found"), [("twice", {2, 3, 4}), ("formatted", {1, 2, 3})])
def test_copies_and_the_library_read_the_same_arguments(tmp_path: Path, entry: str, found: set[int]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="30s", max_length=2, max_runs=500)
    assert not result.diverged and not [bug for bug in result.bugs if bug.severity is not Severity.CONTRACT]
    assert results(result) == found, "two readers of one list see one argument"
    assert holds(tmp_path, result)


def test_more_arguments_than_there_are_are_the_callers_business(tmp_path: Path) -> None:
    result = explored(tmp_path, "counted")
    assert {bug.outcome for bug in result.bugs} == {Outcome.BOUNDS_READ}
    assert {bug.severity for bug in result.bugs} == {Severity.CONTRACT}


@pytest.mark.parametrize("entry", sampled(("from_stream", "behind"), lambda each: each == "behind"))
def test_what_no_list_holds_is_no_error(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="10s", nonnull=["l"] if entry == "behind" else [])
    assert result.bugs
    assert {bug.severity for bug in result.bugs} <= {Severity.CONTRACT, Severity.UNDEFINED}
    assert not [note for note in result.program.notes if "not looked for" in note]


def test_no_list_is_made_in_sequences(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    with pytest.raises(UnsupportedInputError, match="veer cannot make a va_list"):
        veer.test(source, sequence="twice,counted", budget="1s")
