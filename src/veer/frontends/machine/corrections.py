"""What SLEIGH has wrong and what is mended here, as p-code. What is wrong and not mended is refused (validated.py).

8051 ADDC, SUBB            SLEIGH adds the carry to the operand in 8 bits: 0xff and a carry give no carry on
AArch64 ldrsb, ldrsh       into 32 bits: the upper half is zero; SLEIGH fills it with the sign, or with nothing
to unsigned integers       AArch64 fcvtzu, ARM vcvt.u32, RISC-V fcvt.wu, .lu: SLEIGH converts to a signed number
ARM ldr pc,[sp],#4         a return; SLEIGH takes it for a jump, as RISC-V jr t0 and PowerPC bdnzlr
AArch64 ldadd w1,w2,[x0]   and its kin, cas and ldapr leave the upper half of a register that they load 32 bits into
ldrex, strex and their kin SLEIGH has no state for what they note (exclusive.py)
x86-64 psllw, AArch64 rev64 and other operations on several numbers have names alone (lanes.py)
fmadd, vfma and their kin  SLEIGH rounds twice (fused.py)
ARM ssat, usat, qadd, qsub SLEIGH has names for them alone (saturation.py)
ARM cpsid, msr primask     SLEIGH has no state that says whether interrupts are off
ARM vmov.i32 q8,#7         SLEIGH loads the number from the space of constants: it is the number itself
RISC-V fmv.x.w, fmv.x.d    likewise the bits of a register; fmv.x.w extends their sign
ARM vcvt                   to 32 bits it does not go to the nearest number; from 32 bits SLEIGH has no meaning
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.frontends.machine.architectures import AARCH64, ARM, I8051, POWERPC, RISCV32, RISCV64, X86_64, Architecture
from veer.frontends.machine.decoder import CONST, REGISTER, UNIQUE, Operation, Varnode
from veer.frontends.machine.exclusive import exclusive
from veer.frontends.machine.fused import fused, is_fused
from veer.frontends.machine.lanes import laned
from veer.frontends.machine.saturation import saturating

_OWN = 0xF0000000
"""Where temporaries of SLEIGH's never lie."""
_NARROW = re.compile(r"ldu?t?rs[bh] w")
_ATOMIC = re.compile(r"(?:ld(?:add|clr|eor|set|[su]max|[su]min)a?l?[bh]?|swpa?l?[bh]?|casa?l?[bh]?|ldaprb?h?) ")
_HALF = 4
_VECTOR = 16
_GENERAL = range(0x4000, 0x4100)
"""Where the general registers of AArch64 lie."""
_TO_INTEGER = {
    AARCH64.name: re.compile(r"fcvtz(u) [wx]\d+, [sd]\d+$"),
    ARM.name: re.compile(r"vcvt\.([us])32\.f(?:32|64) s\d+,"),
    **dict.fromkeys((RISCV32.name, RISCV64.name), re.compile(r"fcvt\.([wl]u)\.[sd] .*,rtz$")),
}
_FROM_INTEGER = re.compile(r"vcvt\.f(?:32|64)\.([us])32 \w+,s\d+$")
_BITS = re.compile(r"fmv\.x\.[wsd] ")
_FROM_UNSIGNED = re.compile(r"ucvtf ([sd])\d+, \1\d+$")
_PRIMASK = Varnode(REGISTER, _OWN, 4)
"""1 where interrupts are off; it is 0 at first."""
_OFF = re.compile(r"cps(i[de]) i$")
_FROM_MASK, _TO_MASK = re.compile(r"mrs \w+,primask$"), re.compile(r"msr primask,\w+$")
_RETURNS = {
    ARM.name: re.compile(r"ldr[\w.]* pc,\[sp\],#"),
    POWERPC.name: re.compile(r"bd\w*lr\b"),
    **dict.fromkeys((RISCV32.name, RISCV64.name), re.compile(r"(?:c\.)?jr t0$")),
}
"""t0 is the link register of functions that save registers for others (`-msave-restore`)."""
TO_UNSIGNED = "FLOAT_TRUNC_UNSIGNED"
"""An operation that p-code does not have: towards zero, to an unsigned integer."""
_STEPS = {"ADDC": ("INT_CARRY", "INT_ADD"), "SUBB": ("INT_LESS", "INT_SUB")}


