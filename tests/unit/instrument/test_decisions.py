"""MC/DC on decisions whose pairs are known by hand: unique-cause, masking, what has no pair."""

from __future__ import annotations

from itertools import product

import pytest

from veer.instrument.condition import ConditionText, operands
from veer.instrument.debuglocation import Position
from veer.model.decisions import (
    MASKING,
    UNIQUE_CAUSE,
    Decision,
    Vector,
    counted_conditions,
    counted_pairs,
    decision_coverage,
    independence_pair,
    is_effective,
)

AND = (Vector("F-", outcome=False), Vector("TF", outcome=False), Vector("TT", outcome=True))
OR = (Vector("T-", outcome=True), Vector("FT", outcome=True), Vector("FF", outcome=False))
COUPLED = (
    Vector("F-F-", outcome=False),
    Vector("F-TF", outcome=False),
    Vector("F-TT", outcome=True),
    Vector("TFF-", outcome=False),
    Vector("TFTF", outcome=False),
    Vector("TFTT", outcome=True),
    Vector("TT--", outcome=True),
)
"""(a && b) || (c && d); with c the same as a, F-T* and T*F- are infeasible."""


def decision(vectors: tuple[Vector, ...], fixed: str = "", *, is_branched: bool = True) -> Decision:
    count = len(vectors[0].values)
    return Decision(
        "a.c",
        1,
        1,
        "f",
        "x",
        tuple("abcdef"[:count]),
        vectors,
        fixed or "-" * count,
        10,
        is_branched=is_branched,
    )


@pytest.mark.parametrize("vectors", [AND, OR], ids=["and", "or"])
def test_two_conditions_need_all_three_vectors(vectors: tuple[Vector, ...]) -> None:
    own = decision(vectors)
    assert [independence_pair(own, vectors, index)[0] for index in (0, 1)] == [UNIQUE_CAUSE, UNIQUE_CAUSE]
    for left_out in vectors:
        rest = [vector for vector in vectors if vector != left_out]
        assert "" in [independence_pair(own, rest, index)[0] for index in (0, 1)]


def test_a_coupled_condition_has_a_masking_pair_only() -> None:
    own = decision(COUPLED)
    feasible = [COUPLED[index] for index in (0, 3 + 1, 5, 6)]  # F-F-, TFTF, TFTT, TT--
    kinds = [independence_pair(own, feasible, index)[0] for index in range(4)]
    assert kinds == [UNIQUE_CAUSE, UNIQUE_CAUSE, MASKING, UNIQUE_CAUSE]
    assert independence_pair(own, feasible, 2)[1] == (COUPLED[5], COUPLED[0])


def test_a_masked_condition_shows_nothing() -> None:
    own = decision(COUPLED)
    assert not is_effective(own, Vector("TFTT", outcome=True), 0)  # a changes nothing while c && d holds
    assert is_effective(own, Vector("TFTT", outcome=True), 2)


def test_what_masks_is_what_flipping_says_for_every_expression_of_three() -> None:
    """`is_effective` against the definition: some values of what was not evaluated let the flip change the outcome."""
    shapes = (
        "a and (b or c)",
        "(a and b) or c",
        "not (a or b) and c",
        "a or b or c",
        "a and b and c",
        "(a or b) and c",
    )
    for shape in shapes:
        vectors = tuple(sorted({walked(shape, bits) for bits in product((False, True), repeat=3)}, key=str))
        own = decision(vectors)
        for vector in vectors:
            for index in range(3):
                if vector.values[index] == "-":
                    continue
                assert is_effective(own, vector, index) == flips(shape, vector, index), (shape, vector, index)


def walked(shape: str, bits: tuple[bool, ...]) -> Vector:
    """What C's evaluation order sees: Python's is the same."""
    seen = ["-"] * 3

    class Reads(dict[str, bool]):
        def __getitem__(self, name: str) -> bool:
            index = "abc".index(name)
            seen[index] = "FT"[bits[index]]
            return bits[index]

    outcome = bool(eval(shape, {"__builtins__": {}}, Reads()))
    return Vector("".join(seen), outcome)


def flips(shape: str, vector: Vector, index: int) -> bool:
    for bits in product((False, True), repeat=3):
        known = all(letter in ("-", "FT"[bit]) for letter, bit in zip(vector.values, bits, strict=True))
        other = tuple(not bit if position == index else bit for position, bit in enumerate(bits))
        if known and walked(shape, other).outcome != vector.outcome:
            return True
    return False


def test_coverage_names_the_tests_of_a_pair_and_counts() -> None:
    found = decision_coverage(decision(AND), {"t1": (12,), "t2": (10, 12, 99)}, is_complete=True)
    first, second = found.conditions
    assert (first.kind, first.pair, first.tests) == (UNIQUE_CAUSE, ("TT", "F-"), ("t1", "t2"))
    assert (second.kind, second.values) == ("", "T")
    assert counted_conditions([found]) == (3, 4)
    assert counted_pairs([found]) == (1, 2)


def test_a_constant_has_nothing_to_show() -> None:
    found = decision_coverage(decision(AND, "-T"), {"t": (10, 12)}, is_complete=True)
    assert found.conditions[1].is_constant
    assert counted_conditions([found]) == (3, 3)
    assert counted_pairs([found]) == (1, 1)


@pytest.mark.parametrize(
    ("is_complete", "is_branched", "said"),
    [(True, True, "no feasible path"), (True, False, "was found"), (False, True, "was found")],
)
def test_masking_is_told_with_its_reason(*, is_complete: bool, is_branched: bool, said: str) -> None:
    own = decision(COUPLED, is_branched=is_branched)
    found = decision_coverage(own, {"t": (10, 14, 15, 16)}, is_complete=is_complete)
    assert found.kind == MASKING
    assert said in found.note


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a && b || c", ("a", "b", "c")),
        ("!(a && (b || !c))", ("a", "b", "!c")),
        ("f(a && b) && x[c || d]", ("f(a && b)", "x[c || d]")),
        ("(a | b) && !(c)", ("a | b", "!(c)")),
    ],
)
def test_a_decision_is_split_into_its_conditions(text: str, expected: tuple[str, ...]) -> None:
    assert operands(text) == expected


def test_the_whole_of_a_decision_is_cut_from_its_line() -> None:
    line = "  x = y + (a && !(b || c)) ? p : q; if (BOTH(a, b) | 1) ;"
    texts = ConditionText(lambda _: [line])
    assert texts.whole(Position("a.c", 1, line.index("&&") + 1)) == "a && !(b || c)"
    assert texts.whole(Position("a.c", 1, line.index("||") + 1)) == "b || c"
    assert texts.whole(Position("a.c", 1, line.index("BOTH") + 1)) == "BOTH(a, b)"
