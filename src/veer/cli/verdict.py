"""What a campaign's result is for the shell: an exit code."""

from __future__ import annotations

from veer.cli.exit_codes import BUGS, INTERRUPTED, NOTHING_FOUND
from veer.model.ending import EndingKind
from veer.model.result import Result
from veer.model.severity import Severity


def exit_code(result: Result, fail_on: Severity) -> int:
    """Of a campaign, whose bugs count from this severity on."""
    if result.ending.kind is EndingKind.STOPPED:
        return INTERRUPTED
    return BUGS if result.bugs_at_least(fail_on) else NOTHING_FOUND