def corrected(machine: Architecture, text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of an instruction, as the processor does them."""
    operations = exclusive(machine, text, operations)
    if is_fused(text):
        return fused(operations)
    if machine in (X86_64, AARCH64):
        operations = laned(operations)
    if machine is AARCH64 and _FROM_UNSIGNED.match(text):
        return tuple(new for each in operations for new in _unsigned(each))
    returns = _RETURNS.get(machine.name)
    if returns is not None and returns.match(text):
        return returning(operations)
    if machine is AARCH64 and _NARROW.match(text):
        return tuple(new for each in operations for new in _narrow(each))
    if machine is AARCH64 and _ATOMIC.match(text):
        return (*operations, *_zeros_above(operations))
    wanted = _TO_INTEGER.get(machine.name)
    if wanted is not None and (matched := wanted.match(text)) is not None:
        return _to_integer(machine, operations, is_unsigned="u" in matched[1])
    if machine in (RISCV32, RISCV64) and _BITS.match(text):
        return _bits_of(operations)
    if machine is ARM and (matched := _FROM_INTEGER.match(text)) is not None:
        return tuple(new for each in operations for new in _from_integer(each, is_unsigned=matched[1] == "u"))
    if machine is ARM:
        return saturating(_masking(text, tuple(map(_of_constants, operations))))
    return _with_carry(text, operations) if machine is I8051 else operations


def returning(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """With a return in the place of the jump at their end."""
    *before, last = operations
    return (*before, Operation("RETURN", last.output, last.inputs)) if last.name == "BRANCHIND" else operations


def _of_constants(old: Operation) -> Operation:
    return Operation("COPY", old.output, old.inputs) if old.name == "LOAD" and old.space == CONST else old


def _bits_of(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The bits of a floating-point register."""
    first, last = operations[0], operations[-1]
    assert first.output is not None and last.output is not None
    name = "COPY" if first.output.size == last.output.size else "INT_SEXT"
    return (first, Operation(name, last.output, (first.output,)))


def _unsigned(old: Operation) -> Iterator[Operation]:
    """A conversion of a number without a sign; what is behind it in the register is 0."""
    if old.name != "CALLOTHER" or old.output is None:
        yield old
        return
    wide = Varnode(UNIQUE, _OWN, 2 * old.output.size)
    yield Operation("INT_ZEXT", wide, old.inputs)
    yield Operation("FLOAT_INT2FLOAT", old.output, (wide,))
    for at in range(old.output.size, _VECTOR, old.output.size):
        above = Varnode(REGISTER, old.output.offset + at, old.output.size)
        yield Operation("COPY", above, (Varnode(CONST, 0, old.output.size),))


def _masking(text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Interrupts off and on: nobody but the code itself sees it."""
    if matched := _OFF.match(text):
        return (Operation("COPY", _PRIMASK, (Varnode(CONST, int(matched[1] == "id"), 4),)),)
    if _FROM_MASK.match(text):
        output = next(each.output for each in operations if each.output and each.output.space == REGISTER)
        return (Operation("COPY", output, (_PRIMASK,)),)
    if _TO_MASK.match(text):
        places = (each for operation in operations for each in operation.inputs if each.space == REGISTER)
        return (Operation("INT_AND", _PRIMASK, (next(places), Varnode(CONST, 1, 4))),)
    return operations


def _with_carry(text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    mnemonic = text.split(" ", 1)[0]
    if mnemonic not in _STEPS:
        return operations
    flag, total = _STEPS[mnemonic]
    carry = next(each.output for each in operations if each.name == "INT_RIGHT")
    added = next(each for each in operations if each.name == "INT_ADD" and carry in each.inputs)
    operand = next(each for each in added.inputs if each != carry)
    assert carry is not None
    return tuple(
        new
        for each in operations
        for new in (_carried(each, operand, carry, flag, total) if each.name == flag else (each,))
    )


def _carried(old: Operation, operand: Varnode, carry: Varnode, flag: str, total: str) -> Iterator[Operation]:
    """A carry of two steps: of the operand, then of the carry that came in."""
    first, second, between = (Varnode(UNIQUE, _OWN + place, 1) for place in range(3))
    accumulator = old.inputs[0]
    yield Operation(flag, first, (accumulator, operand))
    yield Operation(total, between, (accumulator, operand))
    yield Operation(flag, second, (between, carry))
    yield Operation("BOOL_OR", old.output, (first, second))


def _narrow(old: Operation) -> Iterator[Operation]:
    """A byte or half word with its sign in 32 bits, and zeros above."""
    output = old.output
    is_last = old.name in ("INT_SEXT", "INT_ZEXT") and output is not None and output.space == REGISTER
    if not is_last or old.inputs[0].size > 2:
        yield old
        return
    half = Varnode(UNIQUE, _OWN, 4)
    yield Operation("INT_SEXT", half, old.inputs)
    yield Operation("INT_ZEXT", output, (half,))


def _zeros_above(operations: tuple[Operation, ...]) -> Iterator[Operation]:
    """For the upper halves of general registers of which only the lower one is written."""
    for place in {each.output for each in operations if each.output is not None}:
        if place.space == REGISTER and place.offset in _GENERAL and place.size == _HALF:
            yield Operation("COPY", Varnode(REGISTER, place.offset + _HALF, _HALF), (Varnode(CONST, 0, _HALF),))


def _to_integer(machine: Architecture, given: tuple[Operation, ...], *, is_unsigned: bool) -> tuple[Operation, ...]:
    """One conversion in the place of SLEIGH's several."""
    place = next((k for k, each in enumerate(given) if each.name == "FLOAT_TRUNC"), None)
    output = next((each.output for each in reversed(given) if each.output and each.output.space == REGISTER), None)
    if place is None or output is None:
        return given
    old, name = given[place], TO_UNSIGNED if is_unsigned else "FLOAT_TRUNC"
    if machine is AARCH64:  # which writes the upper half by itself
        return (*given[:place], Operation(name, old.output, old.inputs), *given[place + 1 :])
    assert old.output is not None
    size = old.output.size if machine is not ARM else 4
    if size == output.size:
        return (*given[:place], Operation(name, output, old.inputs))
    whole = Varnode(UNIQUE, _OWN, size)
    return (*given[:place], Operation(name, whole, old.inputs), Operation("INT_SEXT", output, (whole,)))


def _from_integer(old: Operation, *, is_unsigned: bool) -> Iterator[Operation]:
    if old.name != "CALLOTHER":
        yield old
        return
    source, wide = old.inputs[0], Varnode(UNIQUE, _OWN, 8)
    yield Operation("INT_ZEXT" if is_unsigned else "INT_SEXT", wide, (source,))
    yield Operation("FLOAT_INT2FLOAT", old.output, (wide,))
