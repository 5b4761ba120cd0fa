"""A campaign that can go on: DIR/campaign/, periodic copies of its shared memories and what goes with them.

    DIR/campaign/campaign.json    the options, the files that the program was made of, and the names of the parts
    DIR/campaign/N-K.part         generation N of memory K: extents, each as offset, length, bytes

Memory 0 is the campaign's; the others are parts that workers search (decision 0110), and the identities of paths.

The parts of a generation are written first, then campaign.json takes the place of the last one in one step, then the
parts of the generation before go. A process that is killed anywhere in between leaves a whole campaign behind.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from veer.model.buildoptions import BuildOptions
from veer.model.coverage import Sample
from veer.model.errors import ExecutorError, UsageError
from veer.model.searchoptions import SearchOptions
from veer.model.values import UNREADABLE, replace
from veer.model.wholefile import replace_file
from veer.store.writer import store_error
from veer.wire.shared import Shared

FOLDER = "campaign"
INDEX = "campaign.json"
SCHEMA = 3
_EXTENT = struct.Struct("<QQ")


class Memory(Protocol):
    """Something whose bytes are kept: a shared memory, an array."""

    def extents(self) -> Iterator[tuple[int, memoryview]]:
        """The parts that were ever written, as (offset, bytes), ascending."""
        ...


class Flat:
    """Bytes that are one extent."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def extents(self) -> Iterator[tuple[int, memoryview]]:
        """See Memory."""
        yield 0, memoryview(self._data)


class Part(msgspec.Struct, frozen=True):
    """A file of one memory; `state` is what its search keeps outside of it."""

    name: str
    size: int
    checksum: int
    state: dict[str, Any] = {}


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
    paths: Part | None = None  # identities of paths whose records were dropped, as u8


def write(file: Path, memory: Memory) -> Part:
    """Writes one memory, which nobody changes meanwhile, beside those of the generation before. Raises StoreError."""
    checksum = 0
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as handle:
            for offset, data in memory.extents():
                head = _EXTENT.pack(offset, len(data))
                checksum = zlib.crc32(data, zlib.crc32(head, checksum))
                handle.write(head)
                handle.write(data)
            return Part(file.name, handle.tell(), checksum)
    except OSError as error:
        with contextlib.suppress(OSError):
            file.unlink()
        raise store_error(file.parent, error) from error


def with_state(part: Part | str, state: Mapping[str, Any]) -> Part | str:
    """The part and what its search keeps outside of it; words on what failed stay as they are."""
    return part if isinstance(part, str) else replace(part, state=dict(state))


def commit(out: Path, campaign: SavedCampaign) -> None:
    """Makes the campaign's parts, which are written, the generation that counts. On a StoreError the last one does."""
    folder = out / FOLDER
    try:
        replace_file(folder / INDEX, msgspec.json.encode(campaign, enc_hook=str))
        _remove_others(folder, {part.name for part in (*campaign.parts, campaign.paths) if part is not None})
    except OSError as error:
        raise store_error(out, error) from error


def is_there(out: Path) -> bool:
    """Whether DIR holds a campaign that could go on."""
    return (out / FOLDER / INDEX).is_file()


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
    except (*UNREADABLE, ValueError, TypeError) as error:
        raise UsageError(f"{file} is damaged ({error}): start the campaign anew, without --resume") from error
    if (campaign.schema, campaign.made_by) != (SCHEMA, made_by):
        raise UsageError(f"{out} was saved by another version of veer: start the campaign anew, without --resume")
    if campaign.directory != str(Path.cwd()):
        there = _on_one_line(campaign.directory)
        raise UsageError(f"the campaign in {out} was started in {there}: resume it from there")
    return campaign


def load(out: Path, part: Part) -> Shared:
    """The shared memory of a part; the caller closes it. Raises UsageError when the file is damaged."""
    shared = Shared()
    try:
        for offset, data in _extents(out / FOLDER / part.name, part):
            shared.load(offset, data)
    except (UsageError, ExecutorError) as error:
        shared.close()
        if isinstance(error, UsageError):
            raise
        raise _damaged(out / FOLDER / part.name, str(error)) from error
    return shared


def load_bytes(out: Path, part: Part | None) -> bytes:
    """What was kept as Flat; nothing of None. Raises UsageError when the file is damaged."""
    if part is None:
        return b""
    return b"".join(data for _, data in _extents(out / FOLDER / part.name, part))


def _extents(file: Path, part: Part) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as handle:
            if os.fstat(handle.fileno()).st_size != part.size:
                raise ValueError("its length is wrong")
            checksum = 0
            while head := handle.read(_EXTENT.size):
                offset, length = _EXTENT.unpack(head)
                data = handle.read(min(length, part.size))
                checksum = zlib.crc32(data, zlib.crc32(head, checksum))
                yield offset, data
            if checksum != part.checksum:
                raise ValueError("its checksum is wrong")
    except (OSError, ValueError, struct.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _damaged(file, why) from error


def _damaged(file: Path, why: str) -> UsageError:
    return UsageError(f"{_on_one_line(file)} is damaged ({why}): start the campaign anew, without --resume")


def _on_one_line(name: str | Path) -> str:
    """A name that a file says, with escapes for line ends and other characters that are not shown."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(name))


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
