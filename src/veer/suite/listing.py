"""The suite as JSON, for tools: each test's inputs, byte for byte and in the words of C, and what is expected."""

from __future__ import annotations

import json

from veer.model.describe import told
from veer.model.result import Result
from veer.suite.c.cases import Case, cases
from veer.suite.recorded_bytes import named_bytes

VERSION = 1


def json_files(result: Result) -> dict[str, bytes]:
    """tests.json."""
    program = result.program
    tests = {test.name: test for test in result.tests}
    rows: list[dict[str, object]] = []
    for case in cases(program, result.tests, result.bugs):
        test = tests[case.name]
        rows.append(
            {
                "name": case.name,
                "function": case.function,
                "outcome": test.outcome.key,
                "is_bug": case.is_bug,
                "exit_code": test.exit_code,
                "inputs": told(program, test),
                "bytes": {item.name: item.data.hex() for item in named_bytes(test.inputs)},
                "returned": test.returned.hex() if test.returned is not None else None,
                "expected": _expected(case),
                "covers": list(test.covers),
            }
        )
    whole = {
        "version": VERSION,
        "entry": program.entry,
        "sources": [str(path) for path in program.sources],
        "tests": rows,
    }
    return {"tests.json": (json.dumps(whole, indent=2) + "\n").encode()}


def _expected(case: Case) -> list[dict[str, str]]:
    return [{"place": each.place, "is": each.value or each.kind.value} for each in case.expectations]
