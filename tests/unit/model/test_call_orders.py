"""What is known of the calls of a sequence: where their results lie in its log, in which order they come."""

from __future__ import annotations

import struct

from veer.model.ownstruct import Making
from veer.model.sequence import Callee, CallSequence, Pool, call_orders, read_calls, result_places

NEW, ADD, TOP = range(3)
SEQUENCE = CallSequence(
    "new,{add,top}",
    (Pool("list", 0, 1, Making.RETURNED), Pool("box", 2, 3, Making.ZEROS)),
    (
        Callee("new", (), 1, 8, makes=0),
        Callee("add", (0, -1), 4, 4),
        Callee("top", (0,), 5, 8),
    ),
)
LOG = b"".join(
    (
        struct.pack("<I", 1),  # the box
        struct.pack("<IQI", NEW, 1, 1),
        struct.pack("<IIi", ADD, 1, -7),
        struct.pack("<IIi", ADD, 1, 9),
        struct.pack("<IIQ", TOP, 1, 0x2000_0040),
    )
)


def test_the_places_of_results_are_those_that_are_read() -> None:
    calls = read_calls(SEQUENCE, LOG)
    assert [call.callee for call in calls] == [NEW, ADD, ADD, TOP]
    for place, call in zip(result_places(SEQUENCE, calls), calls, strict=True):
        assert call.result and LOG[place : place + len(call.result)] == call.result


def test_orders_are_pairs_and_what_comes_behind_two_calls_with_inputs() -> None:
    calls = read_calls(SEQUENCE, LOG)
    assert call_orders(SEQUENCE, calls) == {(-1, NEW), (NEW, ADD), (ADD, ADD), (ADD, TOP), (ADD, ADD, TOP)}
    assert call_orders(SEQUENCE, calls[:1]) == {(-1, NEW)}
    assert call_orders(None, calls) == frozenset()


def test_a_call_that_does_not_return_is_in_no_order() -> None:
    cut = read_calls(SEQUENCE, LOG[: -struct.calcsize("<Q")])
    assert cut[-1].result is None
    assert (ADD, TOP) not in call_orders(SEQUENCE, cut)
