"""Workers of a cluster: each part is in the hands of a searcher on some node, which letters go to (letters.py).

What counts is here: the part as it was at the last commit. A searcher that is lost is replaced by the coordinator,
which goes on from there; when the cluster itself is lost, processes of this machine go on.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import partial

from veer.model.errors import ExecutorError, UsageError
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.cluster.dispatch import PROCESSES, RAY, Dispatch, dispatch_of
from veer.search.cluster.farworker import FarWorker
from veer.search.cluster.letters import Broke, Digests, Files, Lacking, Letter, read, written
from veer.search.cluster.store import contents_of, digests_of
from veer.search.cluster.transport import LOCAL
from veer.search.parallel.part import Part
from veer.search.parallel.process import LocalWorkers
from veer.search.parallel.protocol import Errand, Worker

_MOST_LOSSES = 1000
_MOST_EMPTY_LOSSES = 5  # seats in a row that were lost before they answered,
_MOST_LATER = 50  # where others have answered before


class _Seat:
    """One seat as the campaign knows it: its node, once it is there, and who has it."""

    def __init__(self) -> None:
        self.node = ""
        self.worker: FarWorker | None = None
        self.is_asked = False  # a letter is under way
        self.is_new = True  # nobody has answered from it yet


class ClusterWorkers:
    """See Workers. Seats are opened as they are needed, and again when they are lost."""

    most_deaths = 20  # nodes have reasons of their own

    def __init__(self, dispatch: Dispatch, options: SearchOptions) -> None:
        """`options.jobs`: how many searchers at most; 0: as many as the cluster has processors. Raises UsageError when
        there is no cluster."""
        lost = ""
        try:
            dispatch.require()
        except UsageError as error:
            if not options.joins_late:
                raise
            lost = str(error)  # it was there when this began, and what was found is not given up
        self._dispatch, self._options = dispatch, options
        self.most = options.jobs or max(1, dispatch.processors)
        self._seats: dict[int, _Seat] = {}
        self._sending: dict[str, int] = {}  # node → the seat by which files are under way to it
        self._digests: Digests | None = None
        self._at_home: LocalWorkers | None = None
        self._losses = self._empty_losses = 0
        self._has_answered = False
        self._nodes: set[str] = set()
        self._notes: dict[str, None] = {}
        for _ in range(self.most):
            self._open()
        if lost:
            self._go_home(lost)

    def notes(self) -> tuple[str, ...]:
        """See Workers."""
        return tuple(self._notes)

    def room(self) -> int:
        """See Workers."""
        if self._at_home is not None:
            return self.most
        return sum(1 for seat in self._seats.values() if seat.node and seat.worker is None)

    def submit(self, part: Part, errand: Errand) -> Worker:
        """See Workers."""
        if self._at_home is not None:
            return self._at_home.submit(part, errand)
        number, seat = next((n, seat) for n, seat in self._seats.items() if seat.node and seat.worker is None)
        self._digests = self._digests or digests_of(errand)
        worker = seat.worker = FarWorker(part, errand)
        worker.on_close = partial(self._leave, number)
        if seat.node not in self._sending:
            self._send(number, worker.start(self._digests))
        return worker

    def wait(self, workers: Sequence[Worker], seconds: float) -> Sequence[Worker]:
        """See Workers."""
        if not _over(workers):
            self._take(seconds if self._at_home is None else 0.0)
        over = _over(workers)
        near = [each for each in workers if not isinstance(each, FarWorker)]
        if self._at_home is not None and (near or not over):
            over = [*over, *self._at_home.wait(near, 0.0 if over else seconds)]
        return over

    def close(self) -> None:
        """See Workers. The cluster stays, for the next search of this process."""
        for number in list(self._seats):
            self._dispatch.discard(number)
        self._seats.clear()

    # -- seats ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._seats[self._dispatch.open()] = _Seat()

    def _leave(self, number: int) -> None:
        """The worker of this seat is done with; one that still searches is ended with its seat."""
        seat = self._seats.get(number)
        if seat is None or seat.worker is None:
            return
        is_idle = seat.worker.ended is not None
        seat.worker = None
        if not is_idle:
            self._dispatch.discard(number)
            self._drop(number)

    def _drop(self, number: int) -> None:
        """A seat that is gone, and another one in its place."""
        seat = self._seats.pop(number)
        self._files_are_there(number, seat.node)
        if seat.worker is not None:
            seat.worker.is_lost = True
            seat.worker.on_close = lambda: None
        if self._losses < _MOST_LOSSES:
            self._open()

    def _take(self, seconds: float) -> None:
        """Takes what the courier says; when it is gone, what is left is searched here."""
        try:
            messages = self._dispatch.messages(seconds)
        except ExecutorError as error:
            self._go_home(str(error))
            return
        for message in messages:
            match message:
                case ("opened", int(number), str(node)) if number in self._seats:
                    self._seats[number].node = node
                    self._nodes.add(node)
                case ("answer", int(number), bytes(answer)) if number in self._seats:
                    self._answered(number, answer)
                case ("lost", int(number), str(why)) if number in self._seats:
                    self._lost(number, why)

    def _lost(self, number: int, why: str) -> None:
        self._losses += 1
        self._empty_losses = self._empty_losses + 1 if self._seats[number].is_new else 0
        self._drop(number)
        most = _MOST_LATER if self._has_answered else _MOST_EMPTY_LOSSES
        if self._empty_losses >= most and all(seat.is_new for seat in self._seats.values()):
            self._go_home(f"no searcher could be started: {why}")

    def _go_home(self, why: str) -> None:
        """The rest is searched by processes of this machine."""
        if self._at_home is None:
            self._notes[f"{why}; the search went on with processes of this machine"] = None
            self._at_home = LocalWorkers(self._options)
        for seat in self._seats.values():
            if seat.worker is not None:
                seat.worker.is_lost = True
                seat.worker.on_close = lambda: None
        self._seats.clear()

    # -- letters ----------------------------------------------------------------------------------------------

    def _send(self, number: int, letter: Letter) -> None:
        self._dispatch.send(number, written(letter))
        self._seats[number].is_asked = True

    def _answered(self, number: int, answer: bytes) -> None:
        """An answer, and the next letter."""
        seat = self._seats[number]
        self._empty_losses, self._has_answered = 0, True
        if not answer:
            self._dispatch.send(number, b"")  # it is still at work on the last letter
            return
        seat.is_asked = seat.is_new = False
        letter = read(answer)
        if isinstance(letter, Lacking):
            self._lacks(number, letter)
            return
        worker = seat.worker
        if worker is None:
            return
        if isinstance(letter, Broke):
            self._notes[f"a searcher failed {letter.why}"] = None
            self._dispatch.discard(number)
            self._drop(number)
            return
        worker.hear(letter)
        for note in worker.notes:
            self._notes[note] = None
        if worker.ended is None:
            self._send(number, worker.look())

    def _lacks(self, number: int, letter: Lacking) -> None:
        """Files go to each node once, whatever number of its searchers ask for them."""
        seat = self._seats[number]
        assert self._digests is not None
        if seat.worker is None:
            return
        if not letter.digests:
            self._files_are_there(number, seat.node)
            self._send(number, seat.worker.start(self._digests))
        elif self._sending.setdefault(seat.node, number) == number:
            self._send(number, Files(contents_of(seat.worker.errand, letter.digests)))

    def _files_are_there(self, number: int, node: str) -> None:
        """Those of the node that waited for its files begin."""
        if self._sending.get(node) != number:
            return
        del self._sending[node]
        for other, seat in self._seats.items():
            if other != number and seat.node == node and seat.worker is not None and not seat.is_asked:
                assert self._digests is not None
                self._send(other, seat.worker.start(self._digests))


def _over(workers: Sequence[Worker]) -> list[Worker]:
    return [each for each in workers if isinstance(each, FarWorker) and (each.ended is not None or each.is_lost)]


def by_ray(options: SearchOptions) -> ClusterWorkers:
    """The workers of `--cluster`. Raises UsageError when there is no Ray, or no cluster."""
    return ClusterWorkers(_ray(options), options)


def by_searchers(options: SearchOptions) -> ClusterWorkers:
    """The same without Ray: each searcher is a process of this machine."""
    return ClusterWorkers(dispatch_of(PROCESSES, "this machine", options.jobs), options)


def gather(options: SearchOptions) -> Callable[[], None]:
    """Begins to join the cluster, if there is to be one: that takes seconds. What comes back waits for it, and raises
    UsageError when there is none; so does this where Ray is not installed."""
    joins_now = options.cluster and options.workers == "processes" and not options.joins_late
    return _ray(options).require if joins_now else lambda: None


def gathered(options: SearchOptions) -> SearchOptions:
    """The options of several campaigns that are to share a cluster, which is there until this process ends.

    Raises UsageError as `gather` does.
    """
    if not options.cluster:
        return replace(options, jobs=options.jobs or len(os.sched_getaffinity(0)))
    dispatch = _ray(options)
    dispatch.require()
    os.environ.update(dispatch.environment)  # forks join with the same token
    jobs = options.jobs or max(1, dispatch.processors)
    return replace(options, cluster=dispatch.joined_by, jobs=jobs, joins_late=True)


def _ray(options: SearchOptions) -> Dispatch:
    if importlib.util.find_spec("ray") is None:
        raise UsageError("--cluster needs Ray, which is not installed: run `pip install 'veer-test[cluster]'`")
    return dispatch_of(RAY, options.cluster or LOCAL, options.jobs)
