"""JUnit XML: a test case for each test; one that shows a bug has failed, one that the plain build contradicts is an
error, one that was not replayed, or whose input breaks a contract, is skipped."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from veer.model.describe import told
from veer.model.markup import document, element
from veer.model.result import Bug, Result, Test
from veer.model.severity import Severity
from veer.report.protocol import Format
from veer.report.words import confirmed_sentence, place


def render(result: Result) -> str:
    """The text of a JUnit XML file."""
    bugs = {bug.test: bug for bug in result.bugs if bug.test}
    cases = [(test, bugs.get(test.name)) for test in result.tests]
    kinds = [_kind(test, bug) for test, bug in cases]
    counts = {
        "tests": len(cases),
        "failures": kinds.count("failure"),
        "errors": kinds.count("error"),
        "skipped": kinds.count("skipped"),
        "time": f"{result.seconds.total:.3f}",
    }
    totals = {key: value for key, value in counts.items() if key != "skipped"}
    suite = element("testsuite", {"name": result.program.entry, **counts})
    if required := result.program.requirements:
        rows = [
            element("property", {"name": f"requirements of {name}", "value": ", ".join(ids)})
            for name, ids in required.items()
        ]
        properties = element("properties")
        properties.extend(rows)
        suite.append(properties)
    suite.extend(_case(result, test, bug, kind) for (test, bug), kind in zip(cases, kinds, strict=True))
    suites = element("testsuites", {"name": "veer", **totals})
    suites.append(suite)
    return document(suites)


REPORT = Format("junit.xml", render)


def _kind(test: Test, bug: Bug | None) -> str:
    if test.replayed.startswith("differs"):
        return "error"
    if bug is not None and (bug.is_accepted or bug.severity is Severity.CONTRACT):
        return "skipped"
    if bug is not None or test.outcome.is_bug:
        return "failure"
    return "skipped" if test.replayed.startswith("not replayed") else ""


def _why_skipped(bug: Bug) -> str:
    return f"{bug.message}, but {'it stands in the baseline' if bug.is_accepted else '; '.join(bug.needs)}"


def _case(result: Result, test: Test, bug: Bug | None, kind: str) -> Element:
    inputs = "\n".join(f"{name} = {value}" for name, value in told(result.program, test).items())
    entry, _, name = test.name.rpartition("/")  # of a whole project, a test is called ENTRY/NAME
    required = result.program.requirements.get(entry or result.program.entry, ())
    inputs = "\n".join(filter(None, [f"requirements: {', '.join(required)}" if required else "", inputs]))
    case = element("testcase", {"name": name, "classname": entry or result.program.entry, "time": "0"})
    if kind == "failure":
        message = bug.message if bug is not None else test.outcome.sentence
        detail = f"{place(bug.file, bug.line)} {bug.function}: {confirmed_sentence(bug)}\n" if bug is not None else ""
        case.append(element("failure", {"message": message, "type": test.outcome.key}, detail + inputs))
    elif kind == "error":
        about = {"message": f"the plain build {test.replayed}", "type": "differs"}
        case.append(element("error", about, inputs))
    elif kind == "skipped":
        told_bug = test.replayed if bug is None else _why_skipped(bug)
        case.append(element("skipped", {"message": told_bug}))
    if kind in ("", "skipped") and inputs:
        case.append(element("system-out", text=inputs))
    return case
