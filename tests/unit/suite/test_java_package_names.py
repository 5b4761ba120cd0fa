"""Classes of the suite's own package are written by their simple names, but for those that mean another one there."""

from __future__ import annotations

import pytest

from veer.suite.java.packagenames import within_package


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("units.Stack self = new units.Stack(2);", "Stack self = new Stack(2);"),
        ("(units.Stack[]) null, units.Stack.Node n", "(Stack[]) null, Stack.Node n"),
        ('field(self, "units.Stack", "a\\" units.Stack")', 'field(self, "units.Stack", "a\\" units.Stack")'),
        ("units.Call x, units.Test y, my.units.Stack z", "units.Call x, units.Test y, my.units.Stack z"),
        ("units.inner.Other x", "units.inner.Other x"),
        ("""f('"', "units.Stack", '\\'', new units.Stack('"'))""", """f('"', "units.Stack", '\\'', new Stack('"'))"""),
        ("// it's a units.Stack, isn't it", "// it's a Stack, isn't it"),
    ],
)
def test_simple_names(text: str, expected: str) -> None:
    assert within_package(text, "units", ("org.junit.jupiter.api.Test",)) == expected
    assert within_package(text, "", ()) == text
