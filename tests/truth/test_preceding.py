"""Accesses before a buffer: a number that says how much lies there is the callers' business, an index is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer
from veer.model.outcome import Outcome
from veer.model.severity import Severity

UNIT = """
#include <stddef.h>
int behind(const char *data, size_t before, size_t size)
{
    size_t n = 0;
    while (n < before && data[-(long)n - 1] == 'x') ++n;
    if (size < 3) return -1;
    return data[0] == '@' ? (int)n : 0;
}
int last(const char *s, size_t n, int mode) { if (mode > 3) return -1; return s[n - 1] == 'x'; }
int previous(const char *s, int at) { if (at < 0) return -1; if (at > 5) return -2; return s[at - 2] == 'x'; }
"""


@pytest.mark.parametrize(
    ("entry", "severity"),
    [("behind", Severity.CONTRACT), ("last", Severity.ERROR), ("previous", Severity.ERROR)],
)
def test_what_lies_before_a_buffer_is_said_by_a_number(tmp_path: Path, entry: str, severity: Severity) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    found = veer.test(source, entry, budget="10s").bugs
    (bug,) = [each for each in found if each.outcome is Outcome.BOUNDS_READ and " before an object " in each.message]
    assert bug.severity is severity
    if severity is Severity.CONTRACT:
        assert [each.sentence for each in bug.judgement.broken] == [
            "it needs `before` = 1, and a pointer to the beginning of an object"
        ]
