"""Whether what runs a user's code is confined: what --sandbox asks for, as far as the kernel grants it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from veer.execution.confinement import GRANTS, USUAL, granted
from veer.frontends.protocol import Built
from veer.model.confinement import OFF, Confinement
from veer.model.errors import UsageError, VeerError
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.toolchain.compiler import Toolchain, find
from veer.toolchain.fact import Fact
from veer.toolchain.runtime import launcher


def confined(built: Built, toolchain: Toolchain, search: SearchOptions) -> Built:
    """The program with what confines whoever runs it, and notes on what the kernel does not grant. Raises as below."""
    program = built.program
    link = (*program.link_flags, *built.options.link)
    found, notes = confinement(toolchain, search.sandbox, search.read, link, sockets=search.sockets)
    return replace(built, program=replace(program, confinement=found, notes=(*program.notes, *notes)))


def look_ahead(toolchain: Toolchain, mode: str) -> None:
    """Asks the kernel ahead of time. Who needs the answer asks again, and hears of what went wrong."""
    found = launcher(toolchain)
    if mode != "off":
        granted(found)


def confinement(
    toolchain: Toolchain, mode: str, read: Iterable[str] = (), link: Iterable[str] = (), *, sockets: bool = False
) -> tuple[Confinement, tuple[str, ...]]:
    """How processes are confined, and notes on what the kernel does not grant.

    `read`: folders and files that they may read, too; `link`: the words that link the program, which name libraries;
    `sockets`: they may use the network.

    Raises:
        UsageError: the mode is strict, and the kernel does not grant all, or sockets are wanted; or there is no such
            folder.
        ToolchainError, ExecutorError: there is no launcher, or it does not start.
    """
    folders = tuple(Path(each).absolute() for each in read)
    for each in folders:
        if not each.exists():
            raise UsageError(f"--read {each}: there is no such file or folder")
    if sockets and mode == "strict":
        raise UsageError("--sockets with --sandbox strict: it has no network to use; --sandbox on has")
    if mode == "off":
        return OFF, ()
    found, wanted = granted(launcher(toolchain)), tuple(GRANTS) if mode == "strict" else USUAL
    lacking = [name for name in wanted if not found[name]]
    if lacking and mode == "strict":
        raise UsageError(f"--sandbox strict: the kernel does not grant {_listed(lacking)}; --sandbox on does without")
    grants = tuple(name for name in wanted if found[name])
    readable = (*folders, *_libraries(link))
    note = f"the unit is confined less than it could be: the kernel does not grant {_listed(lacking)}"
    return Confinement(launcher(toolchain), grants, readable, sockets=sockets), (note,) if lacking else ()


def facts() -> list[Fact]:
    """What the kernel grants of it, for `veer doctor`: a line each."""
    try:
        found = granted(launcher(find()))
    except VeerError as error:
        return [Fact("sandbox", ok=False, detail=str(error))]
    return [
        Fact(f"sandbox: {name}", True if found[name] else None, f"{'' if found[name] else 'not granted: '}{what}")
        for name, what in GRANTS.items()
    ]


def _listed(names: Iterable[str]) -> str:
    return ", nor ".join(GRANTS[name] for name in names)


def _libraries(words: Iterable[str]) -> Iterator[Path]:
    """Where the words of a link say that libraries are: -L, -rpath, files."""
    for word in words:
        for text in word.removeprefix("-L").removeprefix("-Wl,-rpath,").removeprefix("-Wl,-rpath=").split(","):
            path = Path(text)
            if os.sep in text and path.is_dir():
                yield path.absolute()
            elif path.is_file():
                yield path.absolute().parent
