"""Names of tests say what tells a test from the others, in the function's words."""

from __future__ import annotations

import output_samples as samples
import pytest

from veer.model.values import replace
from veer.suite.c.naming import function_names, words


def test_objects_are_called_as_the_function_calls_them() -> None:
    program = samples.program()
    tests = [replace(each, returned=b"\0\0\0\0") for each in samples.testme_tests()]
    assert [*function_names(program, tests).values()] == [
        "test_testme_returns_0_when_x_is_0",
        "test_testme_returns_0_when_p_is_null_and_x_is_1",
        "test_testme_returns_0_when_p_v_is_0",
        "test_testme_returns_0_when_p_v_is_3",
        "bug_testme_aborts",
    ]


def test_pointers_say_where_they_lead() -> None:
    alone, other, through, back = (replace(each, returned=b"\0\0\0\0") for each in samples.testme_tests()[:4])
    last = replace(samples.testme_tests()[4], outcome=back.outcome, returned=b"\0\0\0\0")
    names = function_names(samples.program(), [back, last])
    assert [*names.values()] == ["test_testme_returns_0_when_p_next_is_null", "test_testme_returns_0_when_p_next_is_p"]
    named = function_names(samples.program(), [other, through])
    assert named[through.name] == "test_testme_returns_0_when_p_is_not_null"
    assert [*function_names(samples.program(), [alone]).values()] == ["test_testme_returns_0"]


@pytest.mark.parametrize(
    ("text", "expected"), [("-1", "minus_1"), ("p->next", "p_next"), ("w=8", "w_8"), ("10ull", "10"), ("&a[2]", "a_2")]
)
def test_texts_become_words(text: str, expected: str) -> None:
    assert words(text) == expected
