"""Where indirect jumps go as far as the instructions before them say, and what is made of what runs met."""

from __future__ import annotations

from pathlib import Path

from veer.frontends.machine.architectures import ARM, POWERPC, RISCV64
from veer.frontends.machine.constants import static_target
from veer.frontends.machine.decoder import CONST, MEMORY, REGISTER, UNIQUE, Instruction, Operation, Varnode
from veer.frontends.machine.descent import Routine, Target
from veer.frontends.machine.image import Code, Image, Segment
from veer.frontends.machine.jumps import ANOTHER, named_sites
from veer.frontends.machine.listing import Listing
from veer.model.program import Site, SiteKind

RA, T = Varnode(REGISTER, 8, 8), Varnode(UNIQUE, 0, 8)


def number(value: int, size: int = 8) -> Varnode:
    return Varnode(CONST, value, size)


def instruction(*operations: Operation) -> Instruction:
    return Instruction(0x1000, 4, "x", "x", operations)


def image(machine: object = RISCV64, *, is_writable: bool = False) -> Image:
    data = Segment("data", 0x2000, 16, b"\x78\x56\x34\x12" + bytes(12), is_writable, is_code=False)
    return Image(Path("a.o"), machine, (data,), {})  # type: ignore[arg-type]


JUMP = instruction(Operation("INT_ADD", T, (RA, number(0x26))), Operation("CALLIND", None, (T,)))


def test_a_sum_of_constants_is_the_target() -> None:
    before = [instruction(Operation("COPY", RA, (number(0x1000),)))]
    assert static_target(image(), before, JUMP) == 0x1026


def test_what_was_not_written_is_not_known() -> None:
    assert static_target(image(), [], JUMP) is None


def test_a_part_that_is_written_makes_the_whole_unknown() -> None:
    low = Varnode(REGISTER, 8, 1)
    before = [
        instruction(Operation("COPY", RA, (number(0x1000),))),
        instruction(Operation("LOAD", low, (Varnode(REGISTER, 64, 8),))),
    ]
    assert static_target(image(), before, JUMP) is None


def test_constant_memory_is_read_in_the_machines_order_and_other_memory_is_not() -> None:
    jump = instruction(Operation("LOAD", T, (number(0x2000),), MEMORY), Operation("BRANCHIND", None, (T,)))
    word = Varnode(UNIQUE, 0, 4)
    narrow = instruction(Operation("LOAD", word, (number(0x2000, 4),), MEMORY), Operation("BRANCHIND", None, (word,)))
    assert static_target(image(), [], jump) == 0x12345678
    assert static_target(image(POWERPC), [], narrow) == 0x78563412
    assert static_target(image(is_writable=True), [], jump) is None
    assert static_target(image(is_writable=True), [], jump, guesses=True) == 0x12345678


def test_the_mark_of_the_instruction_set_is_a_part_of_a_target() -> None:
    mode = Varnode(REGISTER, 0x69, 1)
    target = Varnode(REGISTER, 0x5C, 4)
    jump = instruction(
        Operation("COPY", mode, (number(1, 1),)),
        Operation("CALLOTHER", None, (mode,), named="setISAMode"),
        Operation("COPY", target, (number(0x2000, 4),)),
        Operation("BRANCHIND", None, (target,)),
    )
    assert static_target(image(ARM), [], jump) == 0x2001


def test_sites_name_the_targets_in_their_order() -> None:
    code = Code("f", 0x1000)
    routine = Routine(code, {0x1000: JUMP})
    routine.indirect[0x1000] = (Target(0x2000, Code("g", 0x2000)), Target(0x3000, Code("function_3000", 0x3000)))
    listing = Listing("; head\n\nf:\n    00001000: jalr ra;\n", {0x1000: 3}, {(0x1000, 0x1000): 4}, {})
    sites = tuple(Site(k, SiteKind.CASE, "a.lst", 4, 5, "f", "x", ("default", f"case {k}")) for k in range(2))
    named = named_sites(listing, (routine,), {}, sites)
    assert [site.sides for site in named] == [(ANOTHER, "to 0x2000 (g)"), (ANOTHER, "to 0x3000")]
    assert named[0].text == "00001000 jalr ra"
    assert [site.sides for site in named_sites(listing, (routine,), {}, sites[:1])] == [("default", "case 0")]
