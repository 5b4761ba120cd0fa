"""Tells how much the conformance suite compared."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many results of compiled code were compared with what veer recorded, and how many recorded queries."""
    properties = [dict(report.user_properties) for report in terminalreporter.getreports("passed")]
    cases = [each for each in properties if "cases" in each]
    if cases:
        total, operations = (sum(each[name] for each in cases) for name in ("cases", "operations"))
        terminalreporter.write_line(
            f"conformance: {total:,} results of {operations:,} operations equal compiled code's"
        )
    asked = [each for each in properties if "queries" in each]
    if asked:
        queries, native = (sum(each[name] for each in asked) for name in ("queries", "native"))
        terminalreporter.write_line(
            f"conformance: {queries:,} recorded queries of {len(asked)} programs, {native:,} of them answered natively,"
            f" have one verdict in all of {asked[0]['combinations']} combinations of rungs, links and solvers"
        )
