"""What a partitioned search found, as values of the model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache

from veer.execution.decode import is_own
from veer.model.partition import InputBlock, Merge, Partitioning
from veer.model.program import Program
from veer.search.partitioned.differences import NOTHING
from veer.search.partitioned.division import BlockDivision
from veer.search.partitioned.flowmap import Witness
from veer.search.snapshot import leaf_name
from veer.wire.layout import FlowKind, PathFlag
from veer.wire.shared import Shared

HOW = {
    FlowKind.VALUE: "they meet in an expression",
    FlowKind.STORE: "a variable gets both, or one decides whether it gets the other",
    FlowKind.TEST: "one decides whether the other is asked about",
    FlowKind.LOAD: "one decides where the other is read",
    FlowKind.JOIN: "both decide what a variable holds where branches meet",
    FlowKind.CALL: "both are given to code that is not followed",
    FlowKind.END: "both decide whether the run goes on",
    FlowKind.LITERAL: "one condition asks about both",
}
NO_BASE = "--partitioned: no input was found whose run returns, so all inputs were searched together"


def partitioning(shared: Shared, program: Program, division: BlockDivision) -> Partitioning | None:
    """The blocks with their paths and witnesses; None when there was nothing to hold inputs at."""
    differences = division.differences
    if differences is None:
        return None

    @cache
    def name(leaf: int) -> str:
        return leaf_name(shared, program, leaf, 0)

    def names(leaves: Iterable[int]) -> tuple[str, ...]:
        return tuple(name(leaf) for leaf in leaves)

    labels = division.searched.labels
    is_new = (shared.published("paths")["flags"][differences.first :] & int(PathFlag.NEW_PATH)) != 0
    counted = Counter(differences.blocks(labels)[is_new].tolist())
    blocks = tuple(InputBlock(names(block), counted[block[0]]) for block in division.searched.blocks())
    product = math.prod(block.paths + 1 for block in blocks)
    return Partitioning(
        blocks,
        names(sorted(division.searched.shared)),
        tuple(_merge(program, witness, names(witness.left), names(witness.right)) for witness in division.witnesses),
        max(counted[NOTHING], 1),
        max(product, counted[NOTHING]),
        division.reruns,
        division.only_checks,
    )


def notes(division: BlockDivision) -> tuple[str, ...]:
    """What the user should know of it."""
    if division.differences is None:
        return (NO_BASE,)
    unknown = division.unknown_names()
    return (f"the partition names what is no input of any run: {', '.join(unknown)}",) if unknown else ()


def doubts(division: BlockDivision) -> tuple[str, ...]:
    """Why nothing may be claimed: the partition that was given interferes."""
    if not division.only_checks or not division.witnesses:
        return ()
    count = len(division.witnesses)
    return (f"blocks of the partition that was given interfere ({count} {'time' if count == 1 else 'times'})",)


def _merge(program: Program, witness: Witness, left: tuple[str, ...], right: tuple[str, ...]) -> Merge:
    if witness.site >= len(program.sites):
        return Merge(left, right, HOW[witness.kind], witness.variable)
    site = program.sites[witness.site]
    if is_own(site):
        return Merge(left, right, f"{HOW[witness.kind]} in the C library", "")
    return Merge(left, right, HOW[witness.kind], witness.variable, site.file, site.line, site.text)
