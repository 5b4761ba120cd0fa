"""NULL pointers of tests that lead to objects of their own instead, where that shows and nothing else changes.

    push(head = NULL, 3)      result->next is NULL, whatever the unit stores there
    push(head = &node, 3)     result->next is head

A pointer that the run never followed is NULL as the search makes it. A test with an object there, which takes the same
branches, notices what becomes of the pointer: that it is stored, returned, or freed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from veer.findings.deadline import Deadline
from veer.findings.probes import TOLD, Probes, last_input

_FRESH = 1
_MOST_PROBES = 500  # of a campaign
_MOST_SECONDS = 0.5
_MOST_POINTERS = 8  # of a test


def pointed(
    probes: Probes, inputs: Mapping[int, bytes], stopped: Callable[[], bool], deadline: Deadline
) -> dict[int, bytes]:
    """The inputs by path, some of them with objects in the place of NULL; each takes the branches that it took."""
    deadline = deadline.usually(_MOST_SECONDS)
    probes.allow(_MOST_PROBES, deadline)
    found = dict(inputs)
    for path, data in inputs.items():
        if stopped() or probes.left <= 0 or deadline.is_over:
            break
        found[path] = _pointed(probes, data)
    return found


def _pointed(probes: Probes, data: bytes) -> bytes:
    path = probes.path_of(data)
    if path is None or path.outcome not in TOLD:
        return data
    shown, edges = probes.shown(), probes.edges()
    for offset in probes.null_pointers(data)[:_MOST_POINTERS]:
        grown = data.ljust(offset + 1, b"\0")
        made = grown[:offset] + bytes((_FRESH,)) + grown[offset + 1 :]
        there = probes.path_of(made)
        if there is None or there[1:] != path[1:] or probes.edges() != edges:
            continue
        if (other := probes.shown()) != shown:
            data, shown = last_input(probes.shared), other
    return data
