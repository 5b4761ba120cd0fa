"""A result with everything in it that reports show: memory graphs, uncovered branches, lines, samples, a tree."""

from __future__ import annotations

import io
from pathlib import Path

from output_samples import LOST, TESTME, result
from rich.console import Console

from veer.model.coverage import FunctionCoverage, LineCoverage, Sample, SourceText
from veer.model.ending import BranchState
from veer.model.result import Count, Coverage, Result
from veer.model.tree import TreeNode
from veer.model.values import replace
from veer.report.terminal import SummaryPrinter

FILE = str(TESTME)
HOSTILE = "</script><b>&\"'\x01"


def full(**changes: object) -> Result:
    """The sample campaign with a branch that is not covered, a test that differs, and hostile text in a condition."""
    sample = result()
    branches = (
        *sample.branches[:-2],
        replace(sample.branches[-2], text=HOSTILE, state=BranchState.INFEASIBLE, reason="proved"),
        sample.branches[-1],
    )
    tests = (
        replace(sample.tests[0], replayed="differs: returned something else"),
        replace(sample.tests[1], replayed="not replayed: stopped"),
        *sample.tests[2:],
    )
    values: dict[str, object] = {
        "branches": branches,
        "tests": tests,
        "coverage": Coverage(branches=Count(7, 8), lines=Count(5, 6), functions=Count(1, 2)),
        "ledger": (LOST,),
        "lines": tuple(
            LineCoverage(FILE, line, "twice_plus_one" if line < 18 else "testme", tests)
            for line, tests in ((14, 0), (19, 5), (20, 5), (21, 4), (22, 3), (24, 1))
        ),
        "functions": (FunctionCoverage(FILE, 14, "twice_plus_one", 0), FunctionCoverage(FILE, 19, "testme", 5)),
        "samples": (Sample(0.1, 1, 2), Sample(0.2, 4, 6), Sample(0.5, 6, 7)),
        "tree": (
            TreeNode(-1, "root", "taken", "testme", "", below=4),
            TreeNode(0, "choice", "taken", "p", "NULL", outcome="returned"),
            TreeNode(0, "choice", "taken", "p", "a new object", below=2),
            TreeNode(2, "branch", "taken", "x > 0", "true", FILE, 20, outcome="abort"),
            TreeNode(2, "branch", "infeasible", HOSTILE, "false", FILE, 20),
        ),
        "texts": (SourceText(FILE, tuple(TESTME.read_text().split("\n"))),),
    }
    return result(**{**values, **changes})


def shown(result: Result, *, width: int = 80, out: Path | None = None) -> str:
    """What the terminal shows of a result."""
    stream = io.StringIO()
    SummaryPrinter(Console(file=stream, width=width)).show(result, out, ("gcc test.c", "./test"), "suite/test.c")
    return stream.getvalue()
