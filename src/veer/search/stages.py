"""The order in which bounds grow: which grow together, how often, and what must have come before.

See growing.py, which makes the searches.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from msgspec import Struct

from veer.model.program import Program
from veer.model.types import BoundKind

_FAR_DOUBLINGS = 7
"""8 becomes 1,024."""


class Stage(Struct, frozen=True):
    """Bounds that grow together, each at most so often.

    `is_stubborn`: a search that shows nothing new is not the last, open branch or not; `follows_any`: it need not be
    that all was run before; `needs_open_branch`: there is something to do only while a branch is not covered;
    `needs_calls`: only where calls before the entry have shown what came to these bounds; `needs_news`: a search that
    shows nothing new is dropped, so that those behind it need not be within its bounds. `is_brief`: one
    search with all doublings at once, of so few `runs` beside its seeds' that none before it need be finished;
    `needs_endless`: only behind a first search that was not finished, for else another stage came to these bounds.
    """

    kinds: frozenset[BoundKind]
    most: int
    is_stubborn: bool = False
    follows_any: bool = False
    needs_open_branch: bool = False
    needs_calls: bool = False
    needs_news: bool = False
    is_brief: bool = False
    runs: int = 0
    needs_endless: bool = False


_CALLS, _STATE, _CLOCKS, _LONGER = (
    frozenset({kind}) for kind in (BoundKind.CALLS, BoundKind.STATE, BoundKind.CLOCKS, BoundKind.LONGER)
)
SIZES = frozenset(BoundKind) - _CALLS - _STATE - _CLOCKS - _LONGER
FAR = frozenset({BoundKind.LENGTH, BoundKind.ARRAY, BoundKind.ARGUMENT, BoundKind.INPUT, BoundKind.FILE})
"""What is far larger in the last search: texts, buffers, and files."""
FAR_SHARE = 1 / 12
"""Share of the budget that is left for the searches within far larger bounds."""
STAGES = (
    Stage(_LONGER, 1, needs_open_branch=True, needs_news=True),
    Stage(SIZES, 4),  # 8 becomes 128 at most
    Stage(_CLOCKS, 1, follows_any=True, needs_open_branch=True),
    Stage(_CALLS, 1, is_stubborn=True, follows_any=True),
    Stage(SIZES, 4, follows_any=True, needs_open_branch=True, needs_calls=True),
    Stage(_CALLS, 5, is_stubborn=True, follows_any=True),  # 16 calls: what needs three of them shows nothing after two
    Stage(_STATE, 1, follows_any=True, needs_open_branch=True),
    Stage(FAR, 1, follows_any=True, is_brief=True, runs=300, needs_endless=True),
    Stage(FAR, _FAR_DOUBLINGS, follows_any=True, is_brief=True, runs=60),
)
"""Buffers that are longer than the code says, larger inputs, then clocks that tell any time, then static data as one
call leaves it, larger inputs of that call, more calls, data of any value; at last, briefly, inputs that are larger and
far larger."""


def share_behind(stage: Stage) -> float:
    """Share of the budget that the searches of a stage leave for those within far larger bounds that come behind it."""
    are_brief = [each.is_brief for each in STAGES]
    return FAR_SHARE * sum(are_brief[STAGES.index(stage) + 1 :]) / sum(are_brief)


def may_be_far(kinds: AbstractSet[BoundKind], program: Program) -> bool:
    """Whether the program has inputs that may be far larger, where bounds of these kinds may grow."""
    return bool(kinds & FAR & {words.split()[0] for words in program.bounds})
