"""One search, compositional or plain, without what a campaign does afterwards: what it covered and found."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from veer.campaign.session import search_of
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Ending
from veer.model.program import SiteKind
from veer.model.searchoptions import SearchOptions
from veer.model.summaries import Summaries
from veer.model.values import replace
from veer.oracles.bugs import suspects
from veer.search.ending import ending
from veer.search.protocol import Refusal
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.toolchain.cache import Cache
from veer.toolchain.runtime import engine_library
from veer.wire.shared import Shared


@dataclass(frozen=True, slots=True)
class Found:
    """`covered`: sides of branches, by place; `errors`: (outcome, line)."""

    covered: frozenset[tuple[str, int, int, str, int]]
    errors: frozenset[tuple[str, int]]
    ending: Ending
    runs: int
    seconds: float
    processor: float  # seconds of it, the executor's included
    summaries: Summaries | None

    def runs_of(self, function: str) -> int:
        """Runs made for the sake of a function."""
        assert self.summaries is not None
        return sum(each.runs for each in self.summaries.functions if each.name == function)

    def refused(self, function: str) -> str:
        """Why a function is not summarised."""
        assert self.summaries is not None
        return next((each.refused for each in self.summaries.functions if each.name == function and each.refused), "")


def search(
    source: Path,
    entry: str,
    *,
    compositional: bool,
    define: tuple[str, ...] = (),
    uninstrumented: tuple[str, ...] = (),
    budget: float = 60.0,
    loops: bool = True,
    cache: Cache | None = None,
    summarise: tuple[str, ...] = (),
) -> Found:
    """Searches with the command's defaults otherwise."""
    build = BuildOptions(
        (source,),
        entry,
        define=define,
        uninstrumented=uninstrumented,
        compositional=compositional,
        loops=loops,
        summarise=summarise,
        max_length=4,
    )
    found = searched(build, budget, cache)
    assert found is not None
    return found


def searched(build: BuildOptions, budget: float = 60.0, cache: Cache | None = None) -> Found | None:
    """The same with options of the build's own, and summaries on disk in `cache`; None: the compositional search leaves
    it to the plain one."""
    options = SearchOptions(search="compositional" if build.compositional else "plain", budget=budget)
    toolchain = compiler.find(None)
    program = front_end.build(build, toolchain)
    with Shared() as shared, contextlib.ExitStack() as resources, ThreadPoolExecutor(1) as beside:
        library = beside.submit(engine_library, toolchain)
        scene = replace(local_scene(shared, program, options, library.result, resources), summaries=cache)
        configure(shared, program, build, options)
        began = sum(os.times()[:4])
        done = search_of(options).run(scene)
        if isinstance(done, Refusal):
            return None
        processor = sum(os.times()[:4]) - began
        seen = shared.published("edge_seen")
        covered = {
            (site.file, site.line, site.column, site.text, side)
            for site in program.sites
            for side, item in enumerate(site.items)
            if item >= 0 and site.kind is not SiteKind.LIBRARY and seen[2 * site.id + side]
        }
        errors = {
            (each.fault.outcome.name, each.fault.site.line if each.fault.site else 0)
            for each in suspects(shared, program)
        }
        ended = ending(done.kind, shared, program, options, done.counts)
        runs = shared.counts.runs
        return Found(frozenset(covered), frozenset(errors), ended, runs, done.seconds, processor, done.summaries)
