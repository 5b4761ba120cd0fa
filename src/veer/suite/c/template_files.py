"""The files of C that suites are made of, in the folder of the same name."""

from __future__ import annotations

from importlib import resources


def template(name: str) -> str:
    """The text of one of them."""
    return resources.files("veer.suite.c").joinpath("templates", name).read_text(encoding="utf-8")
