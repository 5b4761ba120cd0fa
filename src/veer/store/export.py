"""Writes the files of a suite into a folder, and never over a file that veer did not write there.

FOLDER/.veer    the files that veer wrote, one a line: name, tab, the function whose suite it is of; only these are
                    overwritten, and removed once that function's suite has them no more
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from veer.model.errors import StoreError
from veer.model.wholefile import replace_file
from veer.store.writer import MARKER, store_error

_HEAD = "These files were written by veer; the next export writes them anew:"


def write_suite(folder: Path, files: Mapping[str, bytes], owner: str = "") -> None:
    """Writes the files of a function's suite, and removes those of an earlier one of the same function that are not
    among them: a folder may hold the suites of several.

    Raises StoreError when a file with such a name is there that veer did not write, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = _written_before(folder)
        for name in sorted(files):
            if name not in ours and (folder / name).exists():
                raise StoreError(
                    f"{folder / name} was not written by veer and is left alone; give another folder with --to"
                )
        _list(folder, ours | dict.fromkeys(files, owner))
        for name, data in files.items():
            replace_file(folder / name, data)
        stale = {name for name, of in ours.items() if of in ("", owner)} - files.keys()
        for name in stale:
            (folder / name).unlink(missing_ok=True)
        kept = {name: of for name, of in ours.items() if name not in stale}
        _list(folder, kept | dict.fromkeys(files, owner))
    except OSError as error:
        raise store_error(folder, error) from error


def begin_suite(folder: Path) -> None:
    """Makes the folder of a suite whose files come one by one (`change_suite`); one that is there stays as it is.

    Raises StoreError when that cannot be done.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / MARKER).exists():
            _list(folder, {})
    except OSError as error:
        raise store_error(folder, error) from error


def change_suite(folder: Path, files: Mapping[str, bytes], gone: Iterable[str], owner: str) -> None:
    """Writes some files of a suite that is there, and removes others. Raises StoreError when that cannot be done."""
    try:
        for name, data in files.items():
            replace_file(folder / name, data)
        for name in gone:
            (folder / name).unlink(missing_ok=True)
        if (folder / MARKER).is_file():
            ours = _written_before(folder) | dict.fromkeys(files, owner)
            _list(folder, {name: of for name, of in ours.items() if name not in {*gone}})
    except OSError as error:
        raise store_error(folder, error) from error


def _list(folder: Path, owners: Mapping[str, str]) -> None:
    lines = [f"{name}\t{owners[name]}" for name in sorted(owners)]
    replace_file(folder / MARKER, ("\n".join([_HEAD, *lines]) + "\n").encode())


def _written_before(folder: Path) -> dict[str, str]:
    """The files of ours by name, with their owners; an older veer named none."""
    try:
        lines = (folder / MARKER).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    found = {name: owner for name, _, owner in (line.partition("\t") for line in lines[1:])}
    # A name that leads out of the folder was not written here.
    return {
        name: owner
        for name, owner in found.items()
        if name and ".." not in Path(name).parts and not Path(name).is_absolute()
    }
