"""Writes the files of a suite into a folder, and never over a file that veer did not write there.

FOLDER/.veer    the names of the files that veer wrote, one a line; only these are overwritten or removed
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from veer.model.errors import StoreError
from veer.model.wholefile import replace_file
from veer.store.writer import MARKER, store_error

_HEAD = "These files were written by veer; the next export writes them anew:"


def write_suite(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files, and removes those of an earlier export that are not among them.

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
        listed = "\n".join([_HEAD, *sorted({*ours, *files})]) + "\n"
        replace_file(folder / MARKER, listed.encode())
        for name, data in files.items():
            replace_file(folder / name, data)
        for name in ours - files.keys():
            (folder / name).unlink(missing_ok=True)
        replace_file(folder / MARKER, ("\n".join([_HEAD, *sorted(files)]) + "\n").encode())
    except OSError as error:
        raise store_error(folder, error) from error


def _written_before(folder: Path) -> set[str]:
    try:
        lines = (folder / MARKER).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set()
    # A name that leads out of the folder was not written here.
    return {line for line in lines[1:] if line and ".." not in Path(line).parts and not Path(line).is_absolute()}
