"""An oracle of another package: what it finds wrong is a bug with its input, and no suite expects such a result."""

from __future__ import annotations

from pathlib import Path

import pytest
from outside import install

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.result import Confirmation
from veer.model.searchoptions import SearchOptions
from veer.suite.c.cases import cases

SOURCE = """int middle(unsigned char a, unsigned char b) {
    if (a < b)
        return b - a;
    if (a == b)
        return 0;
    return b - a;
}
"""
ORACLES = """
class Distance:
    def verdict(self, program, test):
        distance = int.from_bytes(test.returned, "little", signed=True)
        return "a distance is negative" if distance < 0 else ""

class Broken:
    def verdict(self, program, test):
        raise KeyError("nothing")

DISTANCE, BROKEN = Distance(), Broken()
"""


@pytest.fixture
def build(tmp_path: Path) -> BuildOptions:
    """A function whose third path returns what no distance is."""
    source = tmp_path / "middle.c"
    source.write_text(SOURCE)
    return BuildOptions((source,), "middle")


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers an oracle."""
    install(tmp_path, monkeypatch, "distances", ORACLES, group="veer.oracles", name="distance", object="DISTANCE")


@pytest.mark.usefixtures("offered")
def test_what_an_oracle_finds_wrong_is_a_bug_that_no_suite_expects(build: BuildOptions) -> None:
    plain = campaign.run(build, SearchOptions(criterion="path"))
    found = campaign.run(build, SearchOptions(criterion="path", oracles=("distance",)))
    assert not plain.bugs and len(plain.tests) == len(found.tests)
    (bug,) = found.bugs
    assert (bug.outcome.key, bug.message) == ("oracle", "distance: a distance is negative")
    assert (bug.function, bug.line, bug.confirmed) == ("middle", 1, Confirmation.PLAIN)
    (shown,) = [test for test in found.tests if test.name == bug.test]
    assert shown.returned is not None and int.from_bytes(shown.returned, "little", signed=True) < 0
    written = {case.name for case in cases(found.program, found.tests, found.bugs)}
    assert written == {test.name for test in found.tests} - {bug.test}


def test_an_oracle_that_fails_is_told_of_and_nothing_is_lost(
    build: BuildOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "distances", ORACLES, group="veer.oracles", name="broken", object="BROKEN")
    found = campaign.run(build, SearchOptions(oracles=("broken",)))
    assert found.tests and not found.bugs
    assert [note for note in found.program.notes if note.startswith("the oracle broken failed on test_001: KeyError")]


def test_an_oracle_that_there_is_not_is_refused_before_anything_is_compiled(build: BuildOptions) -> None:
    with pytest.raises(UsageError, match="there is no oracle `distance`; known are none"):
        missing = BuildOptions((build.sources[0].with_name("missing.c"),), "f")
        campaign.run(missing, SearchOptions(oracles=("distance",)))
