"""A worker that has nothing but bytes: `python -m veer.search.parallel.standalone < task > outcome`.

A node of a cluster does this, or calls `searched`. The program's executable and the engine's library are found where
the errand says: on a file system that all nodes see.
"""

from __future__ import annotations

import contextlib
import sys

from veer.model.ending import EndingKind
from veer.model.searchoptions import ALL_PATHS
from veer.search.explorer import never
from veer.search.parallel.encoding import Outcome, decoded_task, encoded_outcome
from veer.search.parallel.findings import findings_of
from veer.search.parallel.worker import search_of


def searched(task: bytes) -> bytes:
    """Searches the part to an ending; what it found. Raises ExecutorError."""
    part, errand = decoded_task(task)
    with contextlib.closing(part.shared):
        part.settle()
        with search_of(errand, part.shared) as search:
            kind = search.search(never)
            assert kind is not None  # nobody pauses it
            state = search.state()
        if kind is not EndingKind.EXHAUSTED:
            return encoded_outcome(Outcome(kind, state, part=part))
        all_paths = errand.options.criterion in ALL_PATHS
        found = findings_of(part, 2 * len(errand.program.sites), all_paths=all_paths)
        return encoded_outcome(Outcome(kind, state, tuple(found)))


if __name__ == "__main__":
    sys.stdout.buffer.write(searched(sys.stdin.buffer.read()))
