"""Operations on several numbers at once, as p-code on each: SLEIGH only has names for them.

    XMM1 = psllw XMM1 5          t0 = SUBPIECE XMM1 0        t1 = SUBPIECE XMM1 2       ...
                                 XMM1[0:2] = INT_LEFT t0 5   XMM1[2:4] = INT_LEFT t1 5  ...

All lanes are read before the first one is written. Those of x86-64 are of SSE and SSE2, which compilers take for
granted there; those of AArch64 are the ones that gcc makes of code without vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veer.frontends.machine.decoder import CONST, UNIQUE, Operation, Varnode

_OWN = 0xF2000000
"""Where temporaries of SLEIGH's, and of other corrections, never lie."""
_WHOLE = 16
SIGNED_MIN, SIGNED_MAX, UNSIGNED_MIN, UNSIGNED_MAX = "SIGNED_MIN", "SIGNED_MAX", "UNSIGNED_MIN", "UNSIGNED_MAX"
"""Operations that p-code does not have."""


def laned(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of an instruction; those without a meaning here as they are."""
    if not any(each.named in _ALL for each in operations):
        return operations
    found: list[Operation] = []
    for each in operations:
        found += _Lanes(each).rows() if each.named in _ALL and each.output is not None else (each,)
    return tuple(found)


class _Lanes:
    """Writes one operation."""

    def __init__(self, old: Operation) -> None:
        assert old.output is not None
        self.old, self.output = old, old.output
        self._rows: list[Operation] = []
        self._made = 0

    def rows(self) -> list[Operation]:
        """The operations in its place."""
        _ALL[self.old.named](self)
        return self._rows

    def make(self, name: str, size: int, *given: Varnode) -> Varnode:
        """A new value."""
        self._made += 1
        made = Varnode(UNIQUE, _OWN + 16 * self._made, size)
        self._rows.append(Operation(name, made, given))
        return made

    def lanes(self, place: int, size: int) -> list[Varnode]:
        """Those of an operand."""
        given = self.old.inputs[place]
        return [
            self.make("SUBPIECE", size, given, Varnode(CONST, at, 4)) if given.size > size else given
            for at in range(0, given.size, size)
        ]

    def number(self, place: int) -> int:
        """An operand that is a constant."""
        return self.old.inputs[place].offset

    def give(self, values: Sequence[Varnode]) -> None:
        """The lanes of the result."""
        at = self.output.offset
        for each in values:
            self._rows.append(Operation("COPY", Varnode(self.output.space, at, each.size), (each,)))
            at += each.size

    def clear_above(self) -> None:
        """AArch64: the upper half of a register of which the lower one is written."""
        size = self.output.size
        if size < _WHOLE:
            above = Varnode(self.output.space, self.output.offset + size, size)
            self._rows.append(Operation("COPY", above, (self.constant(0, size),)))

    @staticmethod
    def constant(number: int, size: int) -> Varnode:
        """A number of so many bytes."""
        return Varnode(CONST, number % (1 << 8 * size), size)

    def widened(self, value: Varnode, *, is_signed: bool) -> Varnode:
        """In twice the width."""
        return self.make("INT_SEXT" if is_signed else "INT_ZEXT", 2 * value.size, value)

    def half(self, value: Varnode, at: int = 0) -> Varnode:
        """The lower half of a value, or what begins at that byte."""
        return self.make("SUBPIECE", value.size // 2, value, Varnode(CONST, at, 4))

    def kept(self, value: Varnode, size: int, *, is_signed: bool) -> Varnode:
        """The nearest number of so many bytes to a signed one of twice as many."""
        bits = 8 * size - is_signed
        most, least = (1 << bits) - 1, -(1 << bits) if is_signed else 0
        value = self.make(SIGNED_MIN, value.size, value, self.constant(most, value.size))
        return self.half(self.make(SIGNED_MAX, value.size, value, self.constant(least, value.size)))

    def total(self, name: str, values: Sequence[Varnode]) -> Varnode:
        """Of several."""
        result = values[0]
        for each in values[1:]:
            result = self.make(name, result.size, result, each)
        return result


_Rule = Callable[[_Lanes], None]


def _each(size: int, made: Callable[[_Lanes, Varnode, Varnode], Varnode]) -> _Rule:
    """A lane of the result for two of the operands."""

    def rule(of: _Lanes) -> None:
        pairs = list(zip(of.lanes(0, size), of.lanes(1, size), strict=True))
        of.give([made(of, one, other) for one, other in pairs])

    return rule


def _plain(name: str, size: int) -> _Rule:
    return _each(size, lambda of, one, other: of.make(name, size, one, other))


def _shift(name: str, size: int) -> _Rule:
    """By a constant, or by the lower half of a register."""

    def rule(of: _Lanes) -> None:
        by = of.old.inputs[1]
        amount = by if by.size <= 8 else of.half(by)
        of.give([of.make(name, size, each, amount) for each in of.lanes(0, size)])

    return rule


def _saturating(name: str, size: int, *, is_signed: bool) -> _Rule:
    def made(of: _Lanes, one: Varnode, other: Varnode) -> Varnode:
        wide = [of.widened(each, is_signed=is_signed) for each in (one, other)]
        return of.kept(of.make(name, 2 * size, *wide), size, is_signed=is_signed)

    return _each(size, made)


def _upper(*, is_signed: bool) -> _Rule:
    """The upper halves of products."""

    def made(of: _Lanes, one: Varnode, other: Varnode) -> Varnode:
        wide = [of.widened(each, is_signed=is_signed) for each in (one, other)]
        return of.half(of.make("INT_MULT", 2 * one.size, *wide), one.size)

    return _each(2, made)


def _average(size: int) -> _Rule:
    def made(of: _Lanes, one: Varnode, other: Varnode) -> Varnode:
        wide = [of.widened(each, is_signed=False) for each in (one, other)]
        total = of.total("INT_ADD", [*wide, of.constant(1, 2 * size)])
        return of.half(of.make("INT_RIGHT", 2 * size, total, of.constant(1, 4)))

    return _each(size, made)


def _products(of: _Lanes) -> None:
    """pmaddwd: sums of two products each."""
    wide = [[of.widened(each, is_signed=True) for each in of.lanes(place, 2)] for place in (0, 1)]
    made = [of.make("INT_MULT", 4, one, other) for one, other in zip(*wide, strict=True)]
    of.give([of.make("INT_ADD", 4, *made[at : at + 2]) for at in range(0, len(made), 2)])


def _distances(of: _Lanes) -> None:
    """psadbw: the sum of the distances of eight bytes."""
    found = []
    for one, other in zip(of.lanes(0, 1), of.lanes(1, 1), strict=True):
        most, least = (of.make(name, 1, one, other) for name in (UNSIGNED_MAX, UNSIGNED_MIN))
        found.append(of.make("INT_ZEXT", 8, of.make("INT_SUB", 1, most, least)))
    of.give([of.total("INT_ADD", found[at : at + 8]) for at in range(0, len(found), 8)])


def _packed(size: int) -> _Rule:
    """Numbers of half the width, first those of the first operand."""

    def rule(of: _Lanes) -> None:
        wide = [*of.lanes(0, 2 * size), *of.lanes(1, 2 * size)]
        of.give([of.kept(each, size, is_signed=True) for each in wide])

    return rule


def _shuffled(begin: int) -> _Rule:
    """pshuflw, pshufhw: four words from `begin` on in an order that two bits each say."""

    def rule(of: _Lanes) -> None:
        words, order = of.lanes(1, 2), of.number(2)
        chosen = [words[begin + (order >> 2 * place & 3)] for place in range(4)]
        of.give([*words[:begin], *chosen, *words[begin + 4 :]])

    return rule


def _signs(size: int) -> _Rule:
    def rule(of: _Lanes) -> None:
        bits = []
        for place, each in enumerate(of.lanes(1, size)):
            flag = of.make("INT_SLESS", 1, each, of.constant(0, size))
            wide = of.make("INT_ZEXT", of.output.size, flag)
            bits.append(of.make("INT_LEFT", of.output.size, wide, of.constant(place, 4)))
        of.give([of.total("INT_OR", bits)])

    return rule


def _extreme(size: int, *, is_most: bool) -> _Rule:
    """The first number where it is beyond the second one, which stands for all else."""

    def made(of: _Lanes, one: Varnode, other: Varnode) -> Varnode:
        flag = of.make("FLOAT_LESS", 1, other, one) if is_most else of.make("FLOAT_LESS", 1, one, other)
        mask = of.make("INT_2COMP", size, of.make("INT_ZEXT", size, flag))
        change = of.make("INT_AND", size, of.make("INT_XOR", size, one, other), mask)
        return of.make("INT_XOR", size, other, change)

    return _each(size, made)


def _roots(size: int) -> _Rule:
    return lambda of: of.give([of.make("FLOAT_SQRT", size, each) for each in of.lanes(1, size)])


def _reversed(whole: int) -> _Rule:
    """AArch64 rev: lanes in the opposite order within each `whole` bytes."""

    def rule(of: _Lanes) -> None:
        size = of.number(1)
        lanes, count = of.lanes(0, size), whole // size
        of.give([lanes[at + count - 1 - k] for at in range(0, len(lanes), count) for k in range(count)])
        of.clear_above()

    return rule


def _repeated(of: _Lanes) -> None:
    """AArch64 fmov of a constant into all lanes."""
    of.give([of.old.inputs[0]] * (of.output.size // of.old.inputs[0].size))
    of.clear_above()


def _rules() -> Iterator[tuple[str, _Rule]]:
    for letter, size in (("w", 2), ("d", 4), ("q", 8)):
        yield f"psll{letter}", _shift("INT_LEFT", size)
        yield f"psrl{letter}", _shift("INT_RIGHT", size)
        yield f"psra{letter}", _shift("INT_SRIGHT", size)
    for letter, size in (("b", 1), ("w", 2)):
        yield f"padds{letter}", _saturating("INT_ADD", size, is_signed=True)
        yield f"psubs{letter}", _saturating("INT_SUB", size, is_signed=True)
        yield f"paddus{letter}", _saturating("INT_ADD", size, is_signed=False)
        yield f"psubus{letter}", _saturating("INT_SUB", size, is_signed=False)
        yield f"pavg{letter}", _average(size)
    for letters, size in (("ps", 4), ("pd", 8)):
        yield f"div{letters}", _plain("FLOAT_DIV", size)
        yield f"sqrt{letters}", _roots(size)
        yield f"max{letters}", _extreme(size, is_most=True)
        yield f"min{letters}", _extreme(size, is_most=False)
        yield f"movmsk{letters}", _signs(size)
    yield from (("pmulhw", _upper(is_signed=True)), ("pmulhuw", _upper(is_signed=False)))
    yield from (("pmaddwd", _products), ("psadbw", _distances))
    yield from (
        ("packsswb", _packed(1)),
        ("packssdw", _packed(2)),
        ("pshuflw", _shuffled(0)),
        ("pshufhw", _shuffled(4)),
    )
    yield from ((f"NEON_rev{8 * whole}", _reversed(whole)) for whole in (2, 4, 8))


_ALL: dict[str, _Rule] = {**dict(_rules()), "NEON_fmov": _repeated}
