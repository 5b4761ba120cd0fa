"""What tells a bug from others, however lines move: the entry, its kind, the function, and the text of its line.

ring_put out-of-bounds-write ring_put r->buf[r->head] = b;
"""

from __future__ import annotations

from collections.abc import Iterable

from veer.model.coverage import SourceText
from veer.model.result import Bug
from veer.model.values import replace


def with_fingerprints(entry: str, bugs: Iterable[Bug], texts: Iterable[SourceText]) -> tuple[Bug, ...]:
    """The bugs of an entry, each with its fingerprint."""
    lines = {text.path: text.lines for text in texts}
    return tuple(replace(bug, fingerprint=_fingerprint(entry, bug, lines.get(bug.file, ()))) for bug in bugs)


def _fingerprint(entry: str, bug: Bug, lines: tuple[str, ...]) -> str:
    """One line; blanks in the text of the source count as one."""
    text = lines[bug.line - 1] if 0 < bug.line <= len(lines) else ""
    return " ".join([entry, bug.outcome.key, bug.function or "-", *text.split()])
