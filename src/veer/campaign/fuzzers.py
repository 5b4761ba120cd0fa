"""The folders of a fuzzer that runs beside veer: where its inputs are, and where it looks for those of others.

    AFL++        DIR/main/queue/id:000007,src:...      libFuzzer    CORPUS/0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33
    veer's own   DIR/veer/queue/id:000000,...          veer's own   CORPUS/<SHA-1 of the content>, as libFuzzer names it
                 DIR/veer/crashes/id:000000,...                     CRASHES/crash-<SHA-1>

AFL++ takes files of another instance in the order of their numbers, each once, and stops at the first number that is
missing. It leaves out what begins with a dot. libFuzzer reads its corpus again and again, and ends at an input that
crashes: so those of bugs do not go there.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from veer.model.errors import UsageError
from veer.model.wholefile import replace_file
from veer.search.exchange import Given

_NUMBERED = re.compile(r"id:(\d+)")
_OF_A_FUZZER = "fuzzer_stats"
NAME = "veer"
"""The folder of veer's own among those of AFL++'s instances."""


class Fuzzer(Protocol):
    """A fuzzer beside veer."""

    @property
    def place(self) -> Path:
        """Where veer writes."""
        ...

    @property
    def crashes(self) -> Path:
        """Where the inputs of bugs go."""
        ...

    def inputs(self) -> Iterator[os.DirEntry[str]]:
        """The files that may be inputs now, in no order; those that veer has written, too. Raises OSError."""
        ...

    def put(self, given: Given) -> Path:
        """Writes an input, whole or not at all. Raises OSError."""
        ...


class AflPlusPlus:
    """AFL++'s output directory (`-o DIR`) with its instances (`-M`, `-S`). Raises UsageError, OSError."""

    def __init__(self, directory: Path, name: str = NAME) -> None:
        require_folder("--afl", directory, "it is what afl-fuzz has behind -o: start afl-fuzz first")
        if not name or name.startswith(".") or Path(name).name != name:
            raise UsageError(f"--name {name}: give the name of a folder in {directory}, without a dot at its beginning")
        if (directory / name / _OF_A_FUZZER).exists():
            raise UsageError(f"--name {name}: {directory / name} is an instance of AFL++: give another name")
        self._directory, self._own = directory, directory / name
        if not any(each != self._own / "queue" for each in self._queues()):
            above = f"; give {directory.parent}" if (directory / "queue").is_dir() else ": start afl-fuzz first"
            raise UsageError(f"--afl {directory}: no instance of AFL++ has a queue there{above}")
        self.place, self.crashes = self._own / "queue", self._own / "crashes"
        for folder in (self.place, self.crashes):
            folder.mkdir(parents=True, exist_ok=True)
        self._next = {folder: _next_number(folder) for folder in (self.place, self.crashes)}

    def inputs(self) -> Iterator[os.DirEntry[str]]:
        """See Fuzzer."""
        for queue in self._queues():
            with suppress(FileNotFoundError), os.scandir(queue) as entries:
                yield from (each for each in entries if each.name.startswith("id:") and each.is_file())

    def put(self, given: Given) -> Path:
        """See Fuzzer. It takes inputs of bugs, too: it finds out itself what crashes."""
        if given.is_bug:
            self._write(self.crashes, given.data)
        return self._write(self.place, given.data)

    def _write(self, folder: Path, data: bytes) -> Path:
        file = folder / f"id:{self._next[folder]:06d},src:{NAME}"
        _write_whole(file, data, beside=folder.parent)
        self._next[folder] += 1
        return file

    def _queues(self) -> Iterator[Path]:
        for instance in sorted(self._directory.iterdir()):
            if not instance.name.startswith(".") and (instance / "queue").is_dir():
                yield instance / "queue"


class LibFuzzer:
    """libFuzzer's corpus directory, the first one that it is given. Raises UsageError, OSError."""

    def __init__(self, corpus: Path, crashes: Path) -> None:
        require_folder("--libfuzzer", corpus, "it is the folder of inputs that the fuzzer is started with")
        if not os.access(corpus, os.W_OK):
            raise UsageError(f"--libfuzzer {corpus}: veer may not write there; change its permissions")
        self.place, self.crashes = corpus, crashes
        crashes.mkdir(parents=True, exist_ok=True)

    def inputs(self) -> Iterator[os.DirEntry[str]]:
        """See Fuzzer."""
        yield from _all_files(self.place)

    def put(self, given: Given) -> Path:
        """See Fuzzer."""
        name = hashlib.sha1(given.data, usedforsecurity=False).hexdigest()
        file = self.crashes / f"crash-{name}" if given.is_bug else self.place / name
        _write_whole(file, given.data, beside=file.parent.parent)
        return file


def require_folder(option: str, folder: Path, what: str) -> None:
    """Raises UsageError where it is none that can be read."""
    if not folder.exists():
        raise UsageError(f"{option} {folder}: there is no such folder; {what}")
    if not folder.is_dir():
        raise UsageError(f"{option} {folder}: that is no folder; {what}")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise UsageError(f"{option} {folder}: veer may not read it; change its permissions")


def _all_files(folder: Path) -> Iterator[os.DirEntry[str]]:
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                yield from _all_files(Path(each.path))
            elif each.is_file() and not each.name.startswith("."):
                yield each


def _next_number(folder: Path) -> int:
    """Behind the greatest number of a file in it."""
    found = (_NUMBERED.match(file.name) for file in folder.iterdir())
    return max((int(each[1]) + 1 for each in found if each is not None), default=0)


def _write_whole(file: Path, data: bytes, *, beside: Path) -> None:
    """Writes to a file that no fuzzer looks at, in the folder `beside`, then renames it. Where that is another file
    system, or may not be written, the file lies beside the new one, hidden."""
    for folder in (beside, file.parent):
        try:
            replace_file(file, data, folder=folder)
        except OSError:
            if folder == file.parent:
                raise
        else:
            return
