"""The command line: every wrong call ends in one clear sentence and the right exit code; --help loads nothing heavy."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import cast

import output_samples as samples
import pytest

from veer.campaign.keywords import Options
from veer.campaign.parsing import listed
from veer.campaign.requests import build_options, search_options
from veer.campaign.values import duration
from veer.cli.app import main
from veer.cli.commands import COMMANDS
from veer.cli.list_command import entry_lines
from veer.frontends.c.listing import entry
from veer.model import options as model_options
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.errors import StoreError, UsageError
from veer.model.option import Kind
from veer.model.program import Function, Parameter
from veer.model.types import BoundKind, Field, Type

TESTME = str(samples.TESTME)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["test", "nosuch.c", "--entry", "f"], ["nosuch.c", "no such file"]),
        (["test", "examples", "--entry", "f"], ["is a directory"]),
        (["test", TESTME, "--pre", "is_small"], ["which function?", "veer list"]),
        (["test", TESTME, "--entry", "testme", "--budget", "0s"], ["--budget 0s", "no time"]),
        (["test", TESTME, "--entry", "testme", "--budget", "soon"], ["--budget soon", "500ms"]),
        (["test", TESTME, "--entry", "testme", "--strategy", "luck"], ["--strategy luck", "coverage, dfs"]),
        (["test", TESTME, "--entry", "testme", "--criterion", "pairs"], ["--criterion pairs", "branch, mcdc, path"]),
        (["test", TESTME, "--entry", "testme", "--batch", "0"], ["--batch 0", "at least 1"]),
        (["test", TESTME, "--entry", "testme", "--max-runs", "many"], ["--max-runs many", "no whole number"]),
        (["test", TESTME, "--entry", "a", "--entry", "b", "--json", "x.json"], ["--json takes one result"]),
        (["test", TESTME, "--entry", "testme", "--frobnicate"], ["--frobnicate"]),
        (["test", TESTME, "--entri", "testme"], ["--entri", "do you mean --entry?"]),
        (["test", TESTME, "--ent", "testme"], ["--ent", "no such option"]),
        (["test", TESTME, "--entry"], ["--entry", "a value is missing"]),
        (["test", TESTME, "--entry", "testme", "--no-check", "--out", "o"], ["--no-check", "a value is missing"]),
        (["replay", "--test", "1"], ["DIR"]),
        (["replay", "one", "two"], ["two"]),
        (["replay", "x" * 5000], ["File name too long", "give another path"]),
        (["test", "x" * 5000 + ".c", "--entry", "f"], ["File name too long"]),
        (["test", TESTME, "--entry", "testme", "--seed", "9" * 30], ["--seed", "that is too large"]),
        (["frobnicate"], ["frobnicate", "test, list, replay"]),
        (["--frobnicate"], ["--frobnicate"]),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(samples.EXAMPLES.parent)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("veer: ")
    assert said.err.count("\n") == 1
    for word in words:
        assert word in said.err


def test_a_strangers_directory_is_refused_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    assert main(["test", TESTME, "--entry", "testme", "--out", str(tmp_path)]) == 3
    assert "was not written by veer" in capsys.readouterr().err


def test_a_replay_of_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    for directory in (tmp_path, tmp_path / "none", file):
        assert main(["replay", str(directory)]) == 2
        assert "holds no summary.json" in capsys.readouterr().err
        assert main(["report", str(directory)]) == 2
        assert "holds no result.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "bugs", "code"),
    [("exhausted", True, 1), ("budget", False, 0), ("stopped", True, 130), ("failed", False, 0), ("failed", True, 1)],
)
def test_exit_codes_follow_the_ending(
    kind: str,
    bugs: bool,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = samples.result(ending=Ending(EndingKind(kind), Claim.NONE), **({} if bugs else {"bugs": ()}))
    fake_campaign(monkeypatch, result)
    assert main(["test", TESTME, "--entry", "testme", "--out", str(tmp_path / "out")]) == code
    assert (tmp_path / "out" / "suite" / "test_testme.c").is_file()
    assert capsys.readouterr().out.startswith("testme: 6 paths")


def test_a_full_disk_does_not_hide_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("out cannot be written: the disk is full")

    fake_campaign(monkeypatch, samples.result())
    monkeypatch.setattr("veer.store.writer.write", full)
    assert main(["test", TESTME, "--entry", "testme", "--out", str(tmp_path / "out")]) == 3
    said = capsys.readouterr()
    assert said.err == "veer: out cannot be written: the disk is full\n"
    assert "abort() was called" in said.out
    assert "written" not in said.out


def test_several_entries_have_a_directory_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_campaign(monkeypatch, samples.result())
    assert main(["test", TESTME, "--entry", "a,b", "--out", str(tmp_path), "--quiet"]) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "b"]
    assert capsys.readouterr().out == ""


def fake_campaign(monkeypatch: pytest.MonkeyPatch, result: object) -> None:
    monkeypatch.setattr("veer.campaign.run.run", lambda *_arguments, **_named: result)


def test_the_defaults_are_those_of_the_model() -> None:
    """What the command line gives when nothing is said builds the default options."""
    given = cast(Options, COMMANDS[0].parse(["f.c", "--entry", "f"]))
    assert given == {"sources": [Path("f.c")], "entry": ["f"]}
    assert search_options(given) == model_options.SearchOptions(growing=tuple(kind.value for kind in BoundKind))
    assert build_options((), "", given) == model_options.BuildOptions((), "")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("--cflag -O2 f.c --cflag=-DA=1", {"sources": [Path("f.c")], "cflag": ["-O2", "-DA=1"]}),
        ("a.c -I inc -Iother b.c", {"sources": [Path("a.c"), Path("b.c")], "include": ["inc", "other"]}),
        ("-D A=1 -DB=2", {"define": ["A=1", "B=2"]}),
        ("--define-nothing", None),
        ("--no-shrink --jobs 2 --range x=-5..5", {"shrink": False, "jobs": 2, "range": ["x=-5..5"]}),
        ("--shrink -- --odd.c", {"shrink": True, "sources": [Path("--odd.c")]}),
        ("--seed -1", {"seed": -1}),
        ("--json out/a=b.json", {"json": Path("out/a=b.json")}),
        ("-g", None),
        ("", {}),
    ],
)
def test_words_become_options(words: str, given: dict[str, object] | None) -> None:
    if given is None:
        with pytest.raises(UsageError, match="there is no such option"):
            COMMANDS[0].parse(words.split())
    else:
        assert COMMANDS[0].parse(words.split()) == given


@pytest.mark.parametrize(("word", "meant"), [("--include", "-I"), ("--define", "-D"), ("--sequences", "--sequence")])
def test_what_is_meant_is_told(word: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"{word}: there is no such option; do you mean {meant}\\?"):
        COMMANDS[0].parse([word, "x"])


def test_a_value_may_hold_blanks() -> None:
    assert COMMANDS[0].parse(["-D", "A=b c", "--cflag", "-DA=b c"]) == {"define": ["A=b c"], "cflag": ["-DA=b c"]}


def test_each_option_can_be_given() -> None:
    """The names of the table are those that the values are read by."""
    for option in COMMANDS[0].options:
        flag = (option.flags or (option.flag,))[0].split("/")[0]
        words = [flag] if option.kind is Kind.SWITCH else [flag, "7"]
        assert list(COMMANDS[0].parse(words)) == [option.name]


def test_the_help_shows_each_option_with_its_metavar_and_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for option in (*model_options.SEARCH, *model_options.BUILD, *model_options.OUTPUT):
        assert option.hidden != any(
            re.search(rf"{flag.split('/')[0]}[ ,]", shown) for flag in option.flags or (option.flag,)
        )
    assert "--budget TIME Time of the search: 500ms, 60s, 2m. [default: 60s]" in shown
    assert "--campaign-memory MIB" in shown and "[default: 1024]" in shown
    assert "--criterion branch|mcdc|path" in shown


@pytest.mark.parametrize(
    ("text", "seconds"), [("60s", 60), ("2m", 120), ("500ms", 0.5), ("1h", 3600), ("90", 90), ("1.5 s", 1.5)]
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text, "--budget") == seconds


@pytest.mark.parametrize("text", ["", "s", "-1s", "1d", "0", "nan", "1e9s"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError):
        duration(text, "--budget")


def test_lists_may_have_commas() -> None:
    assert listed(["a,b", " c ", ",", "d"]) == ("a", "b", "c", "d")


def test_help_loads_nothing_heavy() -> None:
    heavy = ("numpy", "llvmlite", "ziglang", "bitwuzla", "rich", "jinja2", "msgspec")
    program = (
        f"import sys, veer.cli.app as a; a.main(['test', '--help']); print([m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_program_ends_behind_its_threads_and_what_is_registered_for_the_end() -> None:
    program = """
