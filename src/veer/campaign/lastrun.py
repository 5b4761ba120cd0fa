"""What `veer test` of a whole project remembers of its last run, so that nothing is done where nothing has changed.

DIR/last.json    what was asked for, a digest of each file that was read, what lay in DIR behind it, what was printed

All results stand where all of this is as it was: options, the project's file, sources, headers, libraries, the
compiler, veer itself, and what DIR holds. Else it is asked function by function (standing.py).
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
from veer.campaign.standing import NOTHING_KEPT, KeptRun
from veer.frontends.llvm.exchange import decode, encode
from veer.model.buildoptions import BuildOptions
from veer.model.folders import LAST_RUN, files_within
from veer.model.values import UNREADABLE
from veer.model.wholefile import replace_file
from veer.toolchain import compiler
from veer.toolchain.cache import digest, digest_file

_NOT_ASKED = frozenset({"out", "quiet", "fresh"})
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "PATH", "JAVA_HOME", "VEER_CC", "LC_ALL", "LANG")
_TOOLS = ("java", "javac")
_NAMING = (
    *("compdb", "baseline", "link", "read", "prelude", "partition", "spec", "specifications", "preludes"),
    *("classpath", "class_path"),
)
"""Options that name files."""
_OF_OUTPUT = ("format", "formats", "fail_on", "baseline")


class LastRun(Struct, frozen=True):
    """A run. `asked`, `left`: digests, "" of a run that did not come to its end; `files`: path -> digest; `lines`: what
    it printed; `kept`: what stands of it function by function."""

    asked: str
    files: dict[str, str]
    left: str
    code: int
    lines: tuple[str, ...]
    kept: KeptRun = NOTHING_KEPT


def asked_for(given: Mapping[str, Any], build: BuildOptions) -> str:
    """A digest of all that decides a run of these options, but the files that the builds read.

    `given`: the options, those of the project's file among them; `build`: what holds for all functions.
    """
    words = sorted((name, repr(value)) for name, value in given.items() if name not in _NOT_ASKED)
    file = project_file(build.sources)
    folders = dict.fromkeys([*(source.parent for source in build.sources), *map(Path, build.include)])
    return digest(
        *(f"{name}={value}" for name, value in words),
        f"{file.path} {file.text}" if file is not None else "",
        msgspec.json.encode([str(source) for source in build.sources]),
        msgspec.json.encode(build.flags_of),
        *(name for folder in folders for name in _names(folder)),
        common_to(given, build),
    )


def common_to(given: Mapping[str, Any], build: BuildOptions) -> str:
    """A digest of what decides the results of all functions, beside their options and the code: compiler, veer, the
    machine, named files, and what becomes of results."""
    named = [Path(each) for name in _NAMING for each in _texts(given.get(name))]
    return digest(
        *(f"{name}={given.get(name)!r}" for name in _OF_OUTPUT),
        *(f"{path} {digest_file(path)}" for path in named if _is_file(path)),
        *(f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT),
        str(Path.cwd()),
        os.uname().release,
        compiler.find(build.cc).identity,
        *map(_tool, _TOOLS),
        __version__,
        *files_within(Path(veer.__file__).parent),
    )


def last_run(out: Path) -> LastRun | None:
    """The last run that DIR holds."""
    try:
        return decode((out / LAST_RUN).read_bytes(), LastRun)
    except (OSError, *UNREADABLE):
        return None


def is_unchanged(last: LastRun, out: Path, asked: str) -> bool:
    """Whether everything is as it was in that run."""
    if last.asked != asked or last.left != _left(out):
        return False
    return all(digest_file(Path(path)) == content for path, content in last.files.items())


def remember(
    out: Path,
    asked: str,
    parts: Iterable[Mapping[str, str]],
    lines: Sequence[str],
    code: int,
    kept: KeptRun = NOTHING_KEPT,
    *,
    is_done: bool = True,
) -> None:
    """Keeps a run for the next one. `parts`: of each function the files that were read, with the digests of what they
    held then. Where a file changed during the run, or it did not come to its end, only `kept` is kept."""
    forget(out)
    files: dict[str, str] = {}
    stands = is_done
    for part in parts:
        if not part or any(files.get(path, content) != content for path, content in part.items()):
            stands = False
        files.update(part)
    stands = stands and bool(files)
    if stands or kept.functions:
        last = LastRun(asked if stands else "", files, _left(out), code, tuple(lines), kept)
        with suppress(OSError):  # the next run does all again
            replace_file(out / LAST_RUN, encode(last))


def forget(out: Path) -> None:
    """What DIR will hold is no last run's any more."""
    with suppress(OSError):
        (out / LAST_RUN).unlink(missing_ok=True)


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
    return digest(*(each for each in files_within(out) if not each.startswith(f"{LAST_RUN} ")))
