"""compile_commands.json: which sources a project has, and with which flags each is compiled.

    {"directory": "/home/u/build", "command": "cc -I../include -DNDEBUG -O2 -c ../src/list.c", "file": "../src/list.c"}

Kept are the flags that decide what the source means (macros, directories of headers, the language); how it is
optimised, warned about and written is veer's own affair. Relative paths are relative to the command's directory.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from veer.frontends.c.machine import of_command
from veer.model.errors import UsageError

_DIRECTORIES = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
WITH_VALUE = (*_DIRECTORIES, "-D", "-U")
"""Flags whose value is the next word, here always."""
_MAIN = re.compile(r"^\s*(?:\w+[\s*]+)*main\s*\(", re.MULTILINE)
_ALONE = re.compile(
    r"-std=|-ansi$|-pthread$"
    r"|-f(no-)?(un)?signed-char$|-f(no-)?short-(enums|wchar)$|-fpack-struct(=|$)|-mlong-double-(64|80|128)$"
    r"|-f(no-)?(wrapv|wrapv-pointer|strict-overflow|strict-aliasing|common|ms-extensions|gnu89-inline)$"
)


def project(file: Path, has_main: bool) -> tuple[tuple[Path, ...], tuple[tuple[str, tuple[str, ...]], ...]]:  # noqa: FBT001
    """The project's sources, and the flags of each by its path; without `has_main` those that define no main.

    Raises UsageError.
    """
    known = read(file)
    found = [path for path, _ in known]
    if not has_main:
        found = [path for path in found if not _is_file(path) or not _MAIN.search(path.read_text(errors="replace"))]
    return tuple(found), tuple((str(path), given) for path, given in known)


def read(file: Path) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """Each C source with its flags, once, as absolute paths. Raises UsageError for what is no compilation database."""
    try:
        entries = json.loads(file.read_bytes())
    except OSError as error:
        raise UsageError(f"--compdb {file}: {error.strerror}; give the path of a compile_commands.json") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--compdb {file} is no JSON ({error}); let your build system write it again") from error
    if not isinstance(entries, list):
        raise UsageError(f"--compdb {file} is no list of compile commands; let your build system write it again")
    found: dict[Path, tuple[str, ...]] = {}
    for number, entry in enumerate(entries):
        source, flags = _entry(entry, f"--compdb {file}: entry {number + 1}")
        if source.suffix == ".c":
            found.setdefault(source, flags)
    if not found:
        raise UsageError(f"--compdb {file} names no C source: veer reads files that end in .c")
    return tuple(found.items())


def _entry(entry: Any, where: str) -> tuple[Path, tuple[str, ...]]:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise UsageError(f"{where} names no file; let your build system write it again")
    for field, kind in (("directory", str), ("command", str), ("arguments", list)):
        if not isinstance(entry.get(field, kind()), kind):
            raise UsageError(f"{where} has a `{field}` of another kind; let your build system write it again")
    if "\0" in f"{entry['file']}{entry.get('directory', '')}" or not entry["file"]:
        raise UsageError(f"{where} names no file that could be; let your build system write it again")
    folder = Path(os.path.abspath(str(entry.get("directory", "."))))  # noqa: PTH100 - links are kept
    given = entry.get("arguments")
    try:
        words = [str(word) for word in given] if isinstance(given, list) else shlex.split(str(entry.get("command", "")))
    except ValueError as error:
        raise UsageError(f"{where} has a command that no shell would read ({error})") from error
    return _absolute(folder, entry["file"]), (*of_command(words), *_kept(words[1:], folder))


def with_absolute_paths(flags: Iterable[str], folder: Path) -> Iterator[str]:
    """The flags, whose relative paths are relative to this folder, as they are in any other one."""
    rest = iter(flags)
    for flag in rest:
        yield flag if not flag.startswith("-I") or flag == "-I" else f"-I{_placed('-I', flag[2:], folder)}"
        if flag in _DIRECTORIES and (value := next(rest, "")):
            yield _placed(flag, value, folder)


def _placed(flag: str, value: str, folder: Path) -> str:
    """The value of a flag, where it is a path of this folder; a header that is not there is one of other folders."""
    is_named = flag not in _DIRECTORIES or value.startswith("=")
    is_elsewhere = flag in ("-include", "-imacros") and not _is_there(folder / value)
    return value if is_named or is_elsewhere else str(_absolute(folder, value))


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110 - a name that is too long is none; Path raises


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - the same


def _absolute(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))


def _kept(words: Sequence[str], folder: Path) -> Iterator[str]:
    """The flags that decide what the source means."""
    rest = iter(words)
    for word in rest:
        flag = next((each for each in WITH_VALUE if word == each or (word.startswith(each) and len(each) == 2)), "")
        if flag:
            value = word[len(flag) :] or next(rest, "")
            yield from (flag, _placed(flag, value, folder))
        elif _ALONE.match(word):
            yield word
