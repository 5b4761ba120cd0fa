"""The control-flow graph of machine code: blocks of instructions, and how one is known to follow another."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class FoundBy(StrEnum):
    """Who knows an edge."""

    DESCENT = "descent"  # the instructions say so
    RUN = "run"  # a run went there


class FlowKind(StrEnum):
    """How a block is left."""

    NEXT = "next"
    JUMP = "jump"
    CALL = "call"
    TAIL = "tail call"


class FlowBlock(Struct, frozen=True):
    """Instructions that are run one after the other, `first` to `last`, by address. `line`: the first one's in the
    listing."""

    function: str
    first: int
    last: int
    line: int


class FlowEdge(Struct, frozen=True):
    """From the instruction at `at` to the block at `target`."""

    at: int
    target: int
    kind: FlowKind
    found_by: FoundBy


class IndirectJump(Struct, frozen=True):
    """A jump or call whose target is computed. `line`: its line in the listing; `is_computed`: the instructions before
    it say where it goes, whatever the input is; `text`: the instruction."""

    function: str
    at: int
    line: int
    text: str
    is_computed: bool = False


class Flow(Struct, frozen=True):
    """The graph of all functions that an entry needs."""

    blocks: tuple[FlowBlock, ...]
    edges: tuple[FlowEdge, ...]
    indirect: tuple[IndirectJump, ...]
    another: str = ""
    """The side of a branch that stands for all targets that are not known."""
