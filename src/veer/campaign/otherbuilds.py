"""The program built for searches that another one tries beside itself: each has a build and a memory of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

from msgspec import Struct, field

from veer.campaign import session
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.values import replace
from veer.search.protocol import Instrumentation
from veer.search.scene import Scene, Tools
from veer.search.settings import configure
from veer.wire.shared import Shared

_FIELDS = {"flow_map": "partitioned", "boundaries": "compositional"}
"""What a search needs → the field of BuildOptions that says so."""


class OtherBuilds(Struct, frozen=True):
    """See Beside. `build` makes a program, confined; `tools` works on its memory; `takes`: the fields of BuildOptions
    that the language knows. `memories` closes what is made, and `pool` builds beside."""

    options: BuildOptions
    takes: frozenset[str]
    build: Callable[[BuildOptions], Built]
    tools: Callable[[Program], Tools]
    memories: ExitStack
    pool: ThreadPoolExecutor
    made: dict[str, Future[Built]] = field(default_factory=dict)

    def can_build(self, search: str) -> bool:
        """See Beside."""
        needed = _needed(search)
        return all(name in self.takes for what, name in _FIELDS.items() if getattr(needed, what))

    def begin(self, search: str) -> None:
        """See Beside."""
        if search not in self.made:
            needed = _needed(search)
            own = {name: getattr(needed, what) for what, name in _FIELDS.items()}
            self.made[search] = self.pool.submit(self.build, replace(self.options, **own))

    def scene(self, search: str, main: Scene) -> Scene:
        """See Beside."""
        self.begin(search)
        built = self.made[search].result()
        options = replace(main.options, search=search, growing=(), patience=0.0, plateau=0)
        shared = self.memories.enter_context(Shared())
        configure(shared, built.program, built.options, options, seconds=time.monotonic() - main.start)
        return replace(
            main,
            shared=shared,
            program=built.program,
            options=options,
            tools=self.tools(built.program),
            seeds=(),
            existing=(),
            checkpoints=None,
            earlier=None,
        )


def _needed(search: str) -> Instrumentation:
    return session.search_named(search).instrumentation
