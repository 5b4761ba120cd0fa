"""One search that tries others beside itself, and what it reached, without tests.

Trials begin at once, so that programs that are small enough to be searched plainly have some.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from partition_side import Found, found_in

from veer.campaign.otherbuilds import OtherBuilds
from veer.frontends.c import build as front_end
from veer.frontends.c.language import C
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.auto.search import Pace, Turns
from veer.search.settings import configure
from veer.search.tools import LocalTools, local_scene
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.shared import Shared

EARLY = Pace(builds_at=25.0, a_site=0.0, share=200.0)
"""Trials are due after a few runs, and may cost as much as they take."""


def tried(
    source: Path, entry: str, *, max_runs: int = 30_000, without: tuple[str, ...] = (), pace: Pace = EARLY
) -> tuple[Found, Turns]:
    """The search, and its turns. `without`: checks that are switched off."""
    options = BuildOptions((source,), entry, no_checks=without)
    wanted = SearchOptions(search="auto", budget=60.0, max_runs=max_runs)
    toolchain = compiler.find(None)

    def build(own: BuildOptions) -> Built:
        return Built(front_end.build(own, toolchain), own)

    with ExitStack() as kept, ExitStack() as attached, ThreadPoolExecutor(1) as pool, Shared() as shared:

        def tools(program: Program) -> LocalTools:
            return LocalTools(program, wanted, lambda: engine_library(toolchain), attached)

        program = build(options).program
        configure(shared, program, options, wanted)
        beside = OtherBuilds(options, C().takes, build, tools, kept, pool)
        scene = replace(local_scene(shared, program, wanted), tools=tools(program), beside=beside)
        with Turns(scene, pace) as turns:
            done = turns.searched()
        return found_in(shared, program, wanted, done), turns
