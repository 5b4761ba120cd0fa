"""One campaign: the composition root, which with steps.py names concrete classes of every layer.

build ─► shared memory ─► executor ─► explore ─► re-run what is kept ─► suite ─► replay ─► Result
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from veer import __version__
from veer.campaign import firstbuild, reach, session
from veer.campaign.bycalls import advice
from veer.campaign.checkpoint import SavedCheckpoints, checkpoint
from veer.campaign.combinations import require_combination
from veer.campaign.confining import confined, look_ahead
from veer.campaign.deliver import load_writers
from veer.campaign.excluded import require_inputs
from veer.campaign.languages import language_of, require_options
from veer.campaign.newcode import Rebuilding
from veer.campaign.requirements import with_requirements
from veer.campaign.rescue import OF_DAMAGE, rescued
from veer.campaign.seedfiles import existing_inputs
from veer.campaign.sought import require_places
from veer.campaign.steps import Campaign
from veer.findings.evidence.verdict import with_evidence
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.progress import Progress
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.oracles.protocol import oracles
from veer.search.exchange import Exchange
from veer.search.history import History
from veer.search.parallel.checkpoint import Checkpoint
from veer.search.progress import Report, silent
from veer.search.scene import Scene, Tools
from veer.search.strategies import registry as strategies
from veer.search.tools import LocalTools
from veer.smt.registry import chosen
from veer.store import saved
from veer.store.saved import SavedCampaign
from veer.store.saver import Saver
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.toolchain.session import session as this_session
from veer.wire import layout
from veer.wire.shared import Shared

T = TypeVar("T")


def run(
    build: BuildOptions,
    search: SearchOptions,
    progress: Report = silent,
    *,
    keep: Path | None = None,
    exchange: Exchange | None = None,
) -> Result:
    """Tests one entry. The result is the caller's to write (`deliver.py`). `exchange`: who is told of inputs meanwhile.

    With `keep`, a directory, copies of the running campaign are kept there, for `resume`. Ctrl-C ends the step that is
    under way (search, re-run, replay), not the campaign: what was found is told. Twice within one step it ends all.

    Raises:
        UsageError: the sources do not compile, there is no such entry or solver, an input cannot be made.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    chosen(search.solver)  # what is missing or makes no sense is told before anything is compiled
    require_combination(search)
    if keep is not None:
        saved.forget(keep)
    with Shared() as shared:
        try:
            result = campaign(build, search, shared, progress, keep, exchange=exchange, told=Campaign.result)
        except OF_DAMAGE as error:
            return rescued(keep, shared, error, made_by(), partial(resume, progress=progress))
    return _judged(reach.with_calls(result, build, search, run))


def resume(out: Path, change: Callable[[SearchOptions], SearchOptions], progress: Report = silent) -> Result:
    """Goes on with the campaign that is kept in `out`; `change` gives this session's budget and endings.

    Raises what `run` raises, and UsageError when nothing that could go on is there, or the program has changed.
    """
    before = saved.read(out, made_by())
    with contextlib.ExitStack() as memories:
        loaded = [memories.enter_context(saved.load(out, part)) for part in before.parts]
        parts = list(zip(loaded, before.parts, strict=True))
        paths = saved.load_bytes(out, before.paths)
        earlier = checkpoint(before.parts[0], parts[1:], paths)
        search = change(before.search)
        require_combination(search, is_resumed=True)
        result = campaign(before.build, search, loaded[0], progress, out, before, earlier, told=Campaign.result)
    return _judged(reach.with_calls(result, before.build, search, run))


def _judged(result: Result) -> Result:
    """The result, its errors with what speaks for them; those for which nothing does are contracts.

    Raises UsageError where its preconditions exclude every input.
    """
    require_inputs(result)
    bugs = with_evidence(result.program, result.tests, result.bugs)
    program = replace(result.program, notes=(*result.program.notes, *advice(result)))
    return with_requirements(replace(result, program=program, bugs=bugs))


def made_by() -> str:
    """Who can go on with a saved campaign: this version of veer, with this layout of the shared memory."""
    return f"veer {__version__}, layout {layout.fingerprint()}"


def campaign(
    build: BuildOptions,
    search: SearchOptions,
    shared: Shared,
    progress: Report,
    keep: Path | None,
    before: SavedCampaign | None = None,
    earlier: Checkpoint | None = None,
    *,
    exchange: Exchange | None = None,
    told: Callable[[Campaign], T],
) -> T:
    """Builds the program and makes the campaign, of which `told` makes what is wanted. Raises what `run` raises."""
    began = time.monotonic()
    progress(Progress("compile", 0.0))
    build = session.instrumented(build, search)
    strategies.require(search.strategy)
    oracles(search.oracles)
    language = language_of(build.sources)
    require_options(language, build)
    cluster_is_there = session.gathering(search)
    toolchain = compiler.find(build.cc)
    this_session()  # before there are threads: each would begin one
    beside = ThreadPoolExecutor(1)
    library = beside.submit(engine_library, toolchain)
    beside.submit(look_ahead, toolchain, search.sandbox)

    def made(options: BuildOptions) -> Built:
        return confined(language.build(options), toolchain, search)

    try:
        with firstbuild.told(toolchain, progress):
            built = made(build)
    finally:
        beside.submit(load_writers, language.name)  # while runs are waited for: what was made above waits for little
        beside.shutdown(wait=False)  # the first run needs neither
    require_places(build, built.program)
    compiled = time.monotonic() - began
    cluster_is_there()
    files = dict(built.files)
    if before is not None:
        saved.require_unchanged(before, files)
    saver = None
    if keep is not None:
        generation = before.generation if before is not None else 0
        record = SavedCampaign(saved.SCHEMA, made_by(), str(Path.cwd()), build, search, files, generation, 0.0, (), ())
        saver = Saver(keep, record)
    seconds, samples = (before.seconds, before.samples) if before is not None else (0.0, ())
    start, history = began - seconds, History(samples)
    with contextlib.ExitStack() as resources, contextlib.ExitStack() as memories:

        def tools(program: Program) -> Tools:
            return LocalTools(program, search, library.result, resources)

        scene = Scene(
            shared,
            built.program,
            search,
            tools(built.program),
            start,
            progress,
            history,
            SavedCheckpoints(saver, start, history) if saver is not None else None,
            earlier,
            toolchain.cache if search.stored_summaries else None,
            existing=existing_inputs(search.seeds) if before is None else (),
            exchange=exchange,
        )
        again = Rebuilding(made, tools, memories)
        return told(Campaign(scene, saver, language, built, compiled, memories, again))
