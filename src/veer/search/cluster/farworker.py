"""One part in the hands of a searcher far away: what is known of it here, and what the next letter to it says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.values import replace
from veer.search.cluster.letters import (
    Commit,
    Digests,
    Letter,
    Look,
    Start,
    Told,
    findings_in,
    packed,
    unpacked,
)
from veer.search.cost import RUN
from veer.search.parallel.encoding import PlainPart, plain_part, restored_findings, restored_part
from veer.search.parallel.findings import Findings
from veer.search.parallel.part import Part, Status
from veer.search.parallel.protocol import Delivery, Ended, Errand, Write
from veer.wire.layout import REPORT

COMMIT_SECONDS = 2.0
"""Between two commits of one searcher, at least."""
_MEMORY = 256 << 20  # bytes of a searcher's tree and of what it knows: beyond that finished subtrees become counts
_WAITING = 12 << 20  # bytes of what waits, which commits have: beyond that the deepest branch comes first


class FarWorker:
    """See Worker. Letters are sent by ClusterWorkers, which hands the answers to `hear`."""

    def __init__(self, part: Part, errand: Errand) -> None:
        """Takes the part, whose memory is closed when a later state of it takes its place."""
        self._part: Part | None = part
        self._packed: bytes | None = None  # of the last commit, not yet in a memory
        self.errand = errand
        self.ended: Ended | None = None
        self.is_lost = False
        self.state: Mapping[str, Any] = {}
        self.is_splitting = False
        self.notes: set[str] = set()
        self.runs = part.shared.counts.runs
        self._open_branches = part.open_branches()
        self._found: list[Findings] = []
        self._gifts: list[Part] = []
        self._covered = part.shared.published("edge_seen").copy()
        self._told_edges = self._covered.copy()
        self._reports = part.shared.published("reports").copy()
        self._status = self._nothing()
        self._splits = self._stops = self._stop_is_sent = False

    @property
    def part(self) -> Part:
        """See Worker."""
        if self._packed is not None:
            if self._part is not None:
                self._part.shared.close()
            self._part, self._packed = restored_part(unpacked(self._packed, PlainPart)), None
        assert self._part is not None
        return self._part

    def status(self) -> Status:
        """See Worker."""
        return self._status

    def open_branches(self) -> int:
        """See Worker."""
        return self._open_branches

    def tell(self, edges: npt.NDArray[np.uint8]) -> None:
        """See Worker."""
        if self.ended is None:
            self._covered |= edges
        else:
            self.part.tell(edges)

    def stop(self) -> None:
        """See Worker."""
        self._stops = True

    def split(self) -> Part | None:
        """See Worker. The half comes with a later delivery."""
        if not self.is_splitting:
            self._splits = self.is_splitting = True
        return None

    def deliver(self) -> Delivery:
        """See Worker."""
        found, gifts = self._found, self._gifts
        self._found, self._gifts = [], []
        return Delivery(tuple(found), tuple(gifts))

    def save(self, write: Write) -> None:
        """See Worker."""
        self._write: Write | None = write

    def saved(self) -> Any | None:
        """See Worker. What is saved is the part as it was at the last commit: nobody far away is asked."""
        assert self._write is not None
        return self._write(self.part.shared)

    def findings(self) -> Iterator[Findings]:
        """See Worker: all of it was delivered."""
        yield from self.deliver().findings

    def close(self) -> None:
        """See Worker."""
        self.on_close()

    on_close: Callable[[], None] = staticmethod(lambda: None)

    # -- letters ----------------------------------------------------------------------------------------------

    def start(self, digests: Digests) -> Start:
        """The letter that has the part."""
        options = self.errand.options
        small = min(options.campaign_memory, _MEMORY)
        own = replace(options, campaign_memory=small, waiting_memory=min(_WAITING, small // 4))
        errand = replace(self.errand, options=own)
        age = time.monotonic_ns() - self.part.shared.options.start_nanoseconds
        return Start(packed(plain_part(self.part)), errand, digests, age, COMMIT_SECONDS)

    def look(self) -> Look:
        """The next letter, with all that has come up meanwhile."""
        is_news = bool((self._covered > self._told_edges).any())
        letter = Look(self._covered.tobytes() if is_news else b"", self._splits, self._stops and not self._stop_is_sent)
        if is_news:
            self._told_edges = self._covered.copy()
        self._splits, self._stop_is_sent = False, self._stops
        return letter

    def hear(self, letter: Letter) -> None:
        """Takes an answer to Start or Look."""
        if isinstance(letter, Told):
            self._hear_told(letter)
        elif isinstance(letter, Commit):
            self._hear_commit(letter)

    def _hear_told(self, told: Told) -> None:
        if told.edges is not None:
            self._told_edges = np.frombuffer(told.edges, np.uint8).copy()
            self._covered |= self._told_edges
        if told.reports is not None:
            self._reports = np.frombuffer(told.reports, REPORT)
        self._open_branches = told.open_branches
        self._status = Status(told.runs, told.paths, told.news, self._covered, self._reports, RUN * told.runs)

    def _hear_commit(self, commit: Commit) -> None:
        self._found += [restored_findings(findings_in(each)) for each in commit.findings]
        if commit.gift is not None:
            self._gifts.append(restored_part(unpacked(commit.gift, PlainPart)))
        if commit.part is not None:
            self._packed = commit.part
        if commit.note:
            self.notes.add(commit.note)
        self.state, self.runs, self._open_branches = commit.state, commit.runs, commit.open_branches
        self._covered |= np.frombuffer(commit.edges, np.uint8)
        self.is_splitting = self._splits
        self._status = self._nothing()
        if commit.kind is not None:
            self.ended = Ended(commit.kind, commit.state)

    def _nothing(self) -> Status:
        return Status(0, 0, 0, self._covered, self._reports)
