"""The templates of the pages in HTML: each is one file that holds its styles and scripts."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from jinja2 import Template
from markupsafe import Markup, escape

from veer.model.templates import templates
from veer.report.words import duration

_CODE = re.compile(r"`([^`\n]+)`")


@cache
def template(name: str) -> Template:
    """The template of this name."""
    environment = templates(_text, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["duration"] = duration
    environment.filters["prose"] = prose
    return environment.get_template(name)


def prose(text: str) -> Markup:
    """A sentence as HTML: what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def _text(name: str) -> str:
    return resources.files("veer.report").joinpath("templates", name).read_text(encoding="utf-8")
