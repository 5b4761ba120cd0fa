"""A campaign that can go on: DIR/campaign/, periodic copies of its shared memories and what goes with them.

    DIR/campaign/campaign.json    the options, the files that the program was made of, and the names of the parts
    DIR/campaign/N-K.part         generation N of shared memory K: extents, each as offset, length, bytes

The parts of a generation are written first, then campaign.json takes the place of the last one in one step, then the
parts of the generation before go. A process that is killed anywhere in between leaves a whole campaign behind.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from veer.model.coverage import Sample
from veer.model.errors import ExecutorError, UsageError
from veer.model.options import BuildOptions, SearchOptions
from veer.store.writer import replace_file, store_error
from veer.wire.shared import Shared

FOLDER = "campaign"
INDEX = "campaign.json"
SCHEMA = 1
_EXTENT = struct.Struct("<QQ")


class Part(msgspec.Struct, frozen=True):
    """A file of one shared memory; `state` is what its search keeps outside of it."""

    name: str
    size: int
    checksum: int
    state: dict[str, Any]


class SavedCampaign(msgspec.Struct, frozen=True):
    """campaign.json. `made_by` is veer's version and layout; `files` maps each file that was compiled to its digest."""

    schema: int
    made_by: str
    directory: str
    build: BuildOptions
    search: SearchOptions
    files: dict[str, str]
    generation: int
    seconds: float  # since the campaign's start, earlier sessions included
    samples: tuple[Sample, ...]
    parts: tuple[Part, ...]


def save(out: Path, campaign: SavedCampaign, memories: Sequence[tuple[Shared, dict[str, Any]]]) -> None:
    """Writes one generation; `campaign.parts` is filled in here. Only while no executor is at work.

    Raises StoreError; what was saved before stays whole.
    """
    folder = out / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parts = [
            _write(folder / f"{campaign.generation}-{number}.part", shared, state)
            for number, (shared, state) in enumerate(memories)
        ]
        record = msgspec.structs.replace(campaign, parts=tuple(parts))
        replace_file(folder / INDEX, msgspec.json.encode(record, enc_hook=str))
        _remove_others(folder, {part.name for part in parts})
    except OSError as error:
        raise store_error(out, error) from error


def _write(file: Path, shared: Shared, state: dict[str, Any]) -> Part:
    checksum = 0
    try:
        with file.open("wb") as handle:
            for offset, data in shared.extents():
                head = _EXTENT.pack(offset, len(data))
                checksum = zlib.crc32(data, zlib.crc32(head, checksum))
                handle.write(head)
                handle.write(data)
            return Part(file.name, handle.tell(), checksum, state)
    except OSError:
        with contextlib.suppress(OSError):
            file.unlink()
        raise


def read(out: Path, made_by: str) -> SavedCampaign:
    """What DIR holds of a campaign.

    Raises UsageError, one sentence: nothing was saved there, by another veer, in another directory, or it is damaged.
    """
    file = out / FOLDER / INDEX
    try:
        data = file.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(
            f"{out} holds no campaign to resume: give the --out of a `veer test` that was stopped before it was done"
        ) from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; mend that, or start the campaign anew") from error
    try:
        campaign = msgspec.json.decode(data, type=SavedCampaign, dec_hook=lambda kind, value: kind(value))
    except msgspec.DecodeError as error:
        raise UsageError(f"{file} is damaged ({error}): start the campaign anew, without --resume") from error
    if (campaign.schema, campaign.made_by) != (SCHEMA, made_by):
        raise UsageError(f"{out} was saved by another version of veer: start the campaign anew, without --resume")
    if campaign.directory != str(Path.cwd()):
        raise UsageError(f"the campaign in {out} was started in {campaign.directory}: resume it from there")
    return campaign


def load(out: Path, part: Part) -> Shared:
    """The shared memory of a part; the caller closes it. Raises UsageError when the file is damaged."""
    file = out / FOLDER / part.name
    shared = Shared()
    try:
        with file.open("rb") as handle:
            if os.fstat(handle.fileno()).st_size != part.size:
                raise ValueError("its length is wrong")
            checksum = 0
            while head := handle.read(_EXTENT.size):
                offset, length = _EXTENT.unpack(head)
                data = handle.read(min(length, part.size))
                checksum = zlib.crc32(data, zlib.crc32(head, checksum))
                shared.load(offset, data)
            if checksum != part.checksum:
                raise ValueError("its checksum is wrong")
    except (OSError, ValueError, struct.error, ExecutorError) as error:
        shared.close()
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{file} is damaged ({why}): start the campaign anew, without --resume") from error
    return shared


def forget(out: Path) -> None:
    """Removes what was saved: nothing is left to go on with, or a new campaign begins. Raises StoreError."""
    folder = out / FOLDER
    try:
        if folder.is_dir():
            (folder / INDEX).unlink(missing_ok=True)
            _remove_others(folder, set())
            with contextlib.suppress(OSError):
                folder.rmdir()
    except OSError as error:
        raise store_error(out, error) from error


def _remove_others(folder: Path, kept: set[str]) -> None:
    for file in folder.glob("*.part"):
        if file.name not in kept:
            file.unlink()


def require_unchanged(campaign: SavedCampaign, files: dict[str, str]) -> None:
    """Raises UsageError when the program that was built now is not made of the files that were compiled then."""
    changed = sorted(
        name for name in campaign.files.keys() | files.keys() if campaign.files.get(name) != files.get(name)
    )
    if changed:
        raise UsageError(
            f"{changed[0]} has changed since the campaign was saved: start the campaign anew, without --resume"
        )
