"""`veer test --all`: one budget, one summary in the schema of all, one table; the exit code of the worst."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from veer.cli import running, tested
from veer.cli.app import main
from veer.cli.beginning import lines_of, quick_ones_first
from veer.cli.exit_codes import FAILED, INTERRUPTED
from veer.cli.running import together
from veer.cli.tally import Tally
from veer.cli.tested import Task
from veer.frontends.protocol import Entry
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.errors import UsageError
from veer.model.progress import Progress
from veer.model.result import Count, Result
from veer.model.searchoptions import SearchOptions
from veer.model.survey import Row, Survey
from veer.model.values import replace
from veer.report.survey import survey_lines, wrapped

SOURCE = """
#include <stdio.h>
static int sign(int v) { return v < 0 ? -1 : v > 0; }
int ratio(int a, int b) { return sign(a) / b; }
int never(__int128 wide) { return wide > 0; }
"""


def test_the_shortest_functions_are_tested_first() -> None:
    places = (("a.c", 10), ("a.c", 40), ("b.c", 1), ("b.c", 4), ("a.c", 1))
    lines = lines_of([Entry(f"f{k}", file, line) for k, (file, line) in enumerate(places)])
    assert lines[0] == 30 and lines[2] == 3 and lines[4] == 9 and min(lines[1], lines[3]) > 1000
    assert quick_ones_first(range(5), lines, 1) == [2, 0, 1, 3, 4]
    assert quick_ones_first(range(5), lines, 2) == [2, 4, 0, 1, 3]
    assert quick_ones_first([3, 0], lines, 8) == [0, 3]
    assert quick_ones_first([], [], 2) == []


@pytest.mark.slow
def test_functions_of_a_header_are_tested_where_the_source_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.h").write_text("#ifdef LIB\nint twice(int n) { return n > 3 ? 2 : 0; }\n#endif\n")
    source = tmp_path / "lib.c"
    source.write_text('#define LIB\n#include "lib.h"\n')
    assert main(["test", "lib.c", "--all", "--budget", "10s", "--out", "out"]) == 0
    assert "1 of 1 functions tested, branches 2 of 2" in capsys.readouterr().out
    source.write_text('#include "lib.h"\n#include <string.h>\n')
    assert main(["test", "lib.c", "--all"]) == 2
    assert "defines no function, nor does a header in" in capsys.readouterr().err


@pytest.mark.slow
def test_every_function_is_tested_in_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "unit.c", tmp_path / "out"
    source.write_text(SOURCE)
    assert main(["test", str(source), "--all", "--budget", "20s", "--out", str(out)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["function", "paths", "branches", "bugs", "seconds"]
    assert [line.split()[0] for line in shown[1:4]] == ["sign", "ratio", "never"]
    assert "cannot be an entry: the parameter wide of never is unsupported" in shown[3]
    assert shown[4].startswith("bug 1: unit.c:4 ratio: ")
    assert shown[5].startswith("2 of 3 functions tested, branches 2 of 2 (100 %), 1 bug, ")
    whole = json.loads((out / "summary.json").read_text())
    assert whole["entries"] == ["sign", "ratio"]
    assert whole["ending"]["claim"] == "paths"
    assert [bug["test"].partition("/")[0] for bug in whole["bugs"]] == ["ratio"]
    parts = [json.loads((out / name / "summary.json").read_text()) for name in ("sign", "ratio")]
    assert whole["paths"] == sum(part["paths"] for part in parts)
    known = {branch["id"] for branch in whole["branches"]}
    assert all(set(test["covers"]) <= known for test in whole["tests"])
    rows = [(each["name"], each["bugs"], bool(each["why_not"])) for each in whole["functions"]]
    assert rows == [("sign", 0, False), ("ratio", 1, False), ("never", 0, True)]
    written = (out / "index.html").read_text()
    assert written.index("ratio/report.html") < written.index("sign/report.html")  # it has a bug
    (out / "index.html").unlink()
    assert main(["report", str(out), "--format", "html", "--format", "sarif", "--format", "junit"]) == 0
    assert (out / "index.html").read_text() == written
    results = json.loads((out / "report.sarif").read_text())["runs"][0]["results"]
    assert [each["locations"][0]["logicalLocations"][0]["name"] for each in results] == ["ratio"]
    cases = ElementTree.parse(out / "junit.xml").getroot().iter("testcase")
    assert {each.get("classname") for each in cases} == {"sign", "ratio"}


@pytest.mark.slow
def test_a_source_beside_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "unit.c").write_text("int f(int a) { return a > 3; }\n")
    monkeypatch.chdir(tmp_path / "below")
    assert main(["test", "../unit.c", "--all", "--out", "out"]) == 0
    assert "1 of 1 functions tested" in (shown := capsys.readouterr().out)
    assert "does not compile" not in shown
    assert json.loads((tmp_path / "below/out/f/summary.json").read_text())["sources"] == [str(tmp_path / "unit.c")]


@pytest.mark.slow
def test_a_project_is_tested_replayed_and_exported_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("src", "include"):
        (tmp_path / folder).mkdir()
    (tmp_path / "include/limit.h").write_text("#define LIMIT 7\nint clamp(int a);\n")
    (tmp_path / "src/clamp.c").write_text('#include "limit.h"\nint clamp(int a) { return a > LIMIT ? LIMIT : a; }\n')
    (tmp_path / "src/twice.c").write_text('#include "limit.h"\nint both(int a) { return a == 9 ? 1 : clamp(a); }\n')
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert main(["init"]) == 2
    assert "there is a veer.toml here already" in capsys.readouterr().err
    assert main(["test", "--out", "out", "--no-reach"]) == 0
    assert "2 of 2 functions tested" in capsys.readouterr().out
    assert main(["replay", "out"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert (
        shown[0].startswith("clamp/")
        and shown[-1] == f"{len(shown) - 1} of {len(shown) - 1} ended as they were recorded"
    )
    assert main(["replay", "out", "--test", "1"]) == 2
    assert "out holds many functions" in capsys.readouterr().err
    assert main(["export", "out", "--format", "plain", "--to", "tests"]) == 0
    names = {
        "CMakeLists.txt",
        "veer_support.h",
        *(f"test_{each}.{end}" for each in ("clamp", "both") for end in ("c", "cmake")),
    }
    assert {each.name for each in (tmp_path / "tests").iterdir()} == {".veer", *names}


@pytest.mark.slow
def test_several_at_a_time_find_what_one_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    found = []
    for jobs in ("1", "3"):
        out = tmp_path / jobs
        assert main(["test", str(source), "--all", "--budget", "20s", "--jobs", jobs, "--out", str(out)]) == 1
        whole = json.loads((out / "summary.json").read_text())
        kept = {name: whole[name] for name in ("entries", "paths", "ending", "coverage", "branches", "tests", "ledger")}
        bugs = [{**bug, "found": None} for bug in whole["bugs"]]
        found.append((kept, bugs, [line.split()[:3] for line in capsys.readouterr().out.splitlines()[:4]]))
    assert found[0] == found[1]


def fails(build: BuildOptions, search: SearchOptions, out: Path) -> Result:
    """A tester that notes its share, and is killed for one function."""
    out.write_text(f"{search.budget:.1f} {search.jobs}")
    if build.entry == "third":
        os.kill(os.getpid(), signal.SIGKILL)
    raise UsageError(f"{build.entry} is refused")


def general(jobs: int) -> SearchOptions:
    return SearchOptions(budget=10.0, jobs=jobs)


def tasks(folder: Path, names: tuple[str, ...], jobs: int) -> list[Task]:
    return [Task(BuildOptions(sources=(), entry=name), general(jobs), folder / name, "unit.c:1") for name in names]


def test_shares_of_several_at_a_time_and_their_order(tmp_path: Path) -> None:
    told: list[Progress] = []
    names = ("first", "second", "fourth", "fifth", "sixth")
    found = together(tasks(tmp_path, names, 2), general(2), fails, Tally(len(names), told.append), len(names))
    assert [each.row.function for each in found] == list(names)
    assert [each.row.why_not for each in found] == [f"{name} is refused" for name in names]
    shares = [(tmp_path / name).read_text() for name in names]
    # Two at a time have 20 s; what is lent to the time behind the first search is set aside when the second begins.
    assert shares[:2] == ["4.0 1", "3.7 1"]
    assert shares[-1] == "10.0 1"  # nobody used his; no more than the budget


def test_it_is_told_how_far_all_is_while_one_function_is_under_way(tmp_path: Path) -> None:
    is_told_again = threading.Event()
    notes: list[str] = []

    def show(progress: Progress) -> None:
        notes.append(progress.note)
        if len(notes) > 2:
            is_told_again.set()

    def waits(build: BuildOptions, search: SearchOptions, out: Path) -> Result:
        assert is_told_again.wait(60), "nothing is told"
        raise UsageError("it is refused")

    found = list(
        running.tested_anew(
            tasks(tmp_path, ("first",), 1), (BuildOptions(sources=(), entry=""), general(1)), waits, Tally(1, show), 1
        )
    )
    assert [each.row.why_not for each in found] == ["it is refused"]
    assert "; now first" in notes[1] and "; now" not in notes[-1]


def test_functions_that_a_stop_came_before_have_rows_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of a run that was stopped at its first function said `1 of 1 functions tested`."""
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    began: list[str] = []

    def stopped(asked: Sequence[Task], *_: object) -> list[tested.Tested]:
        began.extend(each.build.entry for each in asked[:1])
        return [tested.Tested(Row(asked[0].build.entry, asked[0].place, paths=1), INTERRUPTED)]

    monkeypatch.setattr("veer.cli.all_entries.tested_anew", stopped)
    assert main(["test", str(source), "--all", "--out", str(tmp_path / "out")]) == INTERRUPTED
    shown = capsys.readouterr().out
    assert "1 of 3 functions tested" in shown
    assert sum("not begun when the run was stopped" in line for line in shown.splitlines()) == 1
    assert len(began) == 1


