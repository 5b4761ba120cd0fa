"""Functions of bits made shorter: equal for all bits, and never longer than a table of them needs."""

from __future__ import annotations

import random
from itertools import product

import pytest

from veer.specs.machine import FALSE, TRUE, Any, Both, Function, Input, Inverse, Register, value
from veer.specs.moves import Moves, at_state
from veer.specs.shorter import MOST_BITS, leaves_of, shorter

A, B, R = Input(0), Input(1), Register(0)


def drawn(dice: random.Random, depth: int, bits: int) -> Function:
    if depth == 0 or dice.random() < 0.15:
        return dice.choice([TRUE, FALSE, *map(Input, range(bits)), *map(Register, range(bits))])
    kind = dice.choice([Inverse, Both, Any])
    if kind is Inverse:
        return Inverse(drawn(dice, depth - 1, bits))
    return kind(drawn(dice, depth - 1, bits), drawn(dice, depth - 1, bits))


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_equal_for_all_bits(bits: int) -> None:
    dice = random.Random(bits)
    for _ in range(60):
        function = drawn(dice, 5, bits)
        found = shorter(function)
        for atoms, registers in product(product((False, True), repeat=bits), repeat=2):
            holds = frozenset(number for number, bit in enumerate(atoms) if bit)
            assert value(found, holds, registers) == value(function, holds, registers)


def test_what_it_does_not_depend_on_is_gone() -> None:
    assert shorter(Any(Both(A, Any(A, R)), Both(Inverse(A), R))) in (Any(A, R), Any(R, A))
    assert shorter(Any(Both(A, B), Both(A, Inverse(B)))) == A
    assert shorter(Both(A, Inverse(A))) == FALSE


def test_functions_of_many_bits_stay() -> None:
    function: Function = A
    for number in range(1, MOST_BITS + 1):
        function = Both(function, Input(number))
    assert shorter(function) is function
    assert len(set(leaves_of(function))) == MOST_BITS + 1


def test_a_state_that_is_known_in_part() -> None:
    step = Moves(A, Both(R, Both(Register(1), A)), ((1, Any(A, Register(1))),))
    assert at_state(step, (False, None)).broken == FALSE
    assert at_state(step, (True, None)).broken in (Both(A, Register(1)), Both(Register(1), A))
    assert at_state(step, (None, True)).following == ()  # it stays as it is
    assert at_state(step, (False, True)).is_idle
