"""Cobertura XML (coverage-04.dtd), which GitLab, Jenkins and others read. Hits are numbers of tests."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree.ElementTree import Element

from veer import __version__
from veer.model.coverage import LineCoverage
from veer.model.ending import BranchState
from veer.model.markup import document, element
from veer.model.result import Branch, Count, Result
from veer.report.measured import FileCoverage, by_file
from veer.report.protocol import Format

_DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">'


def render(result: Result) -> str:
    """The text of a Cobertura XML file; file names are relative to the directory that holds them all."""
    files = by_file(result)
    root = _common(files)
    lines, branches = _sum([file.line_count for file in files]), _sum([file.branch_count for file in files])
    totals = {
        **_rates(lines, branches),
        "lines-covered": lines.covered,
        "lines-valid": lines.total,
        "branches-covered": branches.covered,
        "branches-valid": branches.total,
        "complexity": "0",
        "version": f"veer {__version__}",
        "timestamp": "0",
    }
    package = {"name": result.program.entry, **_rates(lines, branches), "complexity": "0"}
    coverage = element("coverage", totals)
    _under(_under(coverage, element("sources")), element("source", text=root))
    classes = _under(_under(_under(coverage, element("packages")), element("package", package)), element("classes"))
    classes.extend(_class(file, root) for file in files)
    return document(coverage, _DOCTYPE)


REPORT = Format("cobertura.xml", render)


def _under(parent: Element, child: Element) -> Element:
    parent.append(child)
    return child


def _class(file: FileCoverage, root: str) -> Element:
    name = os.path.relpath(file.path, root) if root else file.path
    rates = _rates(file.line_count, file.branch_count)
    by_line = file.branches_by_line()
    found = element("class", {"name": name, "filename": name, **rates, "complexity": "0"})
    methods = _under(found, element("methods"))
    for function in file.functions:
        own = [line for line in file.lines if line.function == function.name]
        sides = [branch for branch in file.branches if branch.function == function.name]
        covered = Count(sum(line.tests > 0 for line in own), len(own))
        branches = Count(sum(branch.state is BranchState.COVERED for branch in sides), len(sides))
        head = {"name": function.name, "signature": "", **_rates(covered, branches), "complexity": "0"}
        method = _under(methods, element("method", head))
        _under(method, element("lines")).extend(_line(line, by_line) for line in own)
    _under(found, element("lines")).extend(_line(line, by_line) for line in file.lines)
    return found


def _line(line: LineCoverage, branches: dict[int, list[Branch]]) -> Element:
    sides = branches.get(line.line, [])
    shown: dict[str, object] = {"number": line.line, "hits": line.tests, "branch": "true" if sides else "false"}
    if sides:
        covered = sum(side.state is BranchState.COVERED for side in sides)
        shown["condition-coverage"] = f"{100 * covered // len(sides)}% ({covered}/{len(sides)})"
    return element("line", shown)


def _rates(lines: Count, branches: Count) -> dict[str, object]:
    return {"line-rate": _rate(lines), "branch-rate": _rate(branches)}


def _rate(count: Count) -> str:
    return f"{count.covered / count.total:.4f}" if count.total else "1"


def _sum(counts: list[Count]) -> Count:
    return Count(sum(count.covered for count in counts), sum(count.total for count in counts))


def _common(files: tuple[FileCoverage, ...]) -> str:
    folders = [str(Path(file.path).parent) for file in files]
    return os.path.commonpath(folders) if folders and all(Path(f).is_absolute() for f in folders) else ""
