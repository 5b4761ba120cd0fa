"""The formats of a report by name: the file that it is written to within DIR, and what makes its text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veer.model.result import Result
from veer.report import cobertura, github, html, junit, lcov, sarif


@dataclass(frozen=True, slots=True)
class Format:
    """A format of a report."""

    file: str
    render: Callable[[Result], str]


FORMATS = {
    "html": Format("report.html", html.render),
    "sarif": Format("report.sarif", sarif.render),
    "junit": Format("junit.xml", junit.render),
    "github": Format("annotations.txt", github.render),
    "lcov": Format("coverage.info", lcov.render),
    "cobertura": Format("cobertura.xml", cobertura.render),
}
