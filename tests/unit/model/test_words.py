"""The values of the model's enumerations are words of result.json and summary.json: they must not change."""

from __future__ import annotations

from veer.model.result import Confirmation
from veer.model.types import ExtentKind, TypeKind


def test_words_of_the_files() -> None:
    assert [*TypeKind] == [
        "unsigned",
        "signed",
        "bool",
        "char",
        "float",
        "pointer",
        "struct",
        "union",
        "array",
        "opaque",
    ]
    assert [*ExtentKind] == [
        "one",
        "string",
        "fixed",
        "length",
        "count",
        "flexible",
        "function",
        "null",
        "end",
        "open file",
    ]
    assert [*Confirmation] == ["plain", "checked", "no"]
    assert f"{TypeKind.SIGNED}" == "signed"
