"""What goes to and fro between a search and a fuzzer's folder: each input once, however often it is there."""

from __future__ import annotations

import hashlib
import heapq
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from veer.campaign.fuzzers import Fuzzer
from veer.model.errors import StoreError
from veer.search.exchange import Given
from veer.search.existing import Existing

MOST_BYTES = 1 << 16
"""Of an input. What is longer is left out."""
_AT_ONCE = 4
_SCAN = 1.0  # seconds from one look at the folders to the next
_SHARE_OF_SCANS = 20  # of the time all looks together take one part at most
_MOMENT = 0.2
_DIGEST = 8  # bytes: what is known of an input that was seen

Say = Callable[[Path, Given], None]


class BesideFuzzer:
    """The exchange with a fuzzer (search/exchange.py). `say` is told of each input that was written. `waits`: a search
    that has nothing left to do waits for more inputs."""

    def __init__(self, fuzzer: Fuzzer, say: Say, *, waits: bool = True) -> None:
        self._fuzzer = fuzzer
        self._waits = waits
        self._say = say
        self._seen: set[int] = set()  # files, by what their paths hash to
        self._known: set[bytes] = set()  # contents
        self._waiting: list[tuple[int, str]] = []  # a heap: sizes and paths
        self._young: list[tuple[int, str]] = []  # files that the last look found first
        self._next_scan = 0.0
        self.taken = self.given = self.bugs = self.refusals = self.too_long = 0

    def longest(self) -> int:
        """Bytes of the longest input that is there at the beginning."""
        self._scan()
        return max((size for size, _ in self._waiting), default=0)

    def arrived(self) -> Sequence[Existing]:
        """See Exchange: the shortest first."""
        now = time.monotonic()
        if now >= self._next_scan:
            self._scan()
            cost = time.monotonic() - now
            self._next_scan = time.monotonic() + max(_SCAN, _SHARE_OF_SCANS * cost)
        found: list[Existing] = []
        while self._waiting and len(found) < _AT_ONCE:
            _, path = heapq.heappop(self._waiting)
            data = _read(path)
            if data is not None and self._is_new(data):
                found.append(Existing(Path(path).name, data))
        self.taken += len(found)
        return found

    def refused(self, existing: Existing) -> None:
        """See Exchange."""
        self.refusals += 1

    def give(self, given: Given) -> None:
        """See Exchange."""
        if not given.data or not self._is_new(given.data):  # every fuzzer begins without any byte
            return
        try:
            file = self._fuzzer.put(given)
        except OSError as error:
            place = self._fuzzer.place
            raise StoreError(
                f"{place} cannot be written: {error.strerror or error}; mend that, and call again"
            ) from None
        self._seen.add(hash(str(file)))
        self.given += not given.is_bug
        self.bugs += given.is_bug
        self._say(file, given)

    def wait(self) -> bool:
        """See Exchange."""
        if self._waits:
            time.sleep(_MOMENT)
        return self._waits or bool(self._waiting)

    def _scan(self) -> None:
        """Looks for new files. One that the last look found is read again where it has grown since: its fuzzer was
        writing it then."""
        for size, path in self._young:
            if _size(path) not in (size, None):
                self._take(path)
        self._young = []
        for entry in self._entries():
            key = hash(entry.path)
            if key not in self._seen:
                self._seen.add(key)
                self._take(entry.path)

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        try:
            yield from self._fuzzer.inputs()
        except OSError as error:
            raise StoreError(
                f"{self._fuzzer.place} cannot be read any more: {error.strerror or error}; mend that, and call again"
            ) from None

    def _take(self, path: str) -> None:
        size = _size(path)
        if size is None:
            return
        self._young.append((size, path))
        if size > MOST_BYTES:
            self.too_long += 1
        elif size:
            heapq.heappush(self._waiting, (size, path))

    def _is_new(self, data: bytes) -> bool:
        """Whether nobody had this content before; it is known from now on."""
        digest = hashlib.blake2b(data, digest_size=_DIGEST).digest()
        is_new = digest not in self._known
        self._known.add(digest)
        return is_new


def _size(path: str) -> int | None:
    """Bytes of a file; None: it is gone."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return None


def _read(path: str) -> bytes | None:
    """What a file holds; None: it is gone, or has become too long."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError:
        return None
    return data if len(data) <= MOST_BYTES else None
