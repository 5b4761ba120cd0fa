"""Hand-made results for the tests of suite, store and report: the campaign on examples/testme.c, and variations."""

from __future__ import annotations

from pathlib import Path

from veer.model.ending import BranchState, Claim, EndingKind
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program, Site, SiteKind
from veer.model.result import (
    Branch,
    Bug,
    Count,
    Coverage,
    Ending,
    Frame,
    LedgerEntry,
    Queries,
    Result,
    Seconds,
    Test,
)
from veer.model.types import Field, Type

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TESTME = EXAMPLES / "testme.c"

INT = Type(0, "signed", "int", 4, 4)
CELL = Type(1, "struct", "struct cell", 16, 8, fields=(Field("v", 0, 0), Field("next", 8, 2)))
CELL_POINTER = Type(2, "pointer", "struct cell *", 8, 8, target=1)


def whole(value: int, width: int = 32, kind: str = "signed") -> Scalar:
    return Scalar(value & ((1 << width) - 1), width, kind)


def number(name: str, value: int, type_: int = 0) -> Root:
    return Root(name, 0, type_, 4, (Cell(0, "", whole(value)),))


def cell(identifier: int, value: int, successor: Pointer) -> MemoryObject:
    path = "p" if identifier == 1 else "p->next"
    return MemoryObject(identifier, path, 1, 1, 16, (Cell(0, ".v", whole(value)), Cell(8, ".next", successor)))


def list_input(x: int, target: int | None, *cells: MemoryObject) -> InputMap:
    root = Root("p", 0, 2, 8, (Cell(0, "", Pointer(target)),))
    return InputMap((root, number("x", x)), cells)


def program(**changes: object) -> Program:
    values: dict[str, object] = {
        "null": "NULL",
        "entry": "testme",
        "harness": HarnessKind.FUNCTION,
        "sources": (TESTME,),
        "executable": Path("/nonexistent"),
        "functions": (
            Function("testme", str(TESTME), 19, (Parameter("p", 2), Parameter("x", 0)), 0, is_static=False),
            Function("twice_plus_one", str(TESTME), 14, (Parameter("v", 0),), 0, is_static=True),
        ),
        "types": (INT, CELL, CELL_POINTER),
        "sites": tuple(
            Site(i, SiteKind.BRANCH, str(TESTME), 21 + i, 9, "testme", text, items=(2 * i, 2 * i + 1))
            for i, text in enumerate(("x > 0", "p != NULL", "twice_plus_one(x) == p->v", "p->next == p"))
        ),
        "include": TESTME,
        "bounds": ("graph-depth 3",),
    }
    return Program(**{**values, **changes})  # type: ignore[arg-type]


def testme_tests() -> tuple[Test, ...]:
    zero = (0).to_bytes(4, "little")
    loop = cell(1, 3, Pointer(1))
    return (
        Test("test_001", list_input(0, None), Outcome.RETURNED, None, zero, (0,), "same"),
        Test("test_002", list_input(1, None), Outcome.RETURNED, None, zero, (1, 2), "same"),
        Test(
            "test_003",
            list_input(1, 1, cell(1, 0, Pointer(None, decided=False))),
            Outcome.RETURNED,
            None,
            zero,
            (3, 4),
            "same",
        ),
        Test("test_004", list_input(1, 1, cell(1, 3, Pointer(None))), Outcome.RETURNED, None, zero, (5, 6), "same"),
        Test("test_005", list_input(1, 1, loop), Outcome.ABORTED, None, None, (7,), "same"),
    )


def result(**changes: object) -> Result:
    branches = tuple(
        Branch(
            site.items[side],
            site.file,
            site.line,
            site.column,
            site.text,
            site.sides[side],
            BranchState.COVERED,
            "",
            "testme",
        )
        for site in program().sites
        for side in (0, 1)
    )
    bug = Bug(
        1, Outcome.ABORTED, str(TESTME), 25, 21, "testme", "abort() was called", "test_005",
        (Frame("testme", str(TESTME), 25),), "plain", 5, 0.01,
    )  # fmt: skip
    values: dict[str, object] = {
        "program": program(),
        "seed": 0,
        "strategy": "rarest",
        "options": {"budget": 60.0},
        "ending": Ending(EndingKind.EXHAUSTED, Claim.PATHS, ("graph-depth 3",)),
        "runs": 6,
        "paths": 6,
        "diverged": 0,
        "queries": Queries(5, 4, 1, 0, {"domain": 4, "bitwuzla": 1}),
        "coverage": Coverage(branches=Count(8, 8)),
        "branches": branches,
        "bugs": (bug,),
        "tests": testme_tests(),
        "ledger": (),
        "seconds": Seconds(0.5, 0.3, 0.1, 0.05, 0.05),
        "platform": "linux-x86_64",
        "toolchain": "zig 0.17.0",
    }
    return Result(**{**values, **changes})  # type: ignore[arg-type]


LOST = LedgerEntry("external", str(TESTME), 22, "symbolic data went into hash()", 3)
