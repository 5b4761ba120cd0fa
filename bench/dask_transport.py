"""Dask as the transport of a cluster (src/veer/search/cluster/transport.py): what Ray is measured against (0503)."""

from __future__ import annotations

import os
from typing import Any

from distributed import Client, LocalCluster

from veer.search.cluster.transport import LOCAL, LostError, SearcherProcess

_SILENCE = 21.0


class _Actor:
    """What Dask runs on a worker."""

    def __init__(self) -> None:
        self._searcher = SearcherProcess()

    def node(self) -> str:
        """The machine's name."""
        return self._searcher.node

    def exchange(self, letter: bytes) -> bytes:
        """See Seat."""
        return self._searcher.exchange(letter)


class DaskSeat:
    """See Seat."""

    def __init__(self, client: Any, worker: str) -> None:
        """An actor on this worker."""
        self._future = client.submit(_Actor, actor=True, workers=[worker], pure=False)
        self._actor = self._future.result()
        self.node = str(self._actor.node().result())

    def exchange(self, letter: bytes) -> bytes:
        """See Seat."""
        try:
            return bytes(self._actor.exchange(letter).result(timeout=_SILENCE))
        except Exception as error:  # of an actor that is gone Dask says ValueError, TimeoutError, CommClosedError
            raise LostError(f"the searcher on {self.node} is gone") from error

    def close(self) -> None:
        """See Seat."""
        self._future.cancel()


class DaskTransport:
    """See Transport: "local" starts workers of this machine."""

    def __init__(self, address: str, jobs: int) -> None:
        """Joins, or starts, the cluster."""
        self._own = None
        if address == LOCAL:
            many = jobs or len(os.sched_getaffinity(0))
            self._own = LocalCluster(
                n_workers=many, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
            )
        self._client = Client(self._own or address)
        self._workers = sorted(self._client.scheduler_info(n_workers=-1)["workers"])
        self.processors = len(self._workers)
        self.address = str(self._client.scheduler.address)
        self._opened = 0

    def open(self) -> DaskSeat:
        """See Transport."""
        self._opened += 1
        return DaskSeat(self._client, self._workers[self._opened % len(self._workers)])

    def close(self) -> None:
        """See Transport."""
        self._client.close()
        if self._own is not None:
            self._own.close()
