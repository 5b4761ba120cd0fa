"""Zig's kinds of arguments and results, end to end: tests/truth/zig/shapes.zig; and five units as in C."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.campaign.languages import language, renderer
from veer.frontends.protocol import WrittenSuite
from veer.model.buildoptions import BuildOptions, GivenTerms
from veer.model.replay import Agreement
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.toolchain import compiler

SOURCES = Path(__file__).parent / "zig"
SHAPES: dict[str, tuple[int, set[str]]] = {
    "table": (7, set()),
    "fill": (4, set()),
    "text": (17, set()),
    "maybe": (8, {"integer overflow"}),
    "grid": (16, set()),
    "floats": (4, set()),
    "Stack.push": (2, {"index out of bounds"}),
    "checked": (2, {"an assertion failed: bad luck"}),
}
"""Paths and bugs of each entry."""
SAMPLE = sampled(SHAPES, lambda name: name == "maybe")
BOTH = {"clamp": "", "quadrant": "nonnull(p)", "at": "", "mix": "range(a, 0..2)", "second": ""}
"""Entries of both languages, and what Zig's types say and C's do not."""


def searched(source: Path, entry: str, **more: object) -> Result:
    options = BuildOptions((source,), entry, **more)  # type: ignore[arg-type]
    return campaign.run(options, SearchOptions(budget=120.0))


@pytest.mark.slow
@pytest.mark.parametrize("entry", SAMPLE)
def test_suites_pass_and_bugs_panic(entry: str, tmp_path: Path) -> None:
    result = searched(SOURCES / "shapes.zig", entry)
    deliver(result, tmp_path).checked()
    paths, messages = SHAPES[entry]
    assert (result.ending.claim, result.paths) == ("paths", paths)
    assert {bug.message for bug in result.bugs} == messages
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total
    path = next((tmp_path / "suite").glob("*.zig"))
    head = path.read_text().splitlines()
    zig = compiler.find().command[0]
    command = [zig, *head[1].removeprefix("//!").split()[1:]]
    ran = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert f"All {sum(not test.outcome.is_bug for test in result.tests)} tests passed." in ran.stderr
    for bug in result.bugs:
        run = ["run" if word == "test" else word for word in command]
        panics = subprocess.run([*run, "--", bug.test], cwd=path.parent, capture_output=True, text=True, check=False)
        assert bug.message.removeprefix("an assertion failed: ") in panics.stderr


@pytest.mark.slow
def test_a_suite_that_lies_is_noticed(tmp_path: Path) -> None:
    source = SOURCES / "shapes.zig"
    result = searched(source, "fill")
    write, zig = renderer("zig"), language("zig")
    path = tmp_path / write.file_name(result.program)
    tests = [test for test in result.tests if test.outputs]
    text = write.render(result.program, tests)
    wrong = text.replace("try std.testing.expectEqual(", "try std.testing.expectEqual(1 + ", 1)
    assert wrong != text
    path.write_text(wrong)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    suite = WrittenSuite(path, write.commands(result.program))
    seen = zig.suite_replayer(suite, 10.0, scratch).replay(tests)
    assert sorted(one.verdict.agreement for one in seen).count(Agreement.DIFFERS) == 1
    differing = next(one for one in seen if one.verdict.agreement is Agreement.DIFFERS)
    assert "expected" in differing.verdict.why


@pytest.mark.slow
def test_lies_about_results_are_noticed() -> None:
    result = searched(SOURCES / "shapes.zig", "table")
    zig = language("zig")
    built = zig.build(BuildOptions((SOURCES / "shapes.zig",), "table"))
    honest = [test for test in result.tests if test.returned is not None]
    lies = [
        replace(test, returned=bytes([test.returned[0] ^ 1, *test.returned[1:]])) for test in honest if test.returned
    ]
    replayer = zig.replayer(built, 10.0)
    assert {one.verdict.agreement for one in replayer.replay(honest)} == {Agreement.SAME}
    seen = replayer.replay(lies)
    # The payload of an error holds nothing: a lie about it is none.
    assert {one.verdict.agreement for one in seen} == {Agreement.SAME, Agreement.DIFFERS}
    values = [one for one, test in zip(seen, honest, strict=True) if not _is_error(result, test.returned)]
    assert {one.verdict.agreement for one in values} == {Agreement.DIFFERS}


def _is_error(result: Result, returned: bytes | None) -> bool:
    entry = result.program.function(result.program.entry)
    assert entry is not None
    place = next(each for each in result.program.types[entry.returns].fields if each.name == "error")
    return any((returned or b"")[place.offset : place.offset + 2])


@pytest.mark.slow
@pytest.mark.parametrize("entry", sampled(BOTH, lambda name: name == "mix"))
def test_c_and_zig_say_the_same(entry: str) -> None:
    zig = searched(SOURCES / "five.zig", entry)
    contracts = (GivenTerms("", BOTH[entry], "here"),) if BOTH[entry] else ()
    c = searched(SOURCES / "five.c", entry, contracts=contracts, checks=("overflow", "unreachable"))
    assert [each.ending.claim for each in (zig, c)] == ["paths", "paths"]
    assert zig.paths == c.paths
    assert len(zig.bugs) == len(c.bugs)
    assert zig.coverage.branches is not None and c.coverage.branches is not None
    # C's switch has a default, which Zig's does not need.
    assert zig.coverage.branches.covered == c.coverage.branches.covered
