"""JUnit XML: a test case for each test; one that shows a bug has failed, one that the plain build contradicts is an
error, one that was not replayed is skipped."""

from __future__ import annotations

from veer.model.describe import told
from veer.model.result import Bug, Result, Test
from veer.report.markup import HEAD, tag, text
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
    lines = [
        HEAD,
        tag("testsuites", {"name": "veer", **totals}),
        "  " + tag("testsuite", {"name": result.program.entry, **counts}),
    ]
    for (test, bug), kind in zip(cases, kinds, strict=True):
        lines += _case(result, test, bug, kind)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _kind(test: Test, bug: Bug | None) -> str:
    if test.replayed.startswith("differs"):
        return "error"
    if bug is not None or test.outcome.is_bug:
        return "failure"
    return "skipped" if test.replayed.startswith("not replayed") else ""


def _case(result: Result, test: Test, bug: Bug | None, kind: str) -> list[str]:
    inputs = "\n".join(f"{name} = {value}" for name, value in told(result.program, test).items())
    where = {"name": test.name, "classname": result.program.entry, "time": "0"}
    lines = ["    " + tag("testcase", where)]
    if kind == "failure":
        message = bug.message if bug is not None else test.outcome.sentence
        detail = f"{place(bug.file, bug.line)} {bug.function}: {confirmed_sentence(bug)}\n" if bug is not None else ""
        opened = tag("failure", {"message": message, "type": test.outcome.key})
        lines.append(f"      {opened}{text(detail + inputs)}</failure>")
    elif kind == "error":
        opened = tag("error", {"message": f"the plain build {test.replayed}", "type": "differs"})
        lines.append(f"      {opened}{text(inputs)}</error>")
    elif kind == "skipped":
        lines.append("      " + tag("skipped", {"message": test.replayed}, is_empty=True))
    if kind in ("", "skipped") and inputs:
        lines.append(f"      <system-out>{text(inputs)}</system-out>")
    return [*lines, "    </testcase>"]
