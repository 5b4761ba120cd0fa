"""Contracts that a user gives beside the sources: in `veer.toml`, and as options of one entry.

[function.a_pct]
nonnull = ["p"]                    not NULL; `nullable` says the opposite
range = { pct = "0..100" }
length = { buf = "n", key = 16 }   elements
end = { p = "limit" }              up to where another parameter leads; "" = they have nothing in common
within = { at = "p" }              leads to one of the elements that another parameter leads to
text = ["name"]                    ends with NUL
out = ["result"]                   one object that the function writes
pre = ["is_valid"]                 a predicate over its parameters
constructor = true                 makes objects for the other functions of a sequence
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from veer.campaign.mentions import require_functions
from veer.campaign.projects import FUNCTION, ProjectFile, project_file
from veer.model.buildoptions import GivenTerms
from veer.model.errors import UsageError

CONSTRUCTOR = "constructor"
_LISTED = ("nonnull", "nullable", "text", "out", "pre")
_PAIRED = ("range", "length", "end", "within")
KEYS = (*_LISTED, *_PAIRED, CONSTRUCTOR)
"""The keys of a function's table that are contracts."""


def project_terms(sources: Sequence[Path], include: Sequence[str | Path] = ()) -> tuple[GivenTerms, ...]:
    """The contracts of the project's file. Raises UsageError for one that cannot be read, and for a function that
    nobody has; `include`: folders of headers."""
    file = project_file(sources)
    if file is None:
        return ()
    require_functions(file, sources, include)
    functions = file.tables.get(FUNCTION, {})
    return tuple(terms for name, table in functions.items() for terms in _of_function(name, table, file))


def _of_function(name: str, table: object, file: ProjectFile) -> Iterator[GivenTerms]:
    """Keys that are no contracts are options (campaign/settings.py)."""
    if not isinstance(table, dict):
        raise UsageError(f"{file.place(FUNCTION, name)}: write a table for each function, as [function.NAME]")
    for key, value in table.items():
        if key not in KEYS:
            continue
        place = file.place(f"{FUNCTION}.{name}", key)
        if key == CONSTRUCTOR and isinstance(value, bool):
            yield from [GivenTerms(name, CONSTRUCTOR, place)] if value else []
        elif key in _LISTED and (isinstance(value, str) or _is_texts(value)):
            listed = [value] if isinstance(value, str) else value
            yield GivenTerms(name, f"{key}({', '.join(listed)})", place)
        elif key in _PAIRED and isinstance(value, dict):
            yield from (GivenTerms(name, f"{key}({each}, {size})", place) for each, size in value.items())
        else:
            example = "true" if key == CONSTRUCTOR else '["p"]' if key in _LISTED else '{ n = "0..100" }'
            raise UsageError(f"{place}: {key} is written like {key} = {example}")


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def option_terms(not_null: Sequence[str], ranges: Sequence[str]) -> tuple[GivenTerms, ...]:
    """The contracts of `--nonnull PARAM` and `--range PARAM=LO..HI`. Raises UsageError."""
    found = [GivenTerms("", f"nonnull({name})", f"--nonnull {name}") for name in not_null]
    for each in ranges:
        name, separator, values = (part.strip() for part in each.partition("="))
        if not separator or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise UsageError(f"--range {each}: write --range PARAM=LO..HI, for example --range percent=0..100")
        low, _, high = (part.strip() for part in values.partition(".."))
        if _is_number(low) and _is_number(high) and int(low, 0) > int(high, 0):
            raise UsageError(f"--range {each}: the range has no value; write the lower end first")
        found.append(GivenTerms("", f"range({name}, {values})", f"--range {each}"))
    return tuple(found)


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F]+|0|[1-9]\d*)", text))


def of_function(terms: Sequence[GivenTerms], function: str, parameters: Collection[str]) -> tuple[GivenTerms, ...]:
    """What concerns one of many functions: what is given for it, and for parameters of its names."""
    return tuple(
        each for each in terms if each.function == function or (not each.function and named(each) in parameters)
    )


def named(terms: GivenTerms) -> str:
    """The parameter that an option speaks of."""
    return re.split(r"[(,)]", terms.terms)[1].strip()
