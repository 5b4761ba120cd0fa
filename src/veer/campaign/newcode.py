"""Code that runs came to and that the program does not have (machine code): it is built again, and searched again.

search ─► a jump went to 0x10010200 ─► the program with what lies there ─► search, first with the inputs kept so far ...

Only when no new code is met any more, searches within larger bounds follow. The builds take of the search's time: one
that would end behind it is not begun, and a note says so.

Each search has a tree of its own: a jump whose target is known is a branch that was none. Leaves keep their places in
an input, as in searches within larger bounds (search/growing.py). Behind one of those it begins with nothing, for it is
within the first bounds again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack

from msgspec import Struct

from veer.campaign.session import SHORTEST
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.values import replace
from veer.search.growing import Searches, Step, seeds_of, take_over
from veer.search.scene import Scene, Tools
from veer.store.saver import Saver
from veer.wire.bounds import Bounds
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared
from veer.wire.targets import Targets

NOT_BUILT = "runs came to code that was not built, for the search was over: give it more by --budget or --max-runs"
"""A note."""
JumpTargets = tuple[tuple[int, int], ...]


def known_targets(last: Step, build: BuildOptions) -> JumpTargets:
    """What is known of indirect jumps behind this search: what was known before, and what it met."""
    shared = last.scene.shared
    met = shared.published("targets")[: shared.control(Targets).target_count]
    return tuple(sorted({*build.jump_targets, *((int(row["at"]), int(row["target"])) for row in met)}))


def is_worth_it(known: JumpTargets, build: BuildOptions, deadline: float) -> bool:
    """Whether the program is to be built again, and time is left to search it."""
    return known != build.jump_targets and time.monotonic() + SHORTEST < deadline


class Rebuilding(Struct, frozen=True):
    """What builds a campaign's program again: `build` makes it, confined; `tools` works on its memory."""

    build: Callable[[BuildOptions], Built]
    tools: Callable[[Program], Tools]
    memories: ExitStack

    def again(self, scene: Scene, built: Built, known: JumpTargets, saver: Saver | None) -> tuple[Scene, Built]:
        """The scene of the next search, and its program. The memory of the search before is closed."""
        made = self.build(replace(built.options, jump_targets=known))
        old, shared = scene.shared, self.memories.enter_context(Shared())
        is_grown = old.control(Bounds).doublings != 0  # its inputs may be larger than the next search begins with
        if not is_grown:
            take_over(old, shared)
        shared.counts.runs = old.counts.runs
        shared.control(Mutations).mutated_runs = old.control(Mutations).mutated_runs
        scene.tools.release()
        tools, seeds = self.tools(made.program), () if is_grown else seeds_of(scene)
        old.close()
        if saver is not None:
            saver.rebuilt(made.options, dict(made.files))
        return replace(scene, shared=shared, program=made.program, tools=tools, seeds=seeds, earlier=None), made

    def beside(self, scene: Scene, build: BuildOptions) -> tuple[Scene, Built]:
        """The scene of a search of another build of it, which begins with the inputs kept so far, if both have the same
        types; the memory of the search before stays. The engine's library serves one memory at a time: it is free for
        that search."""
        made = self.build(build)
        old, shared = scene.shared, self.memories.enter_context(Shared())
        has_same_types = made.program.types[: len(scene.program.types)] == scene.program.types
        if has_same_types:
            take_over(old, shared)
        shared.counts.runs = old.counts.runs
        shared.control(Mutations).mutated_runs = old.control(Mutations).mutated_runs
        scene.tools.release()
        tools, seeds = self.tools(made.program), seeds_of(scene) if has_same_types else ()
        return replace(scene, shared=shared, program=made.program, tools=tools, seeds=seeds, earlier=None), made


def joined(before: Searches, after: Searches) -> Searches:
    """What both did, with what the later one found."""
    searched = after.last.searched.behind(before.last.searched)
    return replace(after, last=replace(after.last, searched=searched))
