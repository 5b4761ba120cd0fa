"""Options that a project's file gives: for all functions in [project], for one in [function.NAME].

    [project]
    sources = ["src/*.c"]            or compdb = "build/compile_commands.json"
    include = ["include"]            options of `veer test` by their names; paths are seen from the file
    budget = "60s"
    format = ["sarif"]

    [function.parse]                 beside its contracts (campaign/contracts.py)
    budget = "10s"
    max-length = 32

What the command line says goes before what the file says of a function, and that before what it says of all.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from veer.campaign.commandline import placed
from veer.campaign.contracts import KEYS
from veer.campaign.languages import languages
from veer.campaign.projects import FUNCTION, PROJECT, ProjectFile, project_file
from veer.model.errors import UsageError
from veer.model.option import Kind, Option
from veer.model.options import BUILD, OUTPUT, SEARCH

_OF_FILES = ("sources", "compdb")
_TYPES: Mapping[Kind, tuple[type, ...]] = {
    Kind.SWITCH: (bool,),
    Kind.NUMBER: (int,),
    Kind.TIME: (str, int, float),
    Kind.TEXT: (str,),
    Kind.FILE: (str,),
    Kind.TEXTS: (str, list),
    Kind.NAMES: (str, list),
    Kind.BOUND: (str, int, list),
}


class Settings(Struct, frozen=True):
    """What a project's file gives: options by their names, with absolute paths. `sources`, `compdb`: the files."""

    options: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()
    compdb: Path | None = None

    def of(self, function: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a function, where the user gave these."""
        return {**self.options, **self.functions.get(function, {}), **given}


def settings(sources: Sequence[Path]) -> Settings:
    """The settings of the project of these sources, or of the working directory. Raises UsageError for wrong ones."""
    file = project_file(sources)
    if file is None:
        return Settings()
    table = file.tables.get(PROJECT, {})
    known = {each.name: each for each in (*SEARCH, *BUILD, *OUTPUT) if not each.hidden}
    functions = {
        name: _options(file, f"{FUNCTION}.{name}", {key: each for key, each in own.items() if key not in KEYS}, known)
        for name, own in file.tables.get(FUNCTION, {}).items()
        if isinstance(own, dict)
    }
    options = _options(file, PROJECT, {key: each for key, each in table.items() if key not in _OF_FILES}, known)
    compdb = table.get("compdb")
    if compdb is not None and not isinstance(compdb, str):
        raise UsageError(f"{file.place(PROJECT, 'compdb')}: compdb is the path of a compile_commands.json")
    return Settings(options, functions, _sources(file, table), file.path.parent / compdb if compdb else None)


def _sources(file: ProjectFile, table: Mapping[str, Any]) -> tuple[Path, ...]:
    """The files that the patterns name, each once, in the order of their names within a pattern."""
    patterns = table.get("sources", [])
    if not isinstance(patterns, list) or not all(isinstance(each, str) and each for each in patterns):
        example = f'sources = ["src/*{next(languages()).suffixes[0]}"]'
        raise UsageError(f"{file.place(PROJECT, 'sources')}: sources are written like {example}")
    found: dict[Path, None] = {}
    for pattern in patterns:
        if Path(pattern).is_absolute():
            raise UsageError(f"{file.place(PROJECT, 'sources')}: {pattern}: write a path as seen from {file.path.name}")
        files = sorted(file.path.parent.glob(pattern))
        if not files:
            raise UsageError(f"{file.place(PROJECT, 'sources')}: there is no file {pattern} in {file.path.parent}")
        found |= dict.fromkeys(files)
    return tuple(found)


def _options(file: ProjectFile, table: str, given: Mapping[str, Any], known: Mapping[str, Option]) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for key, value in given.items():
        name = key.replace("-", "_")
        option = known.get(name)
        if option is None:
            near = difflib.get_close_matches(name, [*known, *(KEYS if table != PROJECT else _OF_FILES)], n=1)
            hint = f"; do you mean {near[0].replace('_', '-')}?" if near else ""
            raise UsageError(f"{file.place(table, key)}: there is no option or contract {key!r}{hint}")
        _require_type(file, table, key, value, option)
        is_row = option.kind in (Kind.TEXTS, Kind.NAMES, Kind.BOUND) and not isinstance(value, list)
        values[name] = [value] if is_row else value
        if option.kind is Kind.FILE:
            values[name] = file.path.parent / value
    return {key: value for key, value in placed(values, file.path.parent).items() if key in values}


def _require_type(file: ProjectFile, table: str, key: str, value: object, option: Option) -> None:
    types = _TYPES[option.kind]
    is_truth = isinstance(value, bool)
    if not isinstance(value, types) or (is_truth and bool not in types):
        raise UsageError(f"{file.place(table, key)}: {key} = {value!r}: it takes {option.kind.value}")
    if isinstance(value, list) and not all(isinstance(each, str | int) for each in value):
        raise UsageError(f"{file.place(table, key)}: {key}: write a list of texts")
