"""A simple loop as the compositional search computes with it: one iteration as operations on numbered values.

A loop of this kind does nothing but compute and load: its paths follow from its text (compositional/closed.py).

    while (s[i] != c) { if (s[i] == 0) return -1; i++; }

    block 0:  2 = phi(entry: 0, block 1: 6)      i; inputs are the values 0 (s) and 1 (c)
              3 = address(0, 2 * 1); 4 = load 3; 5 = icmp ne 4, 1;  branch 5: block 1, exit 0
    block 1:  ...                                                   branch ..: exit 1, block 0
"""

from __future__ import annotations

from msgspec import Struct

from veer.model.values import replace

OUTPUTS_PER_EXIT = 16
"""Numbers of results (Crossing.RESULT) that each exit has: the first says that it was taken, the others are values."""
ENTRY = -1
"""Where a phi of the first block has its value from in the first iteration."""
FAILED = -1000
"""Where the bad side of a check leads: the run ends there."""


class LoopValue(Struct, frozen=True):
    """A numbered value, or, with `number` -1, a constant of `width` bits."""

    width: int
    number: int = -1
    constant: int = 0


class LoopStep(Struct, frozen=True):
    """`result` = `opcode` on operands; `detail`: an icmp's predicate.

    `parts` of a phi: the blocks that its operands come from (ENTRY: from outside); of an address: a constant offset,
    then the bytes for a step of each index.
    """

    opcode: str  # phi, address, load, same (in another type), icmp, zext, sext, trunc, or a binary operator
    result: int
    width: int
    operands: tuple[LoopValue, ...]
    detail: str = ""
    parts: tuple[int, ...] = ()


class LoopBlock(Struct, frozen=True):
    """`targets`: blocks (0: the next iteration), -1 - exit, or FAILED; of a branch: when it holds, when not.

    `site`: the branch's; of a check, one target is FAILED.
    """

    steps: tuple[LoopStep, ...]
    targets: tuple[int, ...]
    condition: LoopValue | None = None
    site: int = -1

    @property
    def is_check(self) -> bool:
        """Whether its branch is a check of the compiler's, not one of the source."""
        return FAILED in self.targets


class LoopOutput(Struct, frozen=True):
    """A value that is used behind the loop, as its result `number`; of a pointer, how far it is from `base`."""

    number: int
    value: LoopValue
    base: LoopValue | None = None


class Loop(Struct, frozen=True):
    """A loop by the site of its first branch that is no check.

    Inputs are the values 0 .. count - 1; blocks are in an order in which only ways to the next iteration lead back;
    `exits`: what each one gives out.
    """

    site: int
    inputs: int
    blocks: tuple[LoopBlock, ...]
    exits: tuple[tuple[LoopOutput, ...], ...]

    def moved(self, base: int) -> Loop:
        """The same with sites that count from `base`."""
        blocks = tuple(replace(block, site=block.site + base) if block.site >= 0 else block for block in self.blocks)
        return replace(self, site=self.site + base, blocks=blocks)
