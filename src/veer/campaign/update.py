"""A committed suite beside what veer would write today: which files differ, and what that means, test by test."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from veer.campaign.deliver import suite_files
from veer.campaign.languages import renderer
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.store.export import change_suite

_COMMAND = re.compile(r"^[ *#/]*veer test (?P<words>\S.*)$", re.MULTILINE)
_HEAD_BYTES = 1 << 14


class Update(Struct, frozen=True):
    """`name`: the main file of the suite; `files`: those that are to be written, by name; `gone`: those that nothing is
    in any more; `sentences`, `others`: what that means for the tests (`suite.protocol.Updated`)."""

    name: str
    files: Mapping[str, bytes]
    gone: tuple[str, ...]
    sentences: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def is_change(self) -> bool:
        """Whether anything is to be written or removed."""
        return bool(self.files or self.gone)

    @property
    def summary(self) -> str:
        """In a few words."""
        if not self.is_change:
            return "nothing changed"
        count = len(self.sentences) + len(self.others)
        if not count:
            return f"no test changed, but the text of {', '.join((*self.files, *self.gone))}"
        return f"{count} change{'s' if count > 1 else ''}"


def command_in(file: Path) -> tuple[str, ...]:
    """The words behind `veer test` in the head of a suite; none in another file. Raises UsageError for a file that
    cannot be read, and for words that no shell takes apart."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES).decode(errors="replace")
    except IsADirectoryError:
        return ()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; give a suite that veer wrote") from error
    found = _COMMAND.search(head)
    try:
        return tuple(shlex.split(found["words"])) if found else ()
    except ValueError as error:
        raise UsageError(f"{file}: the `veer test` line of its head is no command ({error}); mend it there") from error


def updated(result: Result, folder: Path, words: Sequence[str], format: str) -> Update:
    """The suite of this result beside the one in the folder, which these words have made.

    Raises UsageError for marks of kept lines that are no pairs, and for a language whose suites cannot be compared.
    """
    made = suite_files(result, folder, format)
    files: dict[str, bytes] = {}
    sentences: list[str] = []
    others: list[str] = []
    for name, data in made.items():
        old = _text(folder / name)
        if old is None:
            if not _is_of_others(name):
                files[name] = data
            continue
        if command_in(folder / name):
            try:
                new = renderer(result.program.language).updated(old, data.decode(errors="surrogateescape"))
            except ValueError as error:
                raise UsageError(f"{folder / name}: {error}; mend the marks, and run `veer update` again") from error
            sentences += new.sentences
            others += new.others
            data = new.text.encode(errors="surrogateescape")
        elif _is_of_others(name) and _project(old) != _project(data.decode()):
            continue
        if data != old.encode(errors="surrogateescape"):
            files[name] = data
    gone = [each.name for each in folder.iterdir() if each.name not in made and command_in(each) == tuple(words)]
    others += [f"gone: {name}, all of it" for name in gone]
    return Update(next(iter(made)), files, tuple(sorted(gone)), tuple(sentences), tuple(others))


def write(update: Update, folder: Path, entry: str) -> None:
    """Writes what changed in the suite of this function. Raises StoreError."""
    change_suite(folder, update.files, update.gone, entry)


def _text(file: Path) -> str | None:
    return file.read_bytes().decode(errors="surrogateescape") if file.is_file() else None


def _is_of_others(name: str) -> bool:
    """A file that a project may have of its own: it is made only where it is there, and for this suite."""
    return name == "CMakeLists.txt"


def _project(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith("project(")), "")
