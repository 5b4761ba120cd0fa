"""Everyday bugs, one in each program of planted/, are found without any option; where it is mended, nothing is.

A program's first line says what is found: `// bug: OUTCOME: what it is`, with the beginning of the bug's sentence
between them where an outcome has several.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sampling import sampled
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Confirmation
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

PROGRAMS = sorted(Path(__file__).with_name("planted").glob("*.c"))
_MENDED = (
    *("average", "calendar", "depth", "error_path", "list_free", "matrix", "overwritten", "percentage", "ring"),
    *("settings", "twice_freed", "unchecked_find", "unterminated", "window", "signed_index", "removed", "inner_sum"),
    *("percentile", "unpacked", "code_point", "badge"),
)
MENDED = sampled(PROGRAMS, lambda path: path.stem in _MENDED)
_LATER = (
    *("backwards", "checksum", "closed", "colour_name", "day_of_year", "distance", "field", "greeting", "joined"),
    *("labelled", "mean_of_positive", "numbers", "opcode_size", "packed", "pairs_below", "port_of", "position"),
    *("printed", "received", "rotated", "skipped", "steps_to", "swapped", "unlinked", "version_of"),
)
FOUND = sampled(PROGRAMS, lambda path: path.stem not in _LATER)
SEARCH = SearchOptions(budget=30.0)


def planted(program: Path) -> tuple[str, str]:
    """The outcome's key, and what its sentence must say."""
    head = program.read_text().partition("\n")[0]
    found = re.fullmatch(r"// bug: ([a-z-]+): (.*)", head)
    assert found is not None, f"{program}: {head}"
    said = found[2].partition(": ")[0] if ": " in found[2] else ""
    return found[1], said


def test_there_are_twenty() -> None:
    assert len(PROGRAMS) >= 20


@pytest.mark.parametrize("program", FOUND, ids=lambda path: path.stem)
def test_the_bug_is_found(program: Path) -> None:
    key, said = planted(program)
    result = explore(BuildOptions((program,), program.stem), SEARCH)
    assert [bug.outcome.key for bug in result.bugs] == [key], [bug.message for bug in result.bugs]
    (bug,) = result.bugs
    assert bug.file == str(program) and bug.line > 1 and bug.message.startswith(said)
    assert bug.confirmed is not Confirmation.NO and bug.severity is not Severity.CONTRACT
    shown = next(test for test in result.tests if test.name == bug.test)
    assert shown.outcome is bug.outcome, "what shows the bug is no passing test"


@pytest.mark.parametrize("program", MENDED, ids=lambda path: path.stem)
def test_the_mended_program_has_none(program: Path) -> None:
    result = explore(BuildOptions((program,), program.stem, define=("MENDED",)), SEARCH)
    assert [bug.message for bug in result.bugs] == []
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED}
