"""The files of C that suites are made of, in the folder of the same name."""

from __future__ import annotations

from functools import cache
from importlib import resources

from jinja2 import Environment, Template

from veer.model.templates import templates


def template(name: str) -> str:
    """The text of one of them."""
    return resources.files("veer.suite.c").joinpath("templates", name).read_text(encoding="utf-8")


def compiled(name: str) -> Template:
    """One of them that jinja2 fills in."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    return templates(template, autoescape=False, keep_trailing_newline=True)
