"""The Python API and the pytest plugin: the same campaigns, names and errors as on the command line."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import veer
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

UNIT = "int half(int x) { if (x < 0) return -1; return 100 / (x - 50); }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "half.c"
    path.write_text(UNIT)
    return path


def test_a_campaign_and_its_files(source: Path, tmp_path: Path) -> None:
    result = veer.test(source, "half", budget=5, out=tmp_path / "out", format=["unity", "junit"])
    assert isinstance(result, veer.Result)
    assert [bug.outcome.key for bug in result.bugs] == ["division"]
    assert result.ending.claim == "paths" and result.coverage.branches is not None
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {"summary.json", "report.html", "junit.xml", "suite/test_half.c", "suite/unity/test_half.c"} <= written
    again = veer.read(tmp_path / "out")
    assert again == result
    assert all(path.is_file() for path in veer.export(again, "cmocka", tmp_path / "cmocka"))
    assert [path.name for path in veer.export(again, "sarif", tmp_path / "reports")] == ["report.sarif"]


def test_nothing_is_written_without_a_place(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert veer.test([source], "half", budget="5s", max_runs=3).runs <= 3
    assert [path.name for path in tmp_path.iterdir()] == ["half.c"]


def test_every_option_arrives(tmp_path: Path) -> None:
    """A value that is not the default changes what the campaign is told."""
    blocks = tmp_path / "blocks.txt"
    blocks.write_text("a b\nc\n")
    values: Options = {
        "strategy": "dfs", "goal": "entry", "criterion": "path", "budget": "2m", "max_runs": 7, "max_bugs": 7,
        "plateau": 7, "keep_going": False, "shrink": False, "reach": False,
        "max_branches": 7, "max_steps": 7, "timeout": 2.5, "look_ahead": True,
        "max_call_depth": 7, "solve_first": True, "solver": "z3", "oracle": ["o"], "seed": 7, "batch": 7,
        "jobs": 7, "cluster": "local",
        "campaign_memory": 70, "restarts": 7, "hybrid": False, "search": "compositional", "workers": "elsewhere",
        "partitioned": True, "partition": blocks, "check_partition": blocks, "grow": False,
        "without": ["near"], "max_length": 7, "max_array": 7,
        "graph_depth": 7, "mocks": False, "mock_order": True,
        "size_of": ["a=b"], "void": ["p=int"], "globals": True, "pre": ["p"],
        "nonnull": ["p"], "range": ["n=0..1"], "prototype": "int f(void)",
        "sequence": "a,b", "max_calls": 7, "stdin_size": 7, "argv_size": 7, "argc": 7,
        "input_files": 7, "file_size": 7, "register_reads": 7, "region": ["0x1000:8"], "symbolic_file": ["f=1"],
        "interrupt": "isr", "interrupt_calls": 7, "spec": ["s"], "random_share": 7, "seeds": [str(blocks)],
        "arch": "arm", "base": "7", "ram": ["7:8"], "find": ["u.c:1"], "avoid": ["u.c:2"],
        "check": ["shift"], "no_check": ["leak"], "uninstrumented": ["u"], "eager": True, "compositional": True,
        "inputs": ["time"], "fail": ["io"], "summarise": ["f"],
        "sandbox": "off", "read": ["/"], "sockets": True, "stored_summaries": True,
        "include": ["i"], "define": ["d"], "std": "c99",
        "prelude": ["iar"], "target": ["arm"], "cflag": ["-O1"], "link": ["m"], "cc": "clang",
            "classpath": ["c.jar"],
    }  # fmt: skip
    assert values.keys() == Options.__annotations__.keys()
    plain = (search_options({}), build_options((), "", {}))
    for name, value in values.items():
        given: Options = {name: value}  # type: ignore[misc]
        if name == "solve_first":
            given["strategy"] = "dfs"
        if name == "max_calls":
            given["sequence"] = "a,b"
        if name == "summarise":
            given["compositional"] = True
        assert (search_options(given), build_options((), "", given)) != plain, name


@pytest.mark.parametrize(
    ("entry", "options", "message"),
    [
        ("", {}, "which function"),
        ("half", {"budget": "soon"}, "--budget soon: that is no time"),
        ("half", {"criterion": "all"}, "--criterion all: there is no such criterion"),
        ("half", {"max_steps": 0}, "--max-steps 0: it must be at least 1"),
        ("half", {"format": "unity"}, "give out, a directory"),
        ("half", {"format": "pdf", "out": "x"}, "--format pdf: there is no such format"),
        ("halve", {}, "no function halve"),
        ("half", {"max_lenght": 3}, "max_lenght: there is no such option; do you mean max_length?"),
        ("half", {"frobnicate": 3}, "frobnicate: there is no such option; `veer test --help` tells of all"),
        ("half", {"max_steps": "many"}, "--max-steps many: that is no whole number"),
    ],
)
def test_wrong_calls_say_what_is_wrong(source: Path, entry: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(veer.UsageError, match=message):
        veer.test(source, entry, **options)  # type: ignore[arg-type]


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'tset'"):
        _ = veer.tset  # type: ignore[attr-defined]


def test_the_plugin_explores_what_a_case_names(source: Path, tmp_path: Path) -> None:
    (tmp_path / "test_units.py").write_text(
        "import veer\n"
        "@veer.case('half.c', 'half', budget='5s')\n"
        "def test_has_no_bugs(veer_result):\n"
        "    assert not veer_result.bugs\n"
        "def test_fixture(veer_test):\n"
        "    assert veer_test('half.c', 'half', budget='5s').ending.claim == 'paths'\n"
        "def test_no_case(veer_result): pass\n"
    )
    installed = any(each.value == "veer.python.pytest_plugin" for each in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "veer.python.pytest_plugin"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        ".",
        "-c",
        "/dev/null",
        *plugin,
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "1 failed, 1 passed, 1 error" in done.stdout, done.stdout + done.stderr
    assert "half.c:1: " in done.stdout and "x = 50" in done.stdout
    assert "say what to explore, @veer.case" in done.stdout
