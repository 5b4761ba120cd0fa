"""What a team has accepted: a file of fingerprints (`--format baseline` writes it), whose bugs fail nothing."""

from __future__ import annotations

from collections.abc import Iterable, Set
from pathlib import Path

from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.values import replace

_KINDS = frozenset(outcome.key for outcome in Outcome)


def read_baseline(files: Iterable[str]) -> frozenset[str]:
    """The fingerprints of all these files. Raises UsageError for one that cannot be read or holds something else."""
    return frozenset(line for file in files for line in _lines(Path(file)))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text()
    except (OSError, ValueError) as error:
        raise UsageError(f"--baseline {path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 3 or words[1] not in _KINDS:
            raise UsageError(
                f"{path}:{number}: a line of a baseline is ENTRY KIND FUNCTION TEXT, as --format baseline writes it"
            )
        found.append(" ".join(words))
    return found


def accepted(result: Result, baseline: Set[str]) -> Result:
    """The result, in which the bugs of the baseline are marked."""
    bugs = tuple(replace(bug, is_accepted=bug.fingerprint in baseline) for bug in result.bugs)
    return replace(result, bugs=bugs) if baseline else result
