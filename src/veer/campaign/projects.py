"""A user's project: its file of settings, and its root, from which committed suites name their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

NAME = "veer.toml"


def project_file(sources: Sequence[Path]) -> Path | None:
    """The nearest veer.toml: of the working directory, else of the first source's directory and those above it."""
    return next((folder / NAME for folder in _folders(sources) if (folder / NAME).is_file()), None)


def project_root(sources: Sequence[Path]) -> Path:
    """The folder of the nearest veer.toml, else of the git checkout of the first source, else the working one."""
    file = project_file(sources)
    if file is not None:
        return file.parent
    above = sources[0].absolute().parents if sources else ()
    return next((folder for folder in above if (folder / ".git").exists()), Path.cwd())


def _folders(sources: Sequence[Path]) -> Iterator[Path]:
    yield Path.cwd()
    if sources:
        yield from sources[0].absolute().parents