def test_a_cluster_has_functions_spread_over_it_before_one_is_split(tmp_path: Path) -> None:
    names = ("first", "second", "fourth", "fifth", "sixth")
    far = replace(general(4), cluster="a cluster")
    found = together(tasks(tmp_path, names, 4), far, fails, Tally(len(names), lambda _: None), len(names))
    assert [each.row.function for each in found] == list(names)
    assert [(tmp_path / name).read_text().split()[1] for name in names[:2]] == ["1", "1"]
    together(tasks(tmp_path, ("last",), 4), far, fails, Tally(1, lambda _: None), 1)
    assert (tmp_path / "last").read_text() == "10.0 4", "nobody else is there"


def test_few_functions_have_several_processes_each(tmp_path: Path) -> None:
    told: list[Progress] = []
    together(tasks(tmp_path, ("first", "second"), 5), general(5), fails, Tally(2, told.append), 2)
    assert (tmp_path / "first").read_text() == "10.0 2"
    assert [each.note.partition(" functions")[0] for each in told] == ["0 of 2", "0 of 2", "1 of 2", "2 of 2"]
    assert [(each.done, each.total) for each in told] == [(0, 2), (0, 2), (1, 2), (2, 2)]
    assert "more); now" in told[1].note and "more)" not in told[-1].note
    assert told[1].note.endswith("; now first, second") and ";" not in told[-1].note


