"""Writes DIR: bugs first, then tests, then the suite, and summary.json last.

    DIR/.veer           marks the directory as veer's, so that nobody else's is ever overwritten
    DIR/bugs/NNN.json   one a bug
    DIR/tests/NNN.json  one a test
    DIR/suite/          the tests in the language of the program
    DIR/result.json     the values of `model/`, from which reports and suites are made again
    DIR/summary.json    the whole result (docs/design.md, section 4)

Each file is written beside its place and renamed, so that a full disk leaves no half of a file: what is there is valid.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct, field

from veer.model.errors import StoreError
from veer.model.result import Result
from veer.model.values import UNREADABLE
from veer.model.wholefile import replace_file
from veer.store.records import summary
from veer.store.schema import Summary
from veer.store.whole import WHOLE, encode

MARKER = ".veer"
SUMMARY = "summary.json"
ALWAYS = frozenset({MARKER, SUMMARY, WHOLE, "report.html", "bugs", "tests", "suite", "campaign"})
"""What DIR may hold without anybody asking for it."""
_NUMBERED = re.compile(r"\d{3,}\.json")
_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the file system is read-only",
    errno.ENOTDIR: "a part of its path is not a directory",
    errno.EEXIST: "a file is in its place",
    errno.EISDIR: "it is a directory",
}


def prepare(out: Path) -> None:
    """Makes DIR, or checks that it is veer's; to be called before a campaign, so that nothing is computed in vain.

    Raises StoreError when it cannot be written, or when it holds files that veer did not write.
    """
    try:
        if out.is_dir() and not is_ours(out) and any(out.iterdir()):
            raise StoreError(
                f"{out} is not empty and was not written by veer; give another directory with --out, or empty it"
            )
        out.mkdir(parents=True, exist_ok=True)
        replace_file(out / MARKER, b"This directory was written by veer; the next campaign writes it anew.\n")
    except OSError as error:
        raise store_error(out, error) from error


def is_ours(out: Path) -> bool:
    """Whether veer wrote this directory: its marker is there, or a summary.json with our schema."""
    if (out / MARKER).is_file():
        return True
    try:
        head = msgspec.json.decode((out / SUMMARY).read_bytes())
    except (OSError, *UNREADABLE):
        return False
    return isinstance(head, dict) and isinstance(head.get("tool"), dict) and head["tool"].get("name") == "veer"


class MainSuite(Struct, frozen=True):
    """The suite that every campaign writes: its file within DIR/suite, its text, what builds and runs it there, and the
    files that it needs beside it, by their names."""

    name: str
    text: str
    commands: tuple[str, ...]
    beside: Mapping[str, bytes] = field(default_factory=dict)


def write(result: Result, out: Path, suite: MainSuite | None = None) -> Summary:
    """Writes everything. Raises StoreError; what was written before it stays."""
    prepare(out)
    record = summary(result, f"suite/{suite.name}", suite.commands) if suite is not None else summary(result)
    try:
        for bug in record.bugs:
            replace_file(out / "bugs" / f"{bug.id:03d}.json", as_json(bug))
        for number, test in enumerate(record.tests, start=1):
            replace_file(out / "tests" / f"{number:03d}.json", as_json(test))
        if suite is not None:
            replace_file(out / "suite" / suite.name, suite.text.encode())
            for name, data in suite.beside.items():
                (out / "suite" / name).parent.mkdir(parents=True, exist_ok=True)
                replace_file(out / "suite" / name, data)
        replace_file(out / WHOLE, encode(result))
        replace_file(out / SUMMARY, as_json(record))
        _remove_stale(out / "bugs", {f"{bug.id:03d}.json" for bug in record.bugs})
        _remove_stale(out / "tests", {f"{number:03d}.json" for number in range(1, len(record.tests) + 1)})
    except OSError as error:
        raise store_error(out, error) from error
    return record


def write_whole(result: Result, out: Path) -> None:
    """Writes result.json alone, of a result whose other files are as they should be. Raises StoreError."""
    try:
        replace_file(out / WHOLE, encode(result))
    except OSError as error:
        raise store_error(out, error) from error


def write_result(result: Result, file: Path) -> None:
    """Writes summary.json to a file of the user's choice (--json FILE), which may be a device or a pipe."""
    try:
        replace_file(file, as_json(summary(result)))
    except OSError as error:
        raise store_error(file, error, "file with --json") from error


def as_json(record: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"


def _remove_stale(directory: Path, kept: set[str]) -> None:
    """Numbered records of an earlier campaign that this one did not write."""
    if not directory.is_dir():
        return
    for file in directory.iterdir():
        if _NUMBERED.fullmatch(file.name) and file.name not in kept:
            file.unlink()


def store_error(place: Path, error: OSError, other: str = "directory with --out") -> StoreError:
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    target = Path(os.fsdecode(error.filename)).parent if error.filename else place
    shown = target if target.is_relative_to(place) else place
    return StoreError(f"{shown} cannot be written: {reason}; mend that, or give another {other}")
