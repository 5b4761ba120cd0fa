"""Assertions of the user's own: a macro that asks something, and never comes back where it is not so.

#define CHECK(e) if (!(e)) { if (hook) hook(#e); else { print(#e); while (1); } }
#define CHECK(e) ((e) ? (void)0 : die(#e))                 with `_Noreturn void die(const char *);`
#define CHECK(e) if (!(e)) __builtin_trap()                or `*(volatile int *)0 = 0`
    br i1 %5, label %9, label %6, !dbg !41
6:  call i32 @print(...), !dbg !42            !41, !42 and !44 are one place in the source, that of the macro's use:
    br label %8, !dbg !42                     who writes `if (n > 5) for (;;);` writes the loop at a place of its own
8:  br label %8, !dbg !44
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.instrument.debuglocation import DebugLocations, Position
from veer.instrument.instructions import Instruction
from veer.instrument.module import Block

_MOST_BLOCKS = 16
_SIDES = 2


def failing_blocks(blocks: Sequence[Block], locations: DebugLocations) -> frozenset[str]:
    """The blocks to which a condition of a macro leads where it fails: the macro ends the program there, or loops."""
    known = {each.label: each for each in blocks}
    return frozenset(
        label
        for block in blocks
        for place in [_place(locations, block.instructions[-1].location)]
        for label in block.instructions[-1].labels
        if block.instructions[-1].opcode == "br" and len(block.instructions[-1].labels) == _SIDES and place is not None
        if any(_is_end(each) for each in _written_at(place, label, known, locations))
    )


def _written_at(place: Position, label: str, blocks: Mapping[str, Block], locations: DebugLocations) -> Iterator[Block]:
    """The blocks from a label on that lie at that place of the source as a whole."""
    waiting, seen = [label], set[str]()
    while waiting and len(seen) < _MOST_BLOCKS:
        label = waiting.pop()
        block = blocks.get(label)
        if label in seen or block is None:
            continue
        seen.add(label)
        if all(_place(locations, each.location) in (place, None) for each in block.instructions):
            yield block
            waiting += block.instructions[-1].labels


def _is_end(block: Block) -> bool:
    """Whether a block never comes back: it is a loop of nothing, calls what does not return, or traps."""
    last = block.instructions[-1]
    if any(_traps(each) for each in block.instructions):
        return True
    if last.opcode == "unreachable":
        return any(each.opcode == "call" for each in block.instructions)
    return last.opcode == "br" and set(last.labels) == {block.label} and len(block.instructions) == 1


def _traps(instruction: Instruction) -> bool:
    """`__builtin_trap()`, `__builtin_debugtrap()`, or a write through NULL where the code says so."""
    if instruction.opcode == "store":
        return instruction.operands[1].value == "null"
    return instruction.opcode == "call" and (
        "@llvm.trap(" in instruction.text or "@llvm.debugtrap(" in instruction.text
    )


def _place(locations: DebugLocations, location: int) -> Position | None:
    """Where an instruction lies; None where the compiler does not say."""
    place = locations.position(location)
    return place if place.line else None