def test_a_function_that_is_tested_again_has_its_share_of_all_jobs(tmp_path: Path) -> None:
    together(tasks(tmp_path, ("again",), 4), general(4), fails, Tally(1, lambda _: None), 30)
    assert (tmp_path / "again").read_text().endswith(" 1")


def test_a_function_whose_process_is_killed_is_told(tmp_path: Path) -> None:
    told: list[Progress] = []
    names = ("third", "first", "second", "fourth")
    found = together(tasks(tmp_path, names, 2), general(2), fails, Tally(len(names), told.append), len(names))
    said = [each.row.why_not for each in found]
    assert said[0] == "the process that tested it died"
    assert said[1:] == ["first is refused", "second is refused", "fourth is refused"]
    assert max(each.code for each in found) == FAILED


@pytest.mark.parametrize("option", [["--entry", "sign"], ["--pre", "sign"], ["--sequence", "sign"]])
def test_all_leaves_no_room_for_a_choice(tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    assert main(["test", str(source), "--all", *option]) == 2
    assert "--all tests every function as it is" in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_to_be_known_of_a_suite_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "int veer_expect_signed(int x) { return x > 3; }\nint g(int x) { return veer_expect_signed(x); }\n"
    )
    main(["test", str(source), "--all", "--out", str(tmp_path / "out")])
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1, notes
    assert notes[0].startswith("note: veer_expect_signed, g: the suite does not compile: ")


def test_the_table_says_what_was_claimed_and_what_was_not_tested() -> None:
    rows = (
        Row(
            "first",
            "a.c:1",
            paths=12,
            branches=Count(3, 4),
            bugs=1,
            seconds=0.5,
            ending=Ending(EndingKind.EXHAUSTED, Claim.PATHS),
        ),
        Row("second_one", "a.c:9", paths=2, ending=Ending(EndingKind.BUDGET, Claim.NONE)),
        Row("third", "a.c:12", "cannot be an entry: no"),
    )
    lines = survey_lines(Survey(rows, Count(3, 4), (("a.c:2", "first", "it breaks", "first"),), 1.25))
    for width in (80, 120):
        narrow = wrapped([*lines, "bug 7: " + "a long sentence " * 20], width)
        assert max(map(len, narrow)) <= width and narrow[: len(wrapped(lines, width))] == wrapped(lines, width)
        assert " ".join(" ".join(narrow).split()).endswith("a long sentence a long sentence")
    assert lines == [
        "function      paths  branches      bugs  seconds",
        "first            12  3 of 4           1      0.5  every path",
        "second_one        2  not measured     0      0.0  the budget of time or memory ran out",
        "third             -  cannot be an entry: no",
        "bug 1: a.c:2 first: it breaks (first)",
        "2 of 3 functions tested, branches 3 of 4 (75 %), 1 bug, 1.2 s",
    ]


def test_of_many_contracts_and_notes_the_first_are_shown() -> None:
    ending = Ending(EndingKind.EXHAUSTED, Claim.PATHS)
    rows = tuple(Row(f"f{k}", f"a.c:{k}", ending=ending, remarks=(f"note {k}", "of all")) for k in range(7))
    contracts = tuple(f"a.c:{k} f{k}: it breaks, but it needs NULL for `p`" for k in range(9))
    lines = survey_lines(Survey(rows, Count(0, 0), (), 1.0, contracts, 9))
    assert [line for line in lines if line.startswith("contract: ")] == [
        *(f"contract: {each}" for each in contracts[:5]),
        "contract: 4 more causes, in index.html",
    ]
    assert [line for line in lines if line.startswith("note: ")] == [
        "note: f0, f1, f2 and 4 more: of all",
        *(f"note: f{k}: note {k}" for k in range(4)),
        "note: 3 more notes, in index.html",
    ]
