"""The same search by Ray, by Dask and by bare processes, and what a letter costs each:
python bench/cluster_transports.py [--jobs 2] [--letters 200] [NAME=SIZE].

Dask must be installed beside Ray: pip install distributed.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from cluster import searched
from common import Printer

from veer.model.searchoptions import SearchOptions
from veer.search.cluster import workers
from veer.search.cluster.dispatch import PROCESSES, RAY, Dispatch
from veer.search.cluster.letters import Look, written
from veer.search.cluster.transport import LOCAL

_DASK = "dask_transport:DaskTransport"


def letters(dispatch: Dispatch, count: int, size: int) -> float:
    """Milliseconds for a letter of so many bytes to an idle searcher and its answer."""
    seat, waits, began, done = dispatch.open(), True, 0.0, 0
    letter = written(Look(edges=os.urandom(size)))
    while done <= count:
        for message in dispatch.messages(1.0):
            if message[0] == "opened" or (message[0] == "answer" and message[2]):
                done += not waits
                waits = False
                began = began or (time.perf_counter() if done else 0.0)
                dispatch.send(seat, letter)
            elif message[0] == "answer":
                dispatch.send(seat, b"")
    seconds = time.perf_counter() - began
    dispatch.discard(seat)
    return 1e3 * seconds / max(1, done - 1)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", default="regexp=11")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--letters", type=int, default=200)
    given = parser.parse_args()
    name, _, size = given.name.partition("=")
    columns = (("transport", 10), ("start s", 8), ("10 B ms", 8), ("10 kB ms", 9), ("1 MB ms", 8))
    table = Printer((*columns, ("found", 24), ("search s", 9), ("processor s", 11)))
    os.environ["PYTHONPATH"] = f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}"
    for title, transport in (("processes", PROCESSES), ("Ray", RAY), ("Dask", _DASK)):
        environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(16).hex(), "RAY_USAGE_STATS_ENABLED": "0"}
        began = time.perf_counter()
        dispatch = Dispatch(transport, LOCAL, given.jobs, environment)
        dispatch.require()
        start = time.perf_counter() - began
        costs = [
            letters(dispatch, max(5, given.letters // (1 + size // 100_000)), size) for size in (10, 10_000, 1 << 20)
        ]
        workers.dispatch_of = lambda *_, own=dispatch: own  # type: ignore[assignment]
        one = searched(name, int(size), SearchOptions(budget=300.0, jobs=given.jobs, workers="searchers"))
        dispatch.close()
        cells = (*(f"{each:.2f}" for each in costs), one.found, f"{one.seconds:.1f}", f"{one.processor:.1f}")
        table.row((title, f"{start:.1f}", *cells))
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")


if __name__ == "__main__":
    main()
