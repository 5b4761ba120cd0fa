"""veer's own reports: what `veer.reports` registers."""

from __future__ import annotations

from veer.report import baseline, cobertura, github, html, junit, lcov, sarif
from veer.report.protocol import Format

HTML = Format("report.html", html.render)
SARIF = Format("report.sarif", sarif.render)
JUNIT = Format("junit.xml", junit.render)
GITHUB = Format("annotations.txt", github.render)
LCOV = Format("coverage.info", lcov.render)
COBERTURA = Format("cobertura.xml", cobertura.render)
BASELINE = Format("baseline.txt", baseline.render)
