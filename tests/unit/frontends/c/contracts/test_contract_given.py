"""Contracts that a user adds: terms, comments, and what contradicts what."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import contract_of

from veer.model.buildoptions import GivenTerms
from veer.model.errors import UsageError

TEXT = "#include <assert.h>\nint f(unsigned char pct, int *p, int n, int k[4]) { assert(n > 0); return pct + *p + *k; }"


def given(terms: str, function: str = "f") -> tuple[GivenTerms, ...]:
    """A user's terms, as from line 3 of veer.toml."""
    return (GivenTerms(function, terms, "veer.toml:3"),)


def test_all_terms(tmp_path: Path) -> None:
    contract = contract_of(
        tmp_path, TEXT, "f", given("nonnull(p) range(pct, 0..100), length(p, n) pre(ok) constructor")
    )
    assert "p" in contract.not_null and contract.lengths["p"] == "n"
    assert (contract.ranges["pct"].low, contract.ranges["pct"].high) == (0, 100)
    assert contract.preconditions == ("ok",) and contract.is_constructor
    assert "pct is 0..100 (veer.toml:3)" in contract.restricting


def test_terms_for_another_function_are_not_for_this_one(tmp_path: Path) -> None:
    assert contract_of(tmp_path, TEXT, "f", given("range(x, 1..2)", "g")).ranges.keys() == {"n"}


def test_an_out_parameter_is_one_object(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, TEXT, "f", given("out(p)"))
    assert contract.elements["p"] == 1 and "p" in contract.not_null


def test_nullable_takes_an_inference_away(tmp_path: Path) -> None:
    assert "k" in contract_of(tmp_path, TEXT).not_null
    assert "k" not in contract_of(tmp_path, TEXT, "f", given("nullable(k)")).not_null


def test_ranges_that_meet_an_assertion_have_what_both_allow(tmp_path: Path) -> None:
    found = contract_of(tmp_path, TEXT, "f", given("range(n, -5..0x10)")).ranges["n"]
    assert (found.low, found.high) == (1, 16)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ("nonnull(q)", r"veer\.toml:3: f has no parameter 'q' \(it has pct, p, n, k\)"),
        ("nonnull(n)", "veer.toml:3: the parameter n of f is no pointer"),
        ("range(p, 0..1)", "veer.toml:3: the parameter p of f is no integer"),
        ("range(pct, 0..300)", "veer.toml:3: the parameter pct of f is never 300, its type has 0..255"),
        ("range(pct, 9..3)", "veer.toml:3: the range 9..3 of pct has no value"),
        ("range(pct, low..3)", "veer.toml:3: 'low..3' is no range of pct; write it like 0..100"),
        ("range(pct, 0..3) range(pct, 7..9)", "veer.toml:3: no value of pct of f is left by"),
        ("range(n, -9..-1)", "no value of n of f is left by .* and n is at least 1 .assertion at its head"),
        ("nonnull(p) nullable(p)", "veer.toml:3: p may be NULL, but p is not NULL"),
        ("length(p, n) length(p, 3)", "veer.toml:3: p has 3 elements, but p has n elements"),
        ("length(p, 0)", "veer.toml:3: .* no array has 0 elements"),
        ("length(p, k)", "veer.toml:3: p has k - p elements, but k has 4 elements"),
        ("never(p)", "veer.toml:3: 'never.p.' is no part of a contract; known are"),
        ("nonnull(p) ?", "veer.toml:3: .*is no part of a contract"),
    ],
)
def test_what_contradicts_is_one_sentence_with_its_place(tmp_path: Path, terms: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        contract_of(tmp_path, TEXT, "f", given(terms))


def test_comments_before_a_function_in_its_head_and_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "unit.h").write_text(
        "int h(int c); /* veer: range(c, 7..8) */\n// veer: range(c, 1..2)\nint i(int c);\n"
    )
    text = """#include "unit.h"
        /* veer: range(a, 0..1)
         *       nonnull(p) */
        int f(int a, int *p) { return a; } // veer: range(b, 3..4)
        int g(int b) { return b; }
        int h(int c /* veer: range(c, 5..6) */) { return c; }
        int i(int c) { /* veer: range(c, 0..9) */ return c; }
        const char *text = "/* veer: nonsense */";
    """
    found = {name: contract_of(tmp_path, text, name) for name in "fgh"}
    ends = {name: [(each.low, each.high) for each in found[name].ranges.values()] for name in "fgh"}
    assert ends == {"f": [(0, 1)], "g": [(3, 4)], "h": [(5, 6)]}
    assert found["f"].not_null == {"p"} and "a is 0..1 (comment unit.c:2)" in found["f"].words


def test_a_comments_mistake_has_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"comment unit\.c:2: f has no parameter 'x'"):
        contract_of(tmp_path, "\n/* veer: nonnull(x) */\nint f(int *p) { return *p; }")
