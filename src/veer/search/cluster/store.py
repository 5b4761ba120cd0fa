"""Files by the digests of their contents: what a coordinator sends once to a node, and what searchers there run."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from veer.execution.confinement import granted
from veer.model.cachedir import cache_root
from veer.model.errors import ExecutorError
from veer.model.values import replace
from veer.search.cluster.letters import Digests
from veer.search.parallel.protocol import Errand

_FOLDER = "shipped"


@cache
def digest_of(file: Path) -> str:
    """The SHA-256 of a file's contents, which nobody changes: veer's cache never does."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def digests_of(errand: Errand) -> Digests:
    """Of the files that the search of this errand runs."""
    program, engine = errand.program, errand.engine
    launcher = program.confinement.launcher
    return Digests(
        digest_of(program.executable),
        digest_of(engine) if engine is not None else "",
        digest_of(launcher) if launcher is not None else "",
    )


def contents_of(errand: Errand, wanted: Iterable[str]) -> dict[str, bytes]:
    """The contents of those of these files that were asked for."""
    candidates = (errand.program.executable, errand.engine, errand.program.confinement.launcher)
    files = {digest_of(file): file for file in candidates if file is not None}
    return {digest: files[digest].read_bytes() for digest in wanted if digest in files}


class NodeStore:
    """The files of one node, in veer's cache there."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: None = in veer's cache."""
        self._folder = folder or cache_root() / _FOLDER

    def lacking(self, digests: Digests) -> tuple[str, ...]:
        """Which of these are not there."""
        return tuple(each for each in digests.all() if not (self._folder / each).is_file())

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Stores files that can be executed. Raises ExecutorError where one is damaged or cannot be written."""
        for digest, content in contents.items():
            if hashlib.sha256(content).hexdigest() != digest:
                raise ExecutorError(f"a file was damaged on its way to {os.uname().nodename}")
            try:
                self._write(digest, content)
            except OSError as error:
                raise ExecutorError(f"{self._folder} cannot be written on {os.uname().nodename}: {error}") from error

    def errand(self, errand: Errand, digests: Digests) -> tuple[Errand, str]:
        """The errand with this node's files and what its kernel grants, and a note on what it does not.

        Raises ExecutorError where --sandbox strict asks for more.
        """
        engine = self._folder / digests.engine if digests.engine else None
        program = replace(errand.program, executable=self._folder / digests.executable)
        confinement, note = program.confinement, ""
        if digests.launcher:
            launcher = self._folder / digests.launcher
            found = granted(launcher)
            lacking = [name for name in confinement.grants if not found.get(name)]
            if lacking:
                note = f"on {os.uname().nodename} the kernel does not grant {', '.join(lacking)} (docs/security.md)"
            if lacking and errand.options.sandbox == "strict":
                raise ExecutorError(f"--sandbox strict: {note}")
            grants = tuple(name for name in confinement.grants if name not in lacking)
            confinement = replace(confinement, launcher=launcher, grants=grants)
        return replace(errand, program=replace(program, confinement=confinement), engine=engine), note

    def _write(self, digest: str, content: bytes) -> None:
        """The file is there at once, whole and executable: others of the node look for it."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=".veer-", dir=self._folder)
        try:
            with os.fdopen(descriptor, "wb") as handle:
                handle.write(content)
                os.fchmod(handle.fileno(), stat.S_IRWXU)
            Path(temporary).replace(self._folder / digest)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
