"""Writes what `veer compare` found: compare.json, and a suite for each version.

old/test_f.c    the inputs of the differences and others; all of it passes
new/test_f.c    the same tests on the new version: what fails is what has changed
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from veer.campaign.languages import renderer
from veer.model.comparison import Comparison, Difference
from veer.model.confinement import OFF
from veer.model.ending import Claim
from veer.model.program import Program
from veer.model.result import Test
from veer.model.values import replace
from veer.model.wholefile import replace_file
from veer.store.writer import store_error

SCHEMA = 1
FILE = "compare.json"


def deliver_comparison(found: Comparison, out: Path, new: Sequence[Path]) -> tuple[Path, ...]:
    """Writes DIR; its files. Raises StoreError for a file that cannot be written."""
    try:
        return tuple(_written(found, out, new))
    except OSError as error:
        raise store_error(out, error) from error


def _written(found: Comparison, out: Path, new: Sequence[Path]) -> Iterator[Path]:
    out.mkdir(parents=True, exist_ok=True)
    replace_file(out / FILE, (json.dumps(record(found), indent=1, ensure_ascii=False) + "\n").encode())
    yield out / FILE
    program = replace(found.program, confinement=OFF, notes=())
    of = renderer(program.language)
    tests = [*(each.test for each in found.differences), *found.tests]
    tests = [replace(test, name=f"test_{number:03d}") for number, test in enumerate(tests, 1)]
    for name, sources in (("old", program.sources), ("new", tuple(new))):
        version = _of_version(program, sources)
        text = of.render(version, tests)
        folder = out / name
        folder.mkdir(exist_ok=True)
        for file, content in {
            of.file_name(version): text.encode(errors="surrogateescape"),
            **of.beside(version),
        }.items():
            replace_file(folder / file, content)
        yield folder / of.file_name(version)


def _of_version(program: Program, sources: Sequence[Path]) -> Program:
    """The program with the sources of one version; the suite includes that which defines the entry."""
    place = program.sources.index(program.include) if program.include in program.sources else 0
    include = sources[min(place, len(sources) - 1)]
    return replace(program, sources=tuple(sources), include=include)


def record(found: Comparison) -> dict[str, Any]:
    """compare.json: plain values."""
    return {
        "schema": SCHEMA,
        "entry": found.entry,
        "old": found.old,
        "new": found.new,
        "equivalent": not found.differences and found.ending.claim is Claim.PATHS,
        "claim": found.ending.claim.value,
        "within": list(found.ending.within),
        "lost_by": list(found.ending.lost_by),
        "ending": found.ending.kind.value,
        "paths": found.paths,
        "runs": found.runs,
        "differences": [_difference(each) for each in found.differences],
        "both_fail": list(found.failing),
        "replayed": found.replayed,
        "notes": list(found.notes),
    }


def _difference(each: Difference) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind.value,
        "what": each.told.what,
        "old": each.told.old,
        "new": each.told.new,
        "inputs": _inputs(each.test),
        "confirmed": each.confirmed.value,
    }


def _inputs(test: Test) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in test.shown]
