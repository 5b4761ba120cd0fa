"""The pytest plugin: C functions of a project explored in its pytest run.

    @veer.case("src/parse.c", "parse", budget="5s")
    def test_parse(veer_result):
        assert not veer_result.bugs_at_least("undefined")

    def test_clamp(veer_test):                       # the fixture is veer.test, with a folder of its own
        assert veer_test("src/clamp.c", "clamp").ending.claim == "paths"

Sources are looked for from the folder of the test's file. Bugs are told in a section of the test's report.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

MARK = "veer_case"
Tester = Callable[..., Any]
"""`veer.test`: sources, entry and options; a Result."""


def case(sources: str | Path | Sequence[str | Path], entry: str = "", **options: Any) -> pytest.MarkDecorator:
    """What the fixture `veer_result` of the decorated test explores; the arguments are those of `veer.test`."""
    mark: pytest.MarkDecorator = getattr(pytest.mark, MARK)(sources, entry, **options)
    return mark


def pytest_configure(config: pytest.Config) -> None:
    """Makes the mark known."""
    config.addinivalue_line("markers", f"{MARK}(sources, entry, **options): what the fixture veer_result explores")


@pytest.fixture
def veer_test(request: pytest.FixtureRequest, tmp_path: Path) -> Tester:
    """`veer.test` from the folder of the test; `out` is a folder below tmp_path where none is given."""
    folder = Path(request.path).parent

    def explore(sources: str | Path | Sequence[str | Path], entry: str = "", **options: Any) -> Any:
        given = [sources] if isinstance(sources, str | Path) else sources
        options.setdefault("out", tmp_path / "veer-out" / (entry or "sequence"))
        # Not imported above: this module is loaded in every pytest run where veer is installed.
        result = importlib.import_module("veer.python.api").test([folder / each for each in given], entry, **options)
        request.node.add_report_section("call", "veer", _told(result))
        return result

    return explore


@pytest.fixture
def veer_result(request: pytest.FixtureRequest, veer_test: Tester) -> Any:
    """The Result of what @veer.case names."""
    mark = request.node.get_closest_marker(MARK)
    if mark is None:
        raise pytest.UsageError(f"{request.node.name} uses veer_result: say what to explore, @veer.case(SOURCE, ENTRY)")
    return veer_test(*mark.args, **mark.kwargs)


def _told(result: Any) -> str:
    """The outcome of a campaign in a few lines."""
    tests = {test.name: test for test in result.tests}
    told = importlib.import_module("veer.model.describe").told
    lines = [f"{result.program.entry}: {result.paths} paths in {result.runs} runs, {len(result.bugs)} bugs"]
    for bug in result.bugs:
        needs = "".join(f", but {each}" for each in bug.needs)
        lines.append(f"{bug.file}:{bug.line}: {bug.message} ({bug.severity}){needs}")
        if bug.test in tests:
            values = told(result.program, tests[bug.test])
            lines.append("    " + ", ".join(f"{name} = {value}" for name, value in values.items()))
    return "\n".join(lines)
