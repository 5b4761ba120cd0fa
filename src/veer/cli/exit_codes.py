"""What a command ends with (docs/design.md); an error of veer's own brings its code along (model/errors.py)."""

from __future__ import annotations

from veer.model.ending import EndingKind
from veer.model.result import Result
from veer.model.severity import Severity

NOTHING_FOUND = 0
BUGS = 1
DIFFERENT = 1
"""`veer replay`: a test ended otherwise than it was recorded."""
MISSING = 1
"""`veer doctor`: something that veer needs is not there."""
USAGE = 2
FAILED = 3
INTERRUPTED = 130


def exit_code(result: Result, fail_on: Severity) -> int:
    """Of a campaign, whose bugs count from this severity on."""
    if result.ending.kind is EndingKind.STOPPED:
        return INTERRUPTED
    return BUGS if result.bugs_at_least(fail_on) else NOTHING_FOUND
