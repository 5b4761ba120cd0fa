"""Texts that a function hands to the library have no length, whatever the number beside them is called."""

from __future__ import annotations

from veer.frontends.c.contracts.functionbody import Called
from veer.frontends.c.contracts.texts import texts_of

_LITERALS = {"@.f": "%d %s\\0A\\00", "@.p": "%.*s %*d %s %%s\\00", "@.n": "%hhd%m%-5s\\00"}


def _texts(function: str, *arguments: str) -> list[str]:
    return list(texts_of(Called(function, arguments), _LITERALS))


def test_texts_are_told_by_function_and_place() -> None:
    assert _texts("fopen", "%name", "@.r") == ["%name", "@.r"]
    assert _texts("strcpy", "%to", "%from") == ["%from"]
    assert _texts("memcpy", "%to", "%from", "%n") == []
    assert _texts("strlen") == []


def test_a_literal_format_tells_which_arguments_are_texts() -> None:
    assert _texts("printf", "@.f", "%n", "%name") == ["%name"]
    assert _texts("fprintf", "%file", "@.p", "%most", "%part", "%width", "%n", "%whole") == ["%whole"]
    assert _texts("snprintf", "%to", "%size", "@.n", "%c", "%name") == ["%name"]
    assert _texts("printf", "%format", "%name") == []
    assert _texts("printf", "@.f", "%n") == []
