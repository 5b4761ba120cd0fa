"""A first file of settings for a project: what its folder shows of sources, headers and flags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from veer.campaign.languages import languages
from veer.model.ctext import INCLUDED
from veer.model.errors import UsageError

_DATABASE = "compile_commands.json"
_OF_HEADERS = ("include", "inc", "src/include")
_NOT_LOOKED_AT = frozenset({"test", "tests", "build", "out", "third_party", "vendor", "node_modules", "veer-out"})
_OF_OTHERS = frozenset(
    {"bench", "benchmark", "benchmarks", "demo", "demos", "deps", "doc", "docs", "example", "examples", "fuzz"}
    | {"fuzzing", "sample", "samples", "tools"}
)
"""Programs beside the project's own sources, which are looked for there only where there are no others."""
_MOST_READ = 500
"""Sources whose headers are looked for."""
_OF_TESTS = re.compile(r"tests?|tests?_.*|.*_tests?|.*Tests?")
_DEEPEST, _DEEPEST_HEADERS = 3, 4
"""Folders below the project's own in which sources and headers are looked for."""


def settings_text(folder: Path, sources: Sequence[Path]) -> str:
    """The text of veer.toml. `sources`: what the user named; else they are looked for.

    Raises UsageError when there is nothing to test.
    """
    database = next((path for path in (Path(_DATABASE), Path("build", _DATABASE)) if (folder / path).is_file()), None)
    patterns = [str(each) for each in sources] or ([] if database else _patterns(folder))
    if not patterns and database is None:
        known = ", ".join(suffix for each in languages() for suffix in each.suffixes[:1])
        raise UsageError(f"{folder} has no sources ({known}); go to the project, or name some: veer init SOURCE...")
    headers = [each for each in _OF_HEADERS if (folder / each).is_dir()]
    headers += [] if database else _needed(folder, patterns, headers)
    lines = [
        "# What veer is to test here, and how (docs/settings.md). Options are those of `veer test --help`.",
        "[project]",
        *([f"compdb = {_quoted(str(database))}"] if database else []),
        *([f"sources = {_listed(patterns)}"] if patterns else []),
        *([f"include = {_listed(headers)}"] if headers else ['# folders of headers: include = ["include"]']),
        'budget = "60s"          # of all functions together',
        "# jobs = 2              # functions at a time",
        '# format = ["sarif"]    # reports of the whole beside index.html',
        "",
        "# Of one function: options that hold for it alone, and what its callers promise (docs/contracts.md).",
        "# [function.parse]",
        '# budget = "10s"',
        '# nonnull = ["text"]',
        '# range = { percent = "0..100" }',
    ]
    return "\n".join(lines) + "\n"


def _patterns(folder: Path) -> list[str]:
    """A pattern for each folder that has sources, of the first language that there are sources of."""
    for left_out in (_NOT_LOOKED_AT | _OF_OTHERS, _NOT_LOOKED_AT):
        for language in languages():
            found = [
                str(each.relative_to(folder))
                for where in _folders(folder, left_out, _DEEPEST)
                for suffix in language.suffixes
                for each in _sources(where, suffix)
            ]
            if found:
                return found
    return []


def _needed(folder: Path, patterns: Sequence[str], known: Sequence[str]) -> list[str]:
    """The folders of headers that these sources include by name, and that are neither beside them nor in `known`."""
    found: dict[str, None] = {}
    sources = [
        file
        for pattern in patterns
        for file in (sorted(folder.glob(pattern)) if "*" in pattern else [folder / pattern])
        if file.is_file()
    ]
    for source in sources[:_MOST_READ]:
        for name in INCLUDED.findall(source.read_text(errors="replace")):
            there = (source.parent, *(folder / each for each in (*known, *found)))
            if not any((each / name).is_file() for each in there):
                every = _folders(folder, _NOT_LOOKED_AT, _DEEPEST_HEADERS)
                where = next((each for each in every if (each / name).is_file()), None)
                if where is not None:
                    found[str(where.relative_to(folder))] = None
    return list(found)


def _sources(where: Path, suffix: str) -> list[Path]:
    """A pattern for the sources of a folder, or their names, where tests lie beside them."""
    every = sorted(where.glob(f"*{suffix}"))
    own = [each for each in every if not _OF_TESTS.fullmatch(each.stem)]
    return [where / f"*{suffix}"] if every and len(own) in (0, len(every)) else own


def _folders(folder: Path, left_out: frozenset[str], deepest: int) -> Iterable[Path]:
    """The folder, and those below it, down to so many levels."""
    yield folder
    for each in sorted(folder.iterdir()) if deepest else ():
        if each.is_dir() and not each.name.startswith(".") and each.name not in left_out:
            yield from _folders(each, left_out, deepest - 1)


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    """A text as TOML reads it, which takes JSON's escapes."""
    return json.dumps(text, ensure_ascii=False)
