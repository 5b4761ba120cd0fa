"""Reads DIR back: summary.json, with unknown keys ignored, as docs/design.md, section 4 asks of every reader."""

from __future__ import annotations

from pathlib import Path

import msgspec

from veer.model.errors import StoreError, UsageError
from veer.model.values import UNREADABLE
from veer.store.schema import SCHEMA, Summary
from veer.store.writer import SUMMARY


def read(out: Path) -> Summary:
    """The summary of a directory. Raises UsageError when there is none, StoreError when it is damaged or too new."""
    file = out / SUMMARY
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{out} holds no {SUMMARY}; give the directory that `veer test` wrote (its --out)") from error
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}") from error
    try:
        record = msgspec.json.decode(data, type=Summary)
    except UNREADABLE as error:
        raise StoreError(f"{file} is damaged ({error}); run `veer test` again") from error
    if record.schema > SCHEMA:
        raise StoreError(f"{file} has schema {record.schema}, this veer reads {SCHEMA}; install a newer veer")
    return record
