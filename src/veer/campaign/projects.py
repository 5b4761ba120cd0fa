"""A user's project: its file of settings, and its root, from which committed suites name their sources.

The file is veer.toml, or a pyproject.toml with a table [tool.veer], which holds the same tables.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.model.errors import UsageError

NAME = "veer.toml"
OF_PYTHON = "pyproject.toml"
PROJECT, FUNCTION = "project", "function"
_PREFIX = "tool.veer."


class ProjectFile(Struct, frozen=True):
    """What a file of settings says. `text`: of the whole file, for the lines of what is wrong in it."""

    path: Path
    tables: Mapping[str, Any]
    text: str

    def place(self, table: str, key: str = "") -> str:
        """Where a key of a table stands, as FILE:LINE; TOML's reader does not tell it."""
        return f"{self.path.name}:{self._line(table, key)}"

    def _line(self, table: str, key: str) -> int:
        in_table = False
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
                name = re.sub(r"[\s\"']", "", header[1]).removeprefix(_PREFIX)
                in_table = name == table or name.startswith(f"{table}.")
                if in_table and (not key or name.endswith(f".{key}")):
                    return number
            elif in_table and re.match(rf"\s*[\"']?{re.escape(key)}\b", line):
                return number
        return 1


def project_file(sources: Sequence[Path]) -> ProjectFile | None:
    """The nearest file of settings: of the working directory, else of the first source's directory and those above it.

    Raises UsageError for one that cannot be read, or has other tables.
    """
    for folder in _folders(sources):
        if (folder / NAME).is_file():
            return _read(folder / NAME)
        if (folder / OF_PYTHON).is_file() and (found := _read(folder / OF_PYTHON)) is not None:
            return found
    return None


def _read(path: Path) -> ProjectFile | None:
    """None for a pyproject.toml that says nothing of veer."""
    try:
        text = path.read_text()
        if path.name == OF_PYTHON and "veer" not in text:
            return None
        data = _tables(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        if path.name == OF_PYTHON and "tool.veer" not in text:
            return None  # somebody else's affair
        raise UsageError(f"{path} is no TOML: {error}") from error
    if path.name == OF_PYTHON:
        tools = data.get("tool")
        data = tools.get("veer", {}) if isinstance(tools, dict) else {}
        if not data:
            return None
    found = ProjectFile(path, data, text)
    for name, table in found.tables.items():
        if name not in (PROJECT, FUNCTION) or not isinstance(table, dict):
            raise UsageError(f"{found.place(name)}: there is no {name!r}; write tables [project] and [function.NAME]")
    return found


@lru_cache(maxsize=8)
def _tables(text: str) -> Mapping[str, Any]:
    """The tables of a text, which one command asks for several times. Raises TOMLDecodeError."""
    return tomllib.loads(text)


def project_root(sources: Sequence[Path]) -> Path:
    """The folder of the nearest file of settings, else the git checkout of the first source, else the working one."""
    file = project_file(sources)
    if file is not None:
        return file.path.parent
    above = sources[0].absolute().parents if sources else ()
    return next((folder for folder in above if (folder / ".git").exists()), Path.cwd())


def _folders(sources: Sequence[Path]) -> Iterator[Path]:
    yield Path.cwd()
    if sources:
        yield from sources[0].absolute().parents
