"""The partitioned search: the explorer with a division, which finds blocks of inputs that do not interfere."""

from __future__ import annotations

import contextlib
import time

from veer.execution.protocol import Executor
from veer.model.values import replace
from veer.search.explorer import never
from veer.search.memory import BoundedSearch
from veer.search.partitioned.division import BlockDivision, Wishes
from veer.search.partitioned.outcome import doubts, notes, partitioning
from veer.search.plain import search_alone, searched
from veer.search.protocol import Ability, Instrumentation, Searched
from veer.search.scene import Scene
from veer.search.snapshot import leaf_name


class PartitionedSearch:
    """See Search. Never refuses: where nothing can be held, all inputs are one block.

    One process knows the blocks of all paths, so it takes no workers.
    """

    instrumentation = Instrumentation(flow_map=True)
    abilities = frozenset({Ability.EVERY_PATH, Ability.PRUNING, Ability.RESUME})

    def run(self, scene: Scene) -> Searched:
        """See Search."""
        began = time.monotonic()
        divisions: list[BlockDivision] = []

        def divide(executor: Executor, deadline: float) -> BlockDivision:
            divisions.append(division_of(scene, executor, deadline))
            return divisions[-1]

        with contextlib.closing(BoundedSearch(scene, divide)) as search:
            if scene.earlier is not None:
                search.restore(scene.earlier.state)
            kind = search_alone(scene, search, never)
        assert kind is not None  # nobody pauses it
        (division,) = divisions  # such a search is never renewed
        found = searched(scene, kind, search, time.monotonic() - began)
        return replace(
            found,
            notes=(*notes(division), *found.notes),
            doubts=doubts(division),
            partition=partitioning(scene.shared, scene.program, division),
        )


PARTITIONED = PartitionedSearch()


def division_of(scene: Scene, executor: Executor, deadline: float) -> BlockDivision:
    """What divides a search of this scene; `deadline` in time.monotonic."""

    def name_of(leaf: int) -> str:
        return leaf_name(scene.shared, scene.program, leaf, 0)

    wishes = Wishes(scene.options.partition, scene.options.checks_partition)
    return BlockDivision(scene.shared, executor, wishes, name_of, deadline, scene.options.max_runs)
