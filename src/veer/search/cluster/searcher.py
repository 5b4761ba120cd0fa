"""A process that searches parts for a coordinator far away: `python -m veer.search.cluster.searcher DESCRIPTOR`.

It speaks letters (letters.py) through the socket that it inherits, and answers between two rounds. It is a process of
its own, and not a thread of whatever carries the letters: a search starts processes, and its solvers hold the
interpreter's lock.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from multiprocessing.connection import Connection

import numpy as np

from veer.execution.limits import die_with
from veer.model.ending import EndingKind
from veer.model.errors import ExecutorError
from veer.model.searchoptions import ALL_PATHS
from veer.model.values import replace
from veer.search.cluster.commits import final, half_of, sent
from veer.search.cluster.letters import (
    Broke,
    Commit,
    Files,
    Lacking,
    Letter,
    Look,
    Start,
    Told,
    found_of,
    packed,
    read,
    unpacked,
    written,
)
from veer.search.cluster.store import NodeStore
from veer.search.compaction import tree_memory
from veer.search.memory import deepest_first
from veer.search.parallel.encoding import PlainPart, restored_part
from veer.search.parallel.part import Part
from veer.search.parallel.protocol import Errand
from veer.search.parallel.worker import search_of

_FIRST = 0.5  # seconds to the first commit: where searchers die often, something must be left of each
_PAUSE = 0.1  # seconds between two answers while nothing happens
_COST = 25  # a commit takes at most one part in so many of the time


class PartSearch:
    """The search of one part; `run` once. Letters that come meanwhile are answered."""

    def __init__(self, wire: Connection, start: Start, errand: Errand, note: str) -> None:
        """Takes the part into a memory of its own. Raises ExecutorError for one that is damaged."""
        self._wire = wire
        self._errand = errand
        self._note = note
        self._edge_count = 2 * len(errand.program.sites)
        self._part: Part = restored_part(unpacked(start.part, PlainPart))
        self._part.settle()
        self._part.shared.options.start_nanoseconds = max(0, time.monotonic_ns() - start.age)
        self._deadline = time.monotonic() + errand.options.budget
        self._state: dict[str, object] = {}
        self._least = start.commits
        self._due = time.monotonic() + min(start.commits, _FIRST)
        self._looked: Look | None = Look()  # a letter that is not answered yet: first the one with the part
        self._answered = 0.0
        self._splits = False
        self._edges = self._reports = b""

    def run(self) -> None:
        """Searches to an ending, and tells of it."""
        try:
            kind: EndingKind | None = None
            while kind is None:
                with search_of(self._errand_now(), self._part.shared) as search:
                    search.restore(self._state)
                    kind = search.search(self._between_rounds)
                    self._state = search.state()
                self._commit(kind)
        finally:
            self._part.shared.close()

    def _errand_now(self) -> Errand:
        left = max(0.001, self._deadline - time.monotonic())
        options = replace(self._errand.options, budget=left)
        is_tight = 0 < options.waiting_memory < tree_memory(self._part.shared)
        return replace(self._errand, options=deepest_first(options) if is_tight else options)

    def _between_rounds(self, open_branches: int) -> bool:
        """Answers letters; whether the search is to pause for a commit."""
        now = time.monotonic()
        while self._looked is None and self._wire.poll():
            self._heed(read(self._wire.recv_bytes()))
        if self._looked is None:
            return False
        if (self._splits and open_branches >= 2) or now >= self._due:
            return True
        if now - self._answered >= _PAUSE:
            self._answer(self._told(open_branches))
        return False

    def _heed(self, letter: Letter) -> None:
        assert isinstance(letter, Look)
        self._looked = letter
        if letter.edges:
            self._part.tell(np.frombuffer(letter.edges, np.uint8))
        self._splits |= letter.splits
        if letter.stops:
            self._part.shared.command.stop = 1

    def _answer(self, letter: Letter) -> None:
        self._wire.send_bytes(written(letter))
        self._looked, self._answered = None, time.monotonic()

    def _told(self, open_branches: int) -> Told:
        status = self._part.status()
        edges, reports = status.edges.tobytes(), status.reports.tobytes()
        told = Told(
            status.runs,
            status.paths,
            status.news,
            open_branches,
            edges if edges != self._edges else None,
            reports if reports != self._reports else None,
        )
        self._edges, self._reports = edges, reports
        return told

    def _commit(self, kind: EndingKind | None) -> None:
        """Tells what is final, and goes on behind that."""
        began = time.monotonic()
        while self._looked is None:  # an answer needs a letter
            self._heed(read(self._wire.recv_bytes()))
        is_spent = kind is EndingKind.EXHAUSTED
        all_paths = self._errand.options.criterion in ALL_PATHS
        found, self._part = final(self._part, self._edge_count, all_paths=all_paths)
        gift = half_of(self._part, self._edge_count) if self._splits and kind is None else None
        self._splits = False
        shared = self._part.shared
        letter = Commit(
            [found_of(each) for each in found],
            None if is_spent else packed(sent(self._part)),
            packed(sent(gift)) if gift is not None else None,
            kind,
            dict(self._state),
            shared.counts.runs,
            self._part.open_branches(),
            shared.published("edge_seen").tobytes(),
            self._note,
        )
        if gift is not None:
            gift.shared.close()
        self._answer(letter)
        now = time.monotonic()
        self._due = now + max(self._least, _COST * (now - began))


class Searcher:
    """Searches one part after the other, until nobody is there any more."""

    def __init__(self, wire: Connection, store: NodeStore | None = None) -> None:
        """`store`: None = the one of this node."""
        self._wire = wire
        self._store = store or NodeStore()

    def serve(self) -> None:
        """Raises EOFError, OSError when the other side has gone."""
        while True:
            try:
                self._take(read(self._wire.recv_bytes()))
            except (EOFError, OSError):
                raise
            except Exception as error:  # whatever it is, the coordinator must know
                self._wire.send_bytes(written(Broke(f"on {os.uname().nodename}: {type(error).__name__}: {error}")))

    def _take(self, letter: Letter) -> None:
        if isinstance(letter, Files):
            self._store.put(letter.contents)
            self._wire.send_bytes(written(Lacking(())))
        elif isinstance(letter, Start):
            if lacking := self._store.lacking(letter.digests):
                self._wire.send_bytes(written(Lacking(lacking)))
                return
            errand, note = self._store.errand(letter.errand, letter.digests)
            PartSearch(self._wire, letter, errand, note).run()
        elif isinstance(letter, Look):  # of a search that is over: its commit crossed it
            self._wire.send_bytes(written(Told(0, 0, 0, 0)))
        else:
            raise ExecutorError(f"a searcher was sent {type(letter).__name__}, which is an answer")


def main() -> None:
    """Until the other side, or who started it, has gone."""
    die_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Searcher(Connection(int(sys.argv[1]))).serve()
    except (EOFError, OSError):
        return


if __name__ == "__main__":
    main()
