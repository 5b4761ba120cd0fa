"""Variables that no source defines are inputs (docs/decisions/0572): what a function returns is what it returns for all
of their values, by brute force; the suite sets them, and what they alone bring about is no error of the function's."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite
from variadic_calls import holds, results

import veer
from veer.model.ending import Claim
from veer.model.result import Result
from veer.model.severity import Severity

UNIT = """
extern int limit, step;
extern unsigned char mode[3];
extern struct settings { short low, high; const struct settings *next; } settings;
extern const char *names[2];
extern int (*handler)(int code);
extern const int table[4];
extern int unsized[];

static int beyond(int x) { return x > limit; }

/* Through a function of its own; `step` is only written. */
int compared(int x)
{
    step = x;
    return beyond(x) ? (unsigned)x == limit + 3u ? 1 : 2 : 3;
}

int chosen(unsigned char x)
{
    if (mode[x % 3] == 7) return 1;
    return mode[0] + mode[1] == 300 && mode[2] == x ? 2 : 3;
}

int followed(void)
{
    if (settings.low > settings.high) return 1;
    if (settings.next && settings.next->low == 9) return 2;
    return names[1] && names[1][0] == 'q' ? 3 : 4;
}

int handled(int x) { return handler && handler(x) == 3; }
int unasked(int x) { return handler(x) == 3; }
static int bound(void) { return limit; }
int hidden(int limit) { return limit > bound() ? 1 : limit == bound() ? 2 : 3; }
int price(int x) { return table[x & 3]; }
int other(int x) { return unsized[0] == x; }
int at(void) { int prices[4] = {1, 2, 3, 4}; return prices[limit]; }
"""
_RIGHT = """
#include <stdio.h>
#include <string.h>
{unit}
int limit, step, unsized[4];
unsigned char mode[3];
struct settings settings;
const char *names[2];
int (*handler)(int code);
const int table[4];
int main(void)
{{
    static const int some[] = {{-5, 0, 1, 4, 7, 9}};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {{
            limit = some[i];
            printf("compared %d\\n", compared(some[j]));
        }}
    for (int n = 0; n < 1 << 15; n++) {{
        static const unsigned char values[] = {{0, 7, 45, 255, 1, 2, 3, 200}};
        for (int k = 0; k < 3; k++) mode[k] = values[n >> 3 * k & 7];
        for (int x = 0; x < 8; x++) printf("chosen %d\\n", chosen(values[x]));
    }}
    struct settings next = {{9, 0, 0}};
    for (int n = 0; n < 8; n++) {{
        settings = (struct settings){{(short)(n & 1), 0, n & 2 ? &next : 0}};
        names[1] = n & 4 ? "q" : 0;
        printf("followed %d\\n", followed());
    }}
}}
"""


def explored(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, **{"budget": "30s", **options})
    assert not result.diverged and {test.replayed for test in result.tests} == {"same"}
    assert holds(folder, result)
    return result


@pytest.mark.parametrize("entry", ["compared", "chosen", "followed"])
def test_results_are_those_of_all_values(tmp_path: Path, entry: str) -> None:
    result = explored(tmp_path, entry, criterion="path", nonnull=[])
    done = build_suite(tmp_path, "right.c", _RIGHT.format(unit=UNIT)).run()
    told = {int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith(f"{entry} ")}
    assert results(result) == told and len(told) > 1
    assert result.ending.claim is Claim.PATHS and not result.bugs
    assert not [words for words in result.ending.within if " = 0" in words]


def test_a_pointer_to_a_function_is_null_or_one(tmp_path: Path) -> None:
    assert results(explored(tmp_path, "handled")) == {0, 1}


@pytest.mark.parametrize(("entry", "name"), [("unasked", "handler"), ("at", "limit")])
def test_what_only_such_a_variable_brings_about_is_no_error(tmp_path: Path, entry: str, name: str) -> None:
    result = explored(tmp_path, entry)
    assert {bug.severity for bug in result.bugs} == {Severity.CONTRACT}
    assert all(f"`{name}`" in bug.needs[0] and "neither calls" in bug.needs[0] for bug in result.bugs)


@pytest.mark.parametrize(("entry", "kept"), [("price", {"table"}), ("other", {"unsized"}), ("hidden", {"limit"})])
def test_what_is_no_input_stays_zeros_and_is_named(tmp_path: Path, entry: str, kept: set[str]) -> None:
    result = explored(tmp_path, entry)
    assert {words.removesuffix(" = 0") for words in result.ending.within if words.endswith(" = 0")} == kept


def test_nothing_is_said_of_what_the_entry_does_not_use(tmp_path: Path) -> None:
    result = explored(tmp_path, "compared")
    said = {note.split()[2] for note in result.program.notes if note.startswith("the variable ")}
    assert said == {"limit", "step"}


def test_calls_that_make_an_object_do_not_vouch_for_such_a_variable(tmp_path: Path) -> None:
    """A stack whose push() calls what nobody defines where it is full: that it is NULL is no error of push()'s."""
    source = tmp_path / "unit.c"
    source.write_text("""
    struct stack { int used, of[2]; };
    extern void (*failed)(const char *text);
    void begin(struct stack *s) { s->used = 0; }
    void push(struct stack *s, int x) { if (s->used < 2) s->of[s->used++] = x; else failed("full"); }
    """)
    result = veer.test(source, "push", budget="30s")
    assert {bug.severity for bug in result.bugs} == {Severity.CONTRACT}


def test_a_variable_that_a_block_declares_spoils_no_other(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("""
    extern int limit;
    int f(int x) { extern int inner; return x > limit ? inner > 3 ? 2 : 1 : 0; }
    """)
    result = veer.test(source, "f", budget="30s")
    assert results(result) >= {0, 1}
    assert {words for words in result.ending.within if words.endswith(" = 0")} == {"inner = 0"}
