"""Files that appear whole or not at all, and files that may not be there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace_file(place: Path, data: bytes, *, folder: Path | None = None) -> None:
    """Writes beside the place, or in another folder of the same file system, then renames; a failure leaves what was
    there before. Raises OSError."""
    if place.exists() and not place.is_file():  # /dev/stdout, a pipe: a file must not take its place
        with place.open("wb") as handle:
            handle.write(data)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".veer-", dir=folder or place.parent)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def text_of(file: Path) -> str:
    """What an ordinary file says; "" where there is none, whatever the name may be."""
    try:
        return file.read_text(errors="replace") if file.is_file() else ""
    except (OSError, ValueError):
        return ""
