"""What --interrupt refuses, what it shows, and that a loop which waits for an interrupt is no hang."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer
from veer.cli.app import main
from veer.model.errors import UsageError
from veer.model.outcome import Outcome

pytestmark = pytest.mark.slow

SOURCE = """
static volatile unsigned char ready, ticks;
void isr(void) { ready = 1; ticks++; }
int of(int n) { ready = (unsigned char)n; return n; }
void takes(int n) { ticks = (unsigned char)n; }
int waits(void) { while (!ready) { } return ticks; }
int twice(void) { ready = 0; if (!ready && ready) return 100 / (ticks - 1); return 0; }
"""
PLAIN = "int count;\nvoid isr(void) { count++; }\nint f(void) { return count; }\n"


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    file = tmp_path / "unit.c"
    file.write_text(SOURCE)
    return file


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody", "unit.c defines no function of that name"),
        ("of", "give a void of(void)"),
        ("takes", "give a void takes(void)"),
    ],
)
def test_what_is_no_interrupt_routine_is_refused(unit: Path, name: str, sentence: str) -> None:
    with pytest.raises(UsageError, match="--interrupt") as refused:
        veer.test(unit, entry="waits", interrupt=name)
    assert sentence in str(refused.value)


def test_sources_without_volatile_accesses_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.c"
    file.write_text(PLAIN)
    asked = ["test", str(file), "--entry", "f", "--interrupt", "isr", "--out", str(tmp_path / "out")]
    assert main(asked) == 2
    assert "no volatile access" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "other"),
    [({"entry": "waits", "partitioned": True}, "--partitioned"), ({"sequence": "waits,twice*"}, "--sequence")],
)
def test_searches_that_do_not_know_interrupts_are_refused(unit: Path, options: dict[str, object], other: str) -> None:
    with pytest.raises(UsageError, match="--interrupt") as refused:
        veer.test(unit, interrupt="isr", **options)  # type: ignore[call-overload]
    assert other in str(refused.value)


def test_who_waits_for_an_interrupt_does_not_hang(unit: Path) -> None:
    alone = veer.test(unit, entry="waits", budget="3s", grow=False)
    assert [bug.outcome for bug in alone.bugs] == [Outcome.HANG]
    result = veer.test(unit, entry="waits", interrupt="isr", budget="3s", grow=False)
    assert result.bugs == ()
    assert any(dict(test.shown).get("isr()", "").startswith("before volatile access") for test in result.tests)


def test_the_bound_grows_and_the_suite_names_what_it_cannot_do(unit: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["test", str(unit), "--entry", "twice", "--interrupt", "isr", "--budget", "5s", "--out", str(out)]) == 1
    suite = (out / "suite" / "test_twice.c").read_text()
    assert "isr comes before volatile access 3: only veer's own replay" in suite
    assert "up to 2 calls of isr before the first 256 volatile accesses" in (out / "summary.json").read_text()


ROUTINE = """
volatile int flag;
void isr(void) { flag = 1; }
static void hidden(void) { flag = 2; }
void starts(void) { hidden(); }
"""
READER = """
extern volatile int flag;
int k(int x) { int a = flag; if (a != flag && x == 3) { int *p = 0; return *p; } return a; }
"""


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """A routine in one source, who is interrupted in another."""
    files = [tmp_path / "routine.c", tmp_path / "reader.c"]
    for file, text in zip(files, (ROUTINE, READER), strict=True):
        file.write_text(text)
    return files


def test_the_routine_may_be_in_another_source(two: list[Path], tmp_path: Path) -> None:
    one = tmp_path / "one.c"
    one.write_text(ROUTINE + READER)
    together = veer.test(one, entry="k", interrupt="isr", budget="3s", grow=False)
    apart = veer.test(two, entry="k", interrupt="isr", budget="3s", grow=False)
    shown = [(bug.outcome, bug.confirmed) for bug in apart.bugs]
    assert shown == [(bug.outcome, bug.confirmed) for bug in together.bugs] == [(Outcome.SEGFAULT_NULL, "plain")]
    assert (apart.paths, apart.ending.within) == (together.paths, together.ending.within)


def test_a_static_routine_of_another_source_is_refused(two: list[Path]) -> None:
    with pytest.raises(UsageError, match=r"static in routine\.c, and k is in reader\.c"):
        veer.test(two, entry="k", interrupt="hidden")


@pytest.mark.parametrize("name", ["nobody", "k"])
def test_with_all_a_wrong_name_is_refused_once(two: list[Path], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = two[0].parent / "out"
    assert main(["test", *map(str, two), "--all", "--interrupt", name, "--out", str(out)]) == 2
    said = capsys.readouterr()
    assert said.err.count("--interrupt") == 1 and not said.out
