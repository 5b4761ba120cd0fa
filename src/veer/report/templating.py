"""The templates of the pages in HTML: each is one file that holds its styles and scripts."""

from __future__ import annotations

from functools import cache
from importlib import resources

from jinja2 import Template

from veer.model.templates import templates
from veer.report.words import duration


@cache
def template(name: str) -> Template:
    """The template of this name."""
    environment = templates(_text, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["duration"] = duration
    return environment.get_template(name)


def _text(name: str) -> str:
    return resources.files("veer.report").joinpath("templates", name).read_text(encoding="utf-8")
