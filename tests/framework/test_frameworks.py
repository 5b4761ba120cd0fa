"""Suites with the real frameworks: CMake builds them in an empty folder, they pass, and fail when the unit is mutated.

The three subjects: memory graphs, a string parser, numbers (with a test that calls exit). Unity comes from the folder
that UNITY_DIR names, or from CMake's packages.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sampling import sampled

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SUBJECTS = Path(__file__).parent / "subjects"
HEADERS = {"cmocka": "cmocka.h", "check": "check.h", "gtest": "gtest/gtest.h"}


@dataclass(frozen=True)
class Subject:
    """A unit, and changes of its text that its suite must notice.

    What no input of the suite shows is not among them: a lost write of what was there before, a bound moved by one.
    """

    file: str
    entry: str
    mutants: tuple[tuple[str, str], ...]


LIST = Subject(
    "sorted_list.c",
    "put",
    (
        ("head->key > fresh->key", "head->key < fresh->key"),
        ("head->key = fresh->key;", ""),
        ("fresh->key = k;", "fresh->key = k + 1;"),
        ("head->next = fresh;", "head->next = head;"),
        ("inserted++;", ""),
        ("|| head == fresh", ""),
    ),
)
PARSER = Subject(
    "parse_setting.c",
    "parse_setting",
    (
        ("setting->value = 1;", "setting->value = 2;"),
        ("setting->value = 0;", "setting->value = 7;"),
        ("setting->is_number = 1;", ""),
        ("text[0] - '0'", "text[0]"),
        ("text[0] <= '9'", "text[0] > '9'"),
        ("return -2", "return -1"),
        ("text[2] == 'f'", "text[2] != 'f'"),
    ),
)
NUMBERS = Subject(
    "grade.c",
    "grade",
    (
        ("points < 0", "points > 0"),
        ("exit(3)", "exit(4)"),
        ("total >= 50", "total < 50"),
        ("total >= 90", "total < 90"),
        ("return HONOURS", "return PASSED"),
        ("bonus > 10", "bonus < 10"),
        ("? PASSED : FAILED", "? FAILED : PASSED"),
    ),
)
CASES = {subject.entry: subject for subject in (LIST, PARSER, NUMBERS)}


FRAMEWORKS = ("unity", "cmocka", "check", "gtest", "plain")
WRITTEN = sampled(
    itertools.product(CASES, FRAMEWORKS),
    lambda case: case[0] == "grade" or case in (("put", "unity"), ("put", "plain")),
)


@pytest.fixture(scope="module")
def explored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Subject, Result]:
    """A subject in a folder of its own, and what veer found."""
    subject = CASES[request.param]
    source = tmp_path_factory.mktemp("unit") / subject.file
    shutil.copy(SUBJECTS / subject.file, source)
    options = BuildOptions(sources=(source,), entry=subject.entry)
    return subject, campaign.run(options, SearchOptions(budget=10.0))


def needed(framework: str) -> None:
    """Skips unless there is what a build needs."""
    for tool in ("cmake", "make", "gcc"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    if framework == "gtest" and shutil.which("g++") is None:
        pytest.skip("no g++ here")
    if framework == "unity" and "UNITY_DIR" not in os.environ:
        pytest.skip("Unity's sources are wanted: set UNITY_DIR")
    header = HEADERS.get(framework)
    if header is not None and not any(
        (Path(root) / header).is_file() for root in ("/usr/include", "/usr/local/include")
    ):
        pytest.skip(f"no {header} here")


def built(files: dict[str, bytes], folder: Path) -> Path:
    """Writes the files, configures and builds; the folder of the build."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    build = folder / "build"
    given = [f"-DUNITY_DIR={os.environ['UNITY_DIR']}"] if "UNITY_DIR" in os.environ else []
    done = run("cmake", "-B", str(build), "-S", str(folder), *given)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("cmake", "--build", str(build))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout + done.stderr
    return build


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(("explored", "framework"), WRITTEN, indirect=["explored"])
def test_the_suite_passes_and_notices_mutants(framework: str, explored: tuple[Subject, Result], tmp_path: Path) -> None:
    needed(framework)
    subject, result = explored
    build = built(plugins.find("veer.suites", framework).files(result), tmp_path)
    done = run("ctest", "--test-dir", str(build), "--output-on-failure")
    assert done.returncode == 0, done.stdout
    source = result.program.sources[0]
    text = (SUBJECTS / subject.file).read_text()
    # The plain suite tries all mutants, the others one: that each framework's assertions count.
    mutants = subject.mutants if framework == "plain" else subject.mutants[:1]
    try:
        for old, new in mutants:
            assert text.count(old) == 1, old
            source.write_text(text.replace(old, new))
            assert run("cmake", "--build", str(build)).returncode == 0
            done = run("ctest", "--test-dir", str(build))
            assert done.returncode != 0, f"{old} → {new} was not noticed"
    finally:
        source.write_text(text)


@pytest.mark.parametrize(
    "framework", sampled(["unity", "cmocka", "check", "gtest"], lambda name: name in ("unity", "cmocka"))
)
def test_the_errors_suite_fails_until_the_bug_is_mended(framework: str, tmp_path: Path) -> None:
    needed(framework)
    source = tmp_path / "average.c"
    source.write_text("int average(int sum, unsigned char count) { return sum / count; }\n")
    result = campaign.run(BuildOptions(sources=(source,), entry="average"), SearchOptions(budget=5.0))
    files = plugins.find("veer.suites", framework).files(result)
    assert {"test_average.c", "errors_average.c", "CMakeLists.txt"} <= files.keys()
    build = built(files, tmp_path / "suite")
    assert run(str(build / "test_average")).returncode == 0
    assert run(str(build / "errors_average")).returncode != 0
    source.write_text("int average(int sum, unsigned char count) { return count ? sum / count : 0; }\n")
    assert run("cmake", "--build", str(build)).returncode == 0
    assert run(str(build / "errors_average")).returncode == 0
