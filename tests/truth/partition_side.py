"""One search with and without --partitioned, and what it reached: without tests, so that many fit into a check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veer.exploration.ending import ending
from veer.exploration.settings import configure
from veer.frontends.c import build as front_end
from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Ending
from veer.session import Earlier, Session
from veer.toolchain import compiler
from veer.wire.shared import Shared


@dataclass(frozen=True)
class Found:
    """`reached`: (file, line, column, condition, side) of each side of a source branch that a run took."""

    ending: Ending
    runs: int
    reached: frozenset[tuple[str, int, int, str, int]]
    blocks: tuple[tuple[int, ...], ...] = ()
    reruns: int = 0


def searched(
    source: Path, entry: str, *, partitioned: bool, define: tuple[str, ...] = (), seconds: float = 30
) -> Found:
    """The search of one entry."""
    build = BuildOptions((source,), entry, define=define, partitioned=partitioned)
    search = SearchOptions(partitioned=partitioned, budget=seconds, max_runs=30_000)
    program = front_end.build(build, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, build, search)
        session = Session(shared, program, search)
        done = session.run(Earlier())
        seen = shared.published("edge_seen")
        reached = frozenset(
            (Path(site.file).name, site.line, site.column, site.text, side)
            for site in program.sites
            for side, item in enumerate(site.items)
            if item >= 0 and seen[2 * site.id + side]
        )
        ended = ending(done.kind, shared, program, search, done.census)
        runs, division = shared.control["runs"], done.division
        if division is None:
            return Found(ended, runs, reached)
        return Found(ended, runs, reached, division.partition.blocks(), division.reruns)
