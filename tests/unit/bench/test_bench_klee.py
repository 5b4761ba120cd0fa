"""bench/klee.py with programs that only look like KLEE and clang: what is asked of them, and what is read from them."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

import klee
import pytest
import throughput
from measuring import PHASES, Measured
from rows import ROWS, Row

from veer.model.values import replace

BENCH = Path(__file__).parents[3] / "bench"
ONE = Measured(4000, 4000, 2.0, 0.5, 1.0, 0.5, 0.5, dict.fromkeys(PHASES, 1.0), {"order": 3999}, 50, "exhausted", "-")
KLEE = """#!/bin/sh
echo "$@" >> {log}
case "$*" in
*search=dfs*) echo 'KLEE: done: completed paths = 25199' >&2 ;;
*silent*) echo 'KLEE: ERROR: no such file' >&2; exit 1 ;;
*) echo 'KLEE: done: completed paths = 130' >&2 ;;
esac
echo 'KLEE: done: partially completed paths = 7' >&2
"""
CLANG = """#!/bin/sh
echo "$@" >> {log}
while [ "$1" != -o ]; do shift; done
: > "$2"
"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory on the PATH with both programs; what they were called with is in its file `log`."""
    log = tmp_path / "log"
    for name, text in (("klee", KLEE), ("clang", CLANG)):
        program = tmp_path / name
        program.write_text(text.format(log=log))
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return log


def test_klee_runs_the_same_harness_and_its_paths_are_read(tools: Path) -> None:
    assert klee.is_here()
    row = next(row for row in ROWS if row.name == "bubble 5")
    build = row.options(Path("/nowhere"))
    dfs, default = klee.explored(build, "dfs", 3.0), klee.explored(build, "", 3.0)
    assert (dfs.paths, default.paths) == (25199, 130)
    assert dfs.speed == dfs.paths / dfs.seconds
    compiled, first, _, second = tools.read_text().splitlines()
    assert "-DSIZE=5" in compiled
    assert str(BENCH / "subjects" / "bubble.c") in compiled
    assert "--max-time=3s" in first
    assert "--search=dfs" in first
    assert "--search" not in second


def test_the_ratio_is_to_klee_where_it_is_here_and_to_other_figures_where_not(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    given = argparse.Namespace(work=Path("/nowhere"), budget=3.0)
    row = Row("regexp", klee=(300, 3.0))
    monkeypatch.setattr(klee, "explored", lambda _build, search, _budget: klee.KleeRun(80 if search else 20, 2.0))
    assert throughput.beside(row, given, ONE) == ["40", "100.0", "10"]
    monkeypatch.setenv("PATH", "/nowhere")
    assert throughput.beside(row, given, ONE) == ["~100", "~80.0", "-"]
    assert throughput.beside(Row("regexp"), given, ONE) == ["-", "-", "-"]


def test_klee_that_tells_no_number_is_an_error(tools: Path) -> None:
    (tools.parent / "klee").write_text("#!/bin/sh\necho 'KLEE: ERROR: broken' >&2\nexit 1\n")
    with pytest.raises(RuntimeError, match="broken"):
        klee.explored(Row("regexp").options(Path("/nowhere")), "dfs", 3.0)


@pytest.mark.parametrize(
    ("paths", "ending", "said"), [(120, "exhausted", "exact"), (119, "exhausted", "NOT 120"), (119, "budget", "-")]
)
def test_a_number_of_paths_that_is_known_must_come_out(tools: Path, paths: int, ending: str, said: str) -> None:
    one = replace(ONE, paths=paths, ending=ending)
    assert throughput.verdict(Row("bubble", 5, known=120), one) == said


def test_a_wrong_number_ends_the_table_with_a_fault(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:

    one = replace(ONE, paths=119)
    cover = {"branches": "2/2", "runs": 2, "seconds": 0.01, "is_all": True}
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(throughput, "warm_up", lambda _cache: None)
    monkeypatch.setattr(throughput, "in_own_process", lambda *_: {"all": asdict(one), "cover": cover})
    given = argparse.Namespace(work=Path("/nowhere"), budget=3.0, json=None)
    faults = throughput.print_table([Row("bubble", 5, known=120)], given)
    assert faults == ["bubble 5: 119 paths, NOT 120"]
    assert "NOT 120" in capsys.readouterr().out
