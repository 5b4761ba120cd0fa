"""The files of `--seeds`: what fuzzers and KLEE leave behind, and any file of bytes, as inputs that a search begins
with.

A folder is read with its folders, so that AFL++'s and libFuzzer's, KLEE's and veer's own (`--format corpus`) can be
named as they are. Hidden files and what AFL++ writes about itself are no inputs.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from veer.model.errors import UsageError
from veer.search.existing import Existing

_MOST_BYTES = 1 << 16
_MOST_FILES = 1 << 12
_OF_FUZZERS = frozenset(
    ("README.txt", "cmdline", "fuzz_bitmap", "fuzzer_setup", "fuzzer_stats", "plot_data", "target_hash", "run.stats")
)
_OF_KLEE = frozenset((".err", ".info", ".kquery", ".ll", ".istats", ".stats", ".txt"))
"""Beside .ktest files."""
_MAGIC = b"KTEST"


def existing_inputs(names: Iterable[str]) -> tuple[Existing, ...]:
    """The inputs in these files and folders, the shortest first, each once.

    Raises UsageError for what cannot be read, holds no input, is longer than 64 KiB, or for more than 4,096 inputs.
    """
    found: dict[bytes, Existing] = {}
    for name in names:
        try:
            files = list(_files(Path(name)))
        except OSError as error:
            raise UsageError(
                f"--seeds {name} cannot be read: {error.strerror}; give a folder with inputs, or a file"
            ) from error
        if not files:
            raise UsageError(f"--seeds {name}: there is no file in it; name a folder with inputs, or a file")
        for file in files:
            data = _read(file)
            found.setdefault(data, _existing(file, data))
            if len(found) > _MOST_FILES:
                raise UsageError(
                    f"--seeds {name}: there are more than {_MOST_FILES:,} inputs; minimise the corpus first"
                )
    return tuple(found[data] for data in sorted(found, key=lambda data: (len(data), found[data].name)))


def digest_of(inputs: Iterable[Existing]) -> str:
    """What tells these inputs from others."""
    known = hashlib.sha256()
    for each in inputs:
        for part in (each.data, *(part for name, data in each.objects for part in (name.encode(), data))):
            known.update(struct.pack(">Q", len(part)) + part)
    return known.hexdigest()


def longest(inputs: Iterable[Existing]) -> int:
    """Bytes of the longest string of bytes."""
    return max((len(part) for each in inputs for part in (each.data, *(data for _, data in each.objects))), default=0)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    children = sorted(each for each in path.iterdir() if not each.name.startswith("."))
    is_klees = any(each.suffix == ".ktest" for each in children)
    for each in children:
        if each.is_dir() and not each.is_symlink():
            yield from _files(each)
        elif each.is_file() and each.name not in _OF_FUZZERS and not (is_klees and _is_klees_own(each)):
            yield each


def _is_klees_own(file: Path) -> bool:
    return file.suffix in _OF_KLEE or file.name in ("info", "messages.txt", "warnings.txt")


def _read(file: Path) -> bytes:
    if file.exists() and not file.is_file():
        raise UsageError(f"--seeds {file} is neither a file nor a folder")
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"--seeds {file} cannot be read: {error.strerror or error}") from error
    if len(data) > _MOST_BYTES:
        raise UsageError(f"--seeds {file} is longer than {_MOST_BYTES:,} bytes: leave it out, or shorten it")
    return data


def _existing(file: Path, data: bytes) -> Existing:
    if not data.startswith(_MAGIC):
        return Existing(file.name, data)
    try:
        return Existing(file.name, objects=tuple(_ktest_objects(data)))
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"--seeds {file} begins as a .ktest file, but is none: it is damaged") from error


def _ktest_objects(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The objects of a .ktest file (suite/c/ktest.py has the format). Raises ValueError, struct.error."""
    at = len(_MAGIC)

    def number() -> int:
        nonlocal at
        (value,) = struct.unpack_from(">I", data, at)
        at += 4
        return int(value)

    def block() -> bytes:
        nonlocal at
        size = number()
        if size > len(data) - at:
            raise ValueError(size)
        at += size
        return data[at - size : at]

    version = number()
    for _ in range(number()):
        block()
    if version >= 2:
        number(), number()  # symbolic arguments: their count and length
    for _ in range(number()):
        name = block().decode()
        yield name, block()
