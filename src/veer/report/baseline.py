"""baseline.txt: the fingerprints of all bugs, one a line, for `--baseline`. Several such files may be joined."""

from __future__ import annotations

from veer.model.result import Result
from veer.report.protocol import Format

_HEAD = (
    "# Bugs that are accepted: entry, kind, function, and the text of the line. With --baseline they fail nothing.",
    "# Lines may be taken away, and files of several entries be joined.",
)


def render(result: Result) -> str:
    """The text of the file."""
    return "\n".join([*_HEAD, *sorted({bug.fingerprint for bug in result.bugs})]) + "\n"


REPORT = Format("baseline.txt", render)
