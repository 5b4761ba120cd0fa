"""`veer fuzz-helper`: a search beside a fuzzer that runs on the same entry (docs/fuzzing.md, decision 0472)."""

from __future__ import annotations

from msgspec import Struct

from veer.campaign.beside import BesideFuzzer
from veer.campaign.combinations import require_combination
from veer.campaign.run import campaign
from veer.campaign.steps import Campaign
from veer.execution.interruption import interruptions
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions
from veer.search.existing import place_of_bytes
from veer.search.goal import goal_items
from veer.search.progress import Report, silent
from veer.search.settings import configure
from veer.smt.registry import chosen
from veer.wire.shared import Shared


class Helped(Struct, frozen=True):
    """What came of it. `covered` of `branches` that the search knows; `notes`: what is to be said of the program."""

    kind: EndingKind
    runs: int
    covered: int
    branches: int
    seconds: float
    notes: tuple[str, ...] = ()


def help_fuzzer(build: BuildOptions, search: SearchOptions, beside: BesideFuzzer, progress: Report = silent) -> Helped:
    """Searches beside a fuzzer until the budget is spent or a signal comes. `search` has one job and no growing bounds.

    Raises:
        UsageError: the sources do not compile, there is no such entry, or it takes no string of bytes.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    chosen(search.solver)
    require_combination(search)
    with Shared() as shared:
        return campaign(build, search, shared, progress, None, exchange=beside, told=_helped)


def _helped(made: Campaign) -> Helped:
    program, options = made.scene.program, made.scene.options
    if place_of_bytes(program) is None:
        raise UsageError(
            f"{program.entry} does not take one string of bytes, as inputs of fuzzers are: give a fuzz target "
            "(LLVMFuzzerTestOneInput), a function with one buffer or string, or a program that reads standard input or "
            "one --symbolic-file"
        )
    configure(made.scene.shared, program, made.build, options, seconds=made.age())
    with interruptions() as interruption:
        last, searches = made.searched(interruption)
        scene, kind = searches.last.scene, searches.last.searched.kind
        items = goal_items(scene.program, options.goal)
        return Helped(
            kind=EndingKind.STOPPED if interruption.was_pressed else kind,
            runs=searches.runs,
            covered=len(items.covered(scene.shared.published("edge_seen"))),
            branches=items.total,
            seconds=last.age(),
            notes=(*scene.program.notes, *searches.last.searched.notes),
        )
