"""Where the judge of Csmith's programs marks a condition: on what the compiler's branch asks."""

from __future__ import annotations

import pytest
from scale.csmith import marked


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(a >= 4)", "‹(a >= 4)›"),
        ("(!(a >= 4))", "(!(‹a >= 4›))"),
        ("(!(!a))", "(!(!‹a›))"),
        ("((+(!((a ^ 5u) >= 4))))", "((+(!(‹(a ^ 5u) >= 4›))))"),
        ("(+(a))", "‹(+(a))›"),
        ("(!+(a >= 4))", "(!+(‹a >= 4›))"),
        ("(!(-(a >= 4)))", "(!(‹-(a >= 4)›))"),
        ("(~(!(a >= 4)))", "‹(~(!(a >= 4)))›"),
        ("(!f(a, (b)))", "(!‹f(a, (b))›)"),
        ("(!f(a) == 2)", "‹(!f(a) == 2)›"),
        ("(a , !b)", "(a , !b)"),
    ],
)
def test_a_mark_is_on_what_is_negated(condition: str, expected: str) -> None:
    assert marked(condition) == expected
