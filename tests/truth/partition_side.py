"""One search with and without --partitioned, and what it reached: without tests, so that many fit into a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from veer.campaign.session import instrumented
from veer.campaign.session import searched as search_of
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Ending
from veer.model.partition import Partitioning
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.oracles.bugs import suspects
from veer.search.growing import Step
from veer.search.partitioned.given import parse
from veer.search.protocol import Searched
from veer.search.settings import configure
from veer.search.snapshot import leaf_name
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared


@dataclass(frozen=True)
class Found:
    """`reached`: (file, line, column, condition, side) of each side of a source branch that a run took, and (file,
    line, column, outcome, 0) of each bug."""

    ending: Ending
    runs: int
    reached: frozenset[tuple[str, int, int, str, int]]
    partition: Partitioning | None = None
    inputs: tuple[dict[str, int], ...] = ()
    """Of each path: the values of its inputs, by name."""

    @property
    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """The names of the inputs of each block."""
        return tuple(block.inputs for block in self.partition.blocks) if self.partition is not None else ()


def searched(
    source: Path,
    entry: str,
    *,
    partitioned: bool,
    define: tuple[str, ...] = (),
    seconds: float = 30,
    given: str = "",
    only_checks: bool = False,
    build: Mapping[str, Any] = MappingProxyType({}),
    search: Mapping[str, Any] = MappingProxyType({}),
) -> Found:
    """The search of one entry; `given`: the text of a partition; `build`, `search`: more options."""
    options = BuildOptions((source,), entry, define=define, **build)
    wanted = SearchOptions(
        search="partitioned" if partitioned else "plain",
        budget=seconds,
        max_runs=30_000,
        partition=parse(given),
        checks_partition=only_checks,
        **search,
    )
    return searched_with(options, wanted)


def searched_with(options: BuildOptions, wanted: SearchOptions) -> Found:
    """The search that these ask for."""
    options = instrumented(options, wanted)
    program = front_end.build(options, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, options, wanted)
        return found_in(shared, program, wanted, search_of(local_scene(shared, program, wanted)))


def found_in(shared: Shared, program: Program, wanted: SearchOptions, done: Searched) -> Found:
    """What a search found in a memory."""
    seen = shared.published("edge_seen")
    reached = {
        (Path(site.file).name, site.line, site.column, site.text, side)
        for site in program.sites
        for side, item in enumerate(site.items)
        if item >= 0 and seen[2 * site.id + side]
    }
    for suspect in suspects(shared, program):
        site = suspect.fault.site
        place = (Path(site.file).name, site.line, site.column) if site is not None else ("", 0, 0)
        reached.add((*place, suspect.fault.outcome.name, 0))
    ended = Step(local_scene(shared, program, wanted), done).ending()
    return Found(ended, shared.counts.runs, frozenset(reached), done.partition, _inputs(shared, program))


def _inputs(shared: Shared, program: Program) -> tuple[dict[str, int], ...]:
    leaves = shared.published("leaves")
    fields = ("input_offset", "width")
    places = [(leaf_name(shared, program, k, 0), *(int(leaves[f][k]) for f in fields)) for k in range(len(leaves))]
    return tuple(
        {name: int.from_bytes(raw[at : at + width // 8], "little") for name, at, width in places}
        for raw in map(shared.input_of, range(shared.count("paths")))
    )
