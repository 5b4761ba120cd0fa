"""Lets the conformance suite use the helpers of the unit tests, and tells how much it compared."""

import sys
from pathlib import Path

import pytest

for folder in ("unit", "truth"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line: how many results of compiled code were compared with what veer recorded."""
    properties = [report.user_properties for report in terminalreporter.getreports("passed")]
    cases = [dict(each) for each in properties if "cases" in dict(each)]
    if cases:
        total, operations = (sum(each[name] for each in cases) for name in ("cases", "operations"))
        terminalreporter.write_line(
            f"conformance: {total:,} results of {operations:,} operations equal compiled code's"
        )
