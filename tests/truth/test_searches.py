"""Searches by their protocol: one of another package runs as veer's own do, and one that refuses leaves it to the plain
search."""

from __future__ import annotations

from pathlib import Path

import pytest
from outside import install

from veer.campaign import run as campaign
from veer.campaign.session import instrumented, search_of
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions

SOURCE = """
int middle(int a, int b, int c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}
"""
ALLOCATES = """
#include <stdlib.h>
#include <string.h>
static char *copy_of(const char *text)
{
    char *made = malloc(strlen(text) + 1);
    if (made) strcpy(made, text);
    return made;
}
char *joined(const char *folder, const char *name, char *room)
{
    if (!folder && !name) return NULL;
    if (!folder) return room ? strcpy(room, name) : copy_of(name);
    if (!name) return room ? strcpy(room, folder) : copy_of(folder);
    return folder[strlen(folder) - 1] == '/' ? room : room + 1;
}
"""
SEARCHES = """
import contextlib
import time
from enum import StrEnum

from veer.model.ending import EndingKind
from veer.search.protocol import Instrumentation, Refusal, Searched
from veer.search.query_counts import QueryCounts


class Reason(StrEnum):
    SIZE = "{place} is too small for it"


class DepthFirst:
    instrumentation, abilities = Instrumentation(boundaries=True), frozenset()

    def run(self, scene):
        began = time.monotonic()
        if scene.options.seed:
            return Refusal(Reason.SIZE, scene.program.entry)
        with contextlib.closing(scene.executor()) as executor:
            executor.run(b"")
            executor.depth_first(0, max_runs=0)
        paths, seconds = scene.shared.counts.distinct_paths, time.monotonic() - began
        return Searched(EndingKind.EXHAUSTED, None, paths, QueryCounts(), seconds, ("native",), ("it is a toy",))


NATIVE = DepthFirst()
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source, where a package offers a search called `native`."""
    install(tmp_path, monkeypatch, "native_search", SEARCHES, group="veer.searches", name="native", object="NATIVE")
    source = tmp_path / "middle.c"
    source.write_text(SOURCE)
    return source


def test_a_search_of_another_package_makes_tests_as_the_plain_one_does(source: Path) -> None:
    build = BuildOptions((source,), "middle")
    plain = campaign.run(build, SearchOptions())
    found = campaign.run(build, SearchOptions(search="native"))
    assert (found.paths, found.coverage.branches) == (plain.paths, plain.coverage.branches)
    assert {test.outcome for test in found.tests} == {test.outcome for test in plain.tests}
    assert "native" in found.program.notes
    assert (found.ending.kind, found.ending.claim) == ("exhausted", "none"), "it doubts itself"
    assert "it is a toy" in found.ending.lost_by
    assert found.options["search"] == "native" and found.options["compositional"]


def test_where_a_search_refuses_the_plain_one_goes_on_and_a_note_tells_why(source: Path) -> None:
    found = campaign.run(BuildOptions((source,), "middle"), SearchOptions(search="native", seed=1))
    assert "not native: middle is too small for it" in found.program.notes
    assert found.ending.claim == "paths"


def test_what_a_search_cannot_do_is_told_before_anything_is_compiled(source: Path) -> None:
    build = BuildOptions((source.with_name("missing.c"),), "middle")
    with pytest.raises(UsageError, match="--search native searches in one process: leave --jobs out"):
        campaign.run(build, SearchOptions(search="native", jobs=2))
    with pytest.raises(UsageError, match=r"there is no search `other`; known are .*native"):
        campaign.run(build, SearchOptions(search="other"))


@pytest.mark.parametrize(
    ("name", "flow_map", "boundaries"),
    [("plain", False, False), ("partitioned", True, False), ("compositional", False, True)],
)
def test_a_search_says_what_its_build_needs(name: str, flow_map: bool, boundaries: bool) -> None:
    options = SearchOptions(search=name)
    build = instrumented(BuildOptions((), "f"), options)
    assert (build.partitioned, build.compositional) == (flow_map, boundaries)
    assert search_of(options).instrumentation.flow_map == flow_map


def test_behind_a_search_that_refused_nothing_of_its_runs_is_left(tmp_path: Path) -> None:
    """A search by summaries decides pointers before the call: its inputs mean something else to the plain search."""
    source = tmp_path / "joined.c"
    source.write_text(ALLOCATES)
    build = BuildOptions((source,), "joined")
    options = (SearchOptions(search=name, shrink=False, reach=False) for name in ("plain", "compositional"))
    plain, found = (campaign.run(build, each) for each in options)
    assert found.summaries is None, "no function of it is summarised"
    assert (found.paths, found.ending.claim, found.ledger) == (plain.paths, "paths", ())
    assert plain.runs < found.runs <= plain.runs + 64, "the runs of both are told"
