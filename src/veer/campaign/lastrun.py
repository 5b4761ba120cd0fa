"""What `veer test` of a whole project remembers of its last run, so that nothing is done where nothing has changed.

DIR/last.json    what was asked for, a digest of each file that was read, what lay in DIR behind it, what was printed

The results stand only where all of this is as it was: options, the project's file, sources, headers, libraries, the
compiler, veer itself, and what DIR holds. One change anywhere, and all functions are tested again: what a function's
result depends on is more than its text, for contracts, severity and static data are read off the whole unit.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import veer
from veer import __version__
from veer.campaign.projects import project_file
from veer.model.buildoptions import BuildOptions
from veer.model.wholefile import replace_file
from veer.toolchain import compiler
from veer.toolchain.cache import digest, digest_file

FILE = "last.json"
_NOT_ASKED = frozenset({"out", "quiet", "fresh"})
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "PATH", "JAVA_HOME", "VEER_CC", "LC_ALL", "LANG")
_TOOLS = ("java", "javac")


class LastRun(Struct, frozen=True):
    """A run that came to its end. `asked`, `left`: digests; `files`: path -> digest; `lines`: what it printed."""

    asked: str
    files: dict[str, str]
    left: str
    code: int
    lines: tuple[str, ...]


def asked_for(given: Mapping[str, Any], build: BuildOptions) -> str:
    """A digest of all that decides a run of these options, but the files that the builds read.

    `given`: the options, those of the project's file among them; `build`: what holds for all functions.
    """
    words = sorted((name, repr(value)) for name, value in given.items() if name not in _NOT_ASKED)
    file = project_file(build.sources)
    named = [
        Path(each) for name in ("compdb", "baseline", "link", "read", "prelude") for each in _texts(given.get(name))
    ]
    folders = dict.fromkeys([*(source.parent for source in build.sources), *map(Path, build.include)])
    return digest(
        *(f"{name}={value}" for name, value in words),
        f"{file.path} {file.text}" if file is not None else "",
        msgspec.json.encode([str(source) for source in build.sources]),
        msgspec.json.encode(build.flags_of),
        *(f"{path} {digest_file(path)}" for path in named if _is_file(path)),
        *(name for folder in folders for name in _names(folder)),
        *(f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT),
        str(Path.cwd()),
        os.uname().release,
        compiler.find(build.cc).identity,
        *map(_tool, _TOOLS),
        __version__,
        *_of_files(Path(veer.__file__).parent),
    )


def unchanged(out: Path, asked: str) -> LastRun | None:
    """The last run that DIR holds, where everything is as it was."""
    try:
        last = msgspec.json.decode((out / FILE).read_bytes(), type=LastRun)
    except (OSError, msgspec.DecodeError):
        return None
    if last.asked != asked or last.left != _left(out):
        return None
    return last if all(digest_file(Path(path)) == content for path, content in last.files.items()) else None


def remember(out: Path, asked: str, parts: Iterable[Mapping[str, str]], lines: Sequence[str], code: int) -> None:
    """Keeps a run for the next one. `parts`: of each function the files that were read, with the digests of what they
    held then. Where a file changed during the run, nothing is kept."""
    forget(out)
    files: dict[str, str] = {}
    for part in parts:
        if not part or any(files.get(path, content) != content for path, content in part.items()):
            return
        files.update(part)
    if files:
        last = LastRun(asked, files, _left(out), code, tuple(lines))
        with suppress(OSError):  # the next run does all again
            replace_file(out / FILE, msgspec.json.encode(last))


def forget(out: Path) -> None:
    """What DIR will hold is no last run's any more."""
    with suppress(OSError):
        (out / FILE).unlink(missing_ok=True)


def _texts(value: object) -> Iterator[str]:
    """All that may be the path of a file within the value of an option."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | Path):
        yield str(value)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long for a name
        return False


def _names(folder: Path) -> list[str]:
    """The names of the files there: a new header may hide another."""
    try:
        return sorted(each.name for each in os.scandir(folder) if not each.is_dir())
    except OSError:
        return []


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        return ""
    status = Path(found).stat()
    return f"{Path(found).resolve()} {status.st_size} {status.st_mtime_ns}"


def _left(out: Path) -> str:
    """A digest of what lies in DIR: names, sizes and times of all files but the run's own record."""
    return digest(*(each for each in _of_files(out) if not each.startswith(f"{FILE} ")))


def _of_files(folder: Path) -> Iterator[str]:
    """Name, size and time of each file within a folder, in order; Python's own left out."""
    waiting = [""]
    while waiting:
        within = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / within), key=lambda each: each.name)
        except OSError:
            continue
        for each in entries:
            name = f"{within}/{each.name}" if within else each.name
            if each.is_dir(follow_symlinks=False):
                if each.name != "__pycache__":
                    waiting.append(name)
            else:
                status = each.stat(follow_symlinks=False)
                yield f"{name} {status.st_size} {status.st_mtime_ns}"
