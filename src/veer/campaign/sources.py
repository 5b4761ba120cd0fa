"""The files that a user names: sources of one language, or what a build system knows of a project."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from veer import plugins
from veer.campaign.languages import language_of_file, languages
from veer.campaign.parsing import listed
from veer.frontends.protocol import Language
from veer.model.errors import UsageError

PROJECTS = "veer.projects"
"""Group of entry points: a name of an option -> (file, includes main) -> sources, and the flags of each."""

Flags = tuple[tuple[str, tuple[str, ...]], ...]
_MOST_NEAR = 5
_UNREADABLE = re.compile(r'[\x00-\x1f\x7f\\"]')


def source_files(sources: Sequence[Path]) -> tuple[Path, ...]:
    """The sources, absolute; raises UsageError for one that cannot be read or is none."""
    sources = [file for source in sources for file in _files(source)]
    for source in sources:
        if source.is_dir():
            one = _within(source)
            raise UsageError(
                f"{source} is a directory; give the {one.title} sources in it, e.g. {source}/*{one.suffixes[0]}"
            )
        one = language_of_file(source)
        if not source.exists():
            raise UsageError(f"{source}: there is no such file; give the path of a {one.title} source{_near(source)}")
        if not source.is_file():
            raise UsageError(f"{source} is no file but a pipe or a device; give a file")
        _require_name(source)
        try:
            with source.open("rb"):
                pass
        except OSError as error:
            raise UsageError(f"{source} cannot be read: {error.strerror}; check its permissions") from error
    # Debug info knows no "..", and front ends compare with its paths. Links stay: headers are looked for beside them.
    return tuple(Path(os.path.abspath(source)) for source in sources)  # noqa: PTH100


def _files(source: Path) -> list[Path]:
    """What a directory stands for in a language that walks it; the file itself, or the directory, in others.

    Of several languages that have sources there, the first says what it is; of its suffixes the first that any has.
    """
    if not source.is_dir():
        return [source]
    for one in languages():
        look = source.rglob if one.walks else source.glob
        found = next((files for suffix in one.suffixes if (files := sorted(look(f"*{suffix}")))), None)
        if found is not None:
            return found if one.walks else [source]
    return [source]


def _require_name(source: Path) -> None:
    """Raises UsageError for a path that compilers do not read, or do not write into what they make."""
    path = str(source.absolute())
    try:
        path.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the path {path!r} is not UTF-8; rename it") from None
    if found := _UNREADABLE.search(path):
        raise UsageError(f"the path {path!r} has the character {found[0]!r}, which compilers do not take; rename it")


def project(
    sources: Sequence[Path] | None, compdb: Path | None, entries: Sequence[str] | None = None
) -> tuple[tuple[Path, ...], Flags]:
    """The sources, and the flags of each that a compilation database knows. Raises UsageError.

    With a database and no sources it is all of the project's that define no main, unless main is an entry.
    """
    if compdb is None:
        if not sources:
            usual = next(languages()).title
            raise UsageError(
                f"no source was given: name at least one {usual} file, or --compdb compile_commands.json, or write a "
                "veer.toml for the project with `veer init`"
            )
        return source_files(sources), ()
    found, flags = plugins.find(PROJECTS, "compdb")(compdb, "main" in listed(entries or ()))
    return source_files(sources or found), flags


def _within(directory: Path) -> Language:
    """The language that there are sources of in this directory; veer's first one if there are none."""
    try:
        there = {file.suffix for file in directory.iterdir()}
    except OSError:
        there = set()
    return next((each for each in languages() if there & set(each.suffixes)), next(languages()))


def _near(source: Path) -> str:
    """Sources beside it that there are."""
    try:
        others = sorted(file.name for file in source.parent.glob(f"*{source.suffix}"))[:_MOST_NEAR]
    except OSError:
        return ""
    return f" (in {source.parent} there are: {', '.join(others)})" if others else ""
