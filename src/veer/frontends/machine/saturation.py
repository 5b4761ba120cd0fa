"""ARM's sums and numbers that keep to the ends of their range, as p-code: SLEIGH only has names for them.

ssat r0,#16,r1     r1, or the nearest number of 16 bits with a sign       (Thumb: SLEIGH has 15 for the 16)
usat r0,#8,r1      r1, or the nearest one of 8 bits without
qadd r0,r1,r2      the sum, or the nearest number of 32 bits; SLEIGH saturates what has lost its highest bit

Those that saturate several numbers at once (qadd16, ssat16, qdadd) are not supported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.machine.decoder import CONST, UNIQUE, Operation, Varnode

_OWN = 0xF0000100
"""Where temporaries of SLEIGH's never lie."""
_RESULTS = ("SignedSaturate", "UnsignedSaturate")
_FLAGS = ("SignedDoesSaturate", "UnsignedDoesSaturate")
_WORD, _WIDE = 4, 8
_IS_OVER, _IS_UNDER, _DOES = (Varnode(UNIQUE, _OWN + place, 1) for place in range(3))


def saturating(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of such an instruction; those of any other one as they are."""
    asked = [each for each in operations if each.named in _RESULTS]
    if len(asked) != 1 or asked[0].output is None or asked[0].output.size != _WORD:
        return operations
    value, bits = asked[0].inputs[0], _bits(asked[0], operations)
    total = next((each for each in operations if each.output == value and each.name in ("INT_ADD", "INT_SUB")), None)
    is_wide = bits == 8 * _WORD and total is not None
    if not bits and asked[0].named == _RESULTS[0]:
        return operations
    found: list[Operation] = []
    for each in operations:
        if is_wide and each is total:
            found += _summed(each)
        elif each is asked[0]:
            source = Varnode(UNIQUE, _OWN + 0x20, _WIDE) if is_wide else value
            found += _kept(source, bits, each.output, is_signed=each.named == _RESULTS[0])
        elif each.named in _FLAGS and each.output is not None:
            found.append(Operation("BOOL_OR", each.output, (each.output, _DOES)))
        else:
            found.append(each)
    return tuple(found)


def _bits(asked: Operation, operations: Sequence[Operation]) -> int:
    """Of the numbers that are kept to; 0 where nothing says it."""
    given = asked.inputs[1]
    if given.space == CONST:
        return given.offset
    copies = [each for each in operations if each.name == "COPY" and each.output == given]
    if not copies or copies[-1].inputs[0].space != CONST:
        return 0
    return copies[-1].inputs[0].offset + (asked.named == _RESULTS[0])


def _summed(total: Operation) -> Iterator[Operation]:
    """A sum of 32 bits in 64."""
    wide = [Varnode(UNIQUE, _OWN + 0x28 + _WIDE * place, _WIDE) for place in range(2)]
    for place, each in zip(wide, total.inputs, strict=True):
        yield Operation("INT_SEXT", place, (each,))
    yield Operation(total.name, Varnode(UNIQUE, _OWN + 0x20, _WIDE), tuple(wide))


def _kept(value: Varnode, bits: int, output: Varnode | None, *, is_signed: bool) -> Iterator[Operation]:
    """The value, or the end of the range that it is beyond; without a branch. It has a sign in either case."""
    size = value.size
    highest = (1 << (bits - 1)) - 1 if is_signed else (1 << bits) - 1
    lowest = -1 - highest if is_signed else 0
    most, least = (Varnode(CONST, each % (1 << 8 * size), size) for each in (highest, lowest))
    yield Operation("INT_SLESS", _IS_OVER, (most, value))
    yield Operation("INT_SLESS", _IS_UNDER, (value, least))
    yield Operation("BOOL_OR", _DOES, (_IS_OVER, _IS_UNDER))
    parts = [Varnode(UNIQUE, _OWN + 0x40 + _WIDE * place, size) for place in range(8)]
    total = parts[0]
    yield Operation("COPY", total, (value,))
    for place, (is_beyond, end) in enumerate(((_IS_OVER, most), (_IS_UNDER, least))):
        number, mask, other = parts[1 + 3 * place : 4 + 3 * place]
        yield Operation("INT_ZEXT", number, (is_beyond,))
        yield Operation("INT_2COMP", mask, (number,))
        yield Operation("INT_XOR", other, (total, end))
        yield Operation("INT_AND", other, (other, mask))
        yield Operation("INT_XOR", total, (total, other))
    yield Operation("SUBPIECE", output, (total, Varnode(CONST, 0, _WORD)))
