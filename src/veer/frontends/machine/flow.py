"""The control-flow graph of what was lifted (model/flow.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veer.frontends.machine.decoder import Instruction
from veer.frontends.machine.descent import Routine, call_targets, falls_through, targets
from veer.frontends.machine.function import leaders
from veer.frontends.machine.jumps import ANOTHER
from veer.frontends.machine.listing import Listing
from veer.model.flow import Flow, FlowBlock, FlowEdge, FlowKind, FoundBy, IndirectJump
from veer.model.program import Site, SiteKind


def flow_of(listing: Listing, routines: Sequence[Routine], sites: Iterable[Site]) -> Flow:
    """The graph. `sites`: of the executable; a jump that has none there goes where the instructions before it say."""
    decided = {site.line for site in sites if site.kind is SiteKind.CASE}
    return Flow(
        tuple(block for each in routines for block in _blocks(listing, each)),
        tuple(dict.fromkeys(edge for each in routines for edge in _edges(each))),
        tuple(jump for each in routines for jump in _jumps(listing, each, decided)),
        ANOTHER,
    )


def _blocks(listing: Listing, routine: Routine) -> Iterator[FlowBlock]:
    first, last, begins = 0, 0, leaders(routine)
    for address in routine.addresses:
        if address in begins:
            if first:
                yield _block(listing, routine, first, last)
            first = address
        last = address
    if first:
        yield _block(listing, routine, first, last)


def _block(listing: Listing, routine: Routine, first: int, last: int) -> FlowBlock:
    return FlowBlock(routine.code.name, first, last, listing.lines[routine.code.address, first])


def _edges(routine: Routine) -> Iterator[FlowEdge]:
    begins = leaders(routine)
    for at, instruction in routine.instructions.items():
        for target in call_targets(instruction):
            yield FlowEdge(at, target, FlowKind.CALL, FoundBy.DESCENT)
        for target in targets(instruction):
            if target == instruction.next and falls_through(instruction):
                if target in begins:
                    yield FlowEdge(at, target, FlowKind.NEXT, FoundBy.DESCENT)
            else:
                yield FlowEdge(at, target, _jump_kind(routine, target), FoundBy.DESCENT)
        for each in routine.indirect.get(at, ()):
            kind = FlowKind.CALL if _is_call(instruction) else _jump_kind(routine, each.code.address)
            yield FlowEdge(at, each.code.address, kind, FoundBy.RUN if each.is_met else FoundBy.DESCENT)


def _is_call(instruction: Instruction) -> bool:
    return any(each.name == "CALLIND" for each in instruction.operations)


def _jump_kind(routine: Routine, target: int) -> FlowKind:
    return FlowKind.TAIL if routine.is_tail(target) else FlowKind.JUMP


def _jumps(listing: Listing, routine: Routine, decided: set[int]) -> Iterator[IndirectJump]:
    for at, known in sorted(routine.indirect.items()):
        line = listing.lines[routine.code.address, at]
        is_computed = line not in decided and len(known) == 1  # LLVM has found the target to be a constant
        yield IndirectJump(routine.code.name, at, line, routine.instructions[at].text, is_computed)
