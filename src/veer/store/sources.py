"""The sources of a campaign as they were when it ran, for reports that are made later."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from veer.model.coverage import LineCoverage, SourceText
from veer.model.program import Program
from veer.model.result import Branch, Bug

_MOST_BYTES = 2 << 20
"""Sources that are longer are not kept."""


def source_texts(
    program: Program, branches: Iterable[Branch], bugs: Iterable[Bug], lines: Iterable[LineCoverage]
) -> tuple[SourceText, ...]:
    """Every file that a counted line, a branch or a bug lies in; the program's sources first."""
    named = {b.file for b in branches} | {bug.file for bug in bugs} | {line.file for line in lines}
    paths = dict.fromkeys([*(str(source) for source in program.sources), *sorted(named)])
    return tuple(_text(path) for path in paths if path)


def _text(path: str) -> SourceText:
    try:
        if Path(path).stat().st_size > _MOST_BYTES:
            return SourceText(path, ())
        return SourceText(path, tuple(Path(path).read_text(errors="replace").split("\n")))
    except OSError:
        return SourceText(path, ())
