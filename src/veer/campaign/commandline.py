"""The words of `veer test` that make a result again, and what they mean elsewhere: paths are as seen from a folder.

    options of the result ──words──► ../src/f.c --entry f --max-length 4     in the head of the suite
                          ◄─placed──                                         `veer update`

Only what differs from its default is named. How many processes work (--jobs) is the machine's affair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from veer.model.buildoptions import BuildOptions
from veer.model.option import Kind, Option, Paths
from veer.model.options import BUILD, SEARCH
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.suitefolder import SuiteFolder
from veer.model.types import BoundKind

_DEFAULTS: Mapping[str, Any] = {
    each.name: each.default for layer in (SearchOptions, BuildOptions) for each in fields(layer)
}
_OF_THE_MACHINE = frozenset({"jobs", "workers", "cluster"})
_WITH_PATH = re.compile(r"(?P<option>-[A-Za-z]|(?!-))(?P<path>.+)")
"""A flag that may name a file or a folder right behind its letter, or what stands behind a flag as a word of its own
(`-include host.h`): it does where there is one."""


def words(result: Result, folder: SuiteFolder) -> tuple[str, ...]:
    """The words behind `veer test`, as seen from this folder; none where options have no such words."""
    options, sources = result.options, result.program.sources
    flags = {tuple(flags) for file, flags in _pairs(options, "flags_of") if Path(file) in sources}
    if options.get("partition") or options.get("checks_partition") or len(flags) > 1:
        return ()
    found = [folder.path(source) for source in sources]
    if not options.get("sequence"):
        found += ["--entry", result.program.entry]
    for each in (*SEARCH, *BUILD):
        if each.field in options and each.name not in _OF_THE_MACHINE:
            found += _given(each, options, folder)
    found += [word for flag in next(iter(flags), ()) for word in ("--cflag", folder.word(flag))]
    return (*found, *_growing(options))


def _pairs(options: Mapping[str, Any], field: str) -> Sequence[tuple[str, Sequence[str]]]:
    found: Sequence[tuple[str, Sequence[str]]] = options.get(field) or ()
    return found


def _given(option: Option, options: Mapping[str, Any], folder: SuiteFolder) -> Iterator[str]:
    """The words of one option; none where it has its default."""
    value, default = options[option.field], _DEFAULTS[option.field]
    if option.kind is Kind.BOUND:
        bounds = _pairs_of_bounds(options)
        is_asked = option.name.replace("_", "-") not in (options.get("growing") or _BOUNDS)
        if value != default or is_asked:
            yield from (option.flag, str(value))
        for bound, name, number in bounds:
            if f"--{bound}" == option.flag:
                yield from (option.flag, f"{name}={number}")
        return
    if value is None or (list(value) == list(default) if _is_row(value) else value == default):
        return
    if option.kind is Kind.SWITCH:
        on, _, off = (option.flags[0] if option.flags else option.flag).partition("/")
        yield on if value else off
    elif _is_row(value):
        for one in value:
            yield from _one(option, folder, str(one))
    else:
        number = value // option.unit if option.kind is Kind.NUMBER else value
        yield from (option.flag, f"{number:g}s" if option.kind is Kind.TIME else str(number))


_BOUNDS = tuple(kind.value for kind in BoundKind)


def _pairs_of_bounds(options: Mapping[str, Any]) -> Sequence[tuple[str, str, int]]:
    found: Sequence[tuple[str, str, int]] = options.get("own_bounds") or ()
    return found


def _is_row(value: object) -> bool:
    return isinstance(value, tuple | list)


def _one(option: Option, folder: SuiteFolder, value: str) -> Iterator[str]:
    """A value of an option that takes several."""
    flag = option.flags[0] if option.flags else option.flag
    if option.paths is Paths.ALL:
        # -I../include in one word; --spec ../unit.spec in two.
        path = folder.path(Path(value).absolute())
        yield from (flag, path) if flag.startswith("--") else (folder.word(f"{flag}{_absolute(value)}"),)
    elif option.paths is Paths.FILES and Path(value).is_file():
        yield from (flag, folder.path(Path(value)))
    elif option.paths is Paths.FLAGS and (found := _WITH_PATH.fullmatch(value)) and Path(found["path"]).exists():
        yield from (flag, folder.word(f"{found['option']}{_absolute(found['path'])}"))
    else:
        yield from (flag, value)


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def _growing(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Bounds that the user gave do not grow; where none grows, nobody need say which were given."""
    return () if options.get("growing") else ("--no-grow",)


def placed(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """What words ask for that were written as seen from this folder, with absolute paths."""
    found = dict(given)
    found["sources"] = [folder / each for each in given.get("sources", ())]
    for option in (*SEARCH, *BUILD):
        if option.paths is not None and option.name in found:
            found[option.name] = [_placed(option.paths, each, folder) for each in found[option.name]]
    return found


def _placed(paths: Paths, value: str, folder: Path) -> str:
    """A value with an absolute path in the place of one from that folder."""
    flag = _WITH_PATH.fullmatch(value) if paths is Paths.FLAGS else None
    if flag is not None:
        there = folder / flag["path"]
        return f"{flag['option']}{there}" if there.exists() else value
    there = folder / value
    return str(there) if paths is Paths.ALL or (paths is Paths.FILES and there.is_file()) else value