import atexit, sys, threading
from concurrent.futures import ThreadPoolExecutor
import veer.cli.app as app
atexit.register(lambda: print("registered"))
app.COMMANDS = ()
pool = ThreadPoolExecutor(1)
begun = threading.Event()
def later():
    begun.set()
    for _ in range(20000):
        pass
    sys.stdout.write("later\\n")
pool.submit(later)
threading.Thread(target=lambda: (begun.wait(), sys.stdout.write("x" * 100_000 + "\\n"))).start()
sys.argv = ["veer", "nothing"]
app.command()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert sorted(done.stdout.split()) == ["later", "registered", "x" * 100_000]
    assert "there is no such command" in done.stderr


def test_functions_are_listed_with_what_is_made_for_them() -> None:
    types = (
        Type(0, "signed", "int", 4, 4, maximum=8),
        Type(1, "char", "char", 1),
        Type(2, "pointer", "char *", 8, 8, target=1, extent="string", maximum=8),
        Type(3, "struct", "struct s", 4, 4, fields=(Field("a", 0, 0),)),
        Type(4, "pointer", "struct s *", 8, 8, target=3),
    )
    parameters = (
        Parameter("n", 0),
        Parameter("s", 2),
        Parameter("p", 4),
        Parameter("file", -1, "veer cannot make a FILE"),
    )
    lines = entry_lines(entry(Function("f", "/a/unit.c", 7, parameters, 0, is_static=True), types))
    assert lines == [
        "f  (unit.c:7, static, cannot be an entry)",
        "    n: int (0 to 8)",
        "    s: char * (NULL, or a string of up to 8 characters)",
        "    p: struct s * (NULL, or one element)",
        "    file: not supported: veer cannot make a FILE",
    ]


def test_a_list_is_json_for_other_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "static int twice(int x) { return 2 * x; }\nint f(const char *s, __int128 n) { return twice(*s) + (n > 0); }\n"
    )
    assert main(["list", str(source), "--json"]) == 0
    twice, f = json.loads(capsys.readouterr().out)
    assert (twice["name"], twice["file"], twice["line"], twice["qualities"]) == ("twice", str(source), 1, ["static"])
    assert twice["inputs"] == [{"name": "x", "made": "int", "refused": ""}] and not twice["why_not"]
    assert [each["name"] for each in f["inputs"]] == ["s", "n"]


def test_a_list_says_which_functions_of_cxx_c_cannot_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text(
        "struct Base { virtual int area() const { return 1; } int side; };\n"
        "int area(const Base *base) { return base->area(); }\n"
        'extern "C" int twice(int x) { return Base().area() * x; }\n'
    )
    assert main(["list", str(source)]) == 0
    said = capsys.readouterr().out
    assert "twice  (unit.cpp:3)" in said
    assert "_Z4areaPK4Base  (unit.cpp:2, cannot be an entry)" in said
    assert "struct Base is not" in said
    assert "\n1 of 4 functions can be an entry" in said
