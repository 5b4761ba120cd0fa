"""The tracer: inputs, pointers that are decided late, strings and buffers that end exactly."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import pytest
from tracer_process import Event, Process

from veer.wire.layout import Kind, LeafKind, Loss, Op, Outcome

Start = Callable[[str], Process]


@pytest.fixture
def start() -> Iterator[Start]:
    processes: list[Process] = []

    def starter(case: str) -> Process:
        processes.append(Process(case))
        return processes[-1]

    yield starter
    for process in processes:
        process.close()


def set_leaf(process: Process, number: int, value: int) -> bytes:
    """The last input with one leaf changed."""
    leaf = process.shared.published("leaves")[number]
    start, size = int(leaf["input_offset"]), int(leaf["width"]) // 8
    data = bytearray(process.input.ljust(start + size, b"\0"))
    data[start : start + size] = value.to_bytes(size, "little")
    return bytes(data)


def set_recorded(process: Process, index: int, value: int) -> bytes:
    """The last input with the index-th leaf of the recorded run changed."""
    return set_leaf(process, int(process.shared.region("ids")[index]), value)


def recorded(process: Process) -> list[tuple[LeafKind, int]]:
    """(kind, width) of the leaves that the run made."""
    ids = process.shared.region("ids")[: process.shared.run.run_leaf_count]
    leaves = process.shared.published("leaves")[ids]
    return [(LeafKind(int(each["kind"])), int(each["width"])) for each in leaves]


def test_a_string_ends_behind_its_nul_and_asks_for_each_character_it_touches(start: Start) -> None:
    process = start("reads_string")
    process.run()
    assert process.outcome is Outcome.BOUNDS_READ
    assert process.decisions == [("CHECK", 2, 0)]  # s[1] was touched, s[0] is NUL
    for length in (1, 2, 3, 4):
        process.run(set_recorded(process, length, ord("a")))
        expected = [("CHECK", 2, 1)] * min(length, 3) + [("CHECK", 2, 0)] * (length < 3)
        assert process.decisions == expected
        assert process.outcome is (Outcome.BOUNDS_READ if length < 3 else Outcome.RETURNED)
    assert recorded(process) == [(LeafKind.CHOICE, 64)] + [(LeafKind.CHAR, 8)] * 4


def test_existence_that_the_program_tests_itself_adds_no_decision(start: Start) -> None:
    process = start("measures_string")
    process.run()
    process.run(set_recorded(process, 1, ord("a")))
    process.run(set_recorded(process, 2, ord("b")))
    assert process.decisions == [("BRANCH", 3, 0), ("BRANCH", 3, 0), ("BRANCH", 3, 1)]
    assert process.result == struct.pack("<Q", 2)


def test_the_nul_at_the_bound_exists_only_behind_all_characters(start: Start) -> None:
    process = start("skips_string")
    process.run()
    assert process.decisions == [("CHECK", 2, 0)]
    for length in (1, 2, 3, 4):
        process.run(set_recorded(process, length, ord("a")))
        assert process.decisions == [("CHECK", 2, 1)] * length + [("CHECK", 2, 0)] * (length < 4)
    assert process.outcome is Outcome.RETURNED
    assert process.said() == {"symbolic": 0}


@pytest.mark.parametrize("case", ["last_padding", "last_pointer"])
def test_bytes_without_input_exist_only_if_their_element_does(start: Start, case: str) -> None:
    process = start(case)
    for length in (2, 3, 4):
        process.run(struct.pack("<i", length))
        assert process.decisions[0] == ("CHECK", 2, int(length > 2))
        assert process.outcome is (Outcome.RETURNED if length > 2 else Outcome.BOUNDS_READ)


def test_realloc_says_where_a_string_ends(start: Start) -> None:
    process = start("lengthens_string")
    process.run()
    assert process.decisions == [("GUARD", 4294967295, 0)]
    for length in (1, 2, 3, 4):
        process.run(set_recorded(process, length, ord("a")))
        kinds = [kind for kind, _, _ in process.decisions]
        assert kinds == ["GUARD"] * (length + (length < 4))


def test_an_index_into_a_string_is_bounded_by_what_it_could_hold(start: Start) -> None:
    process = start("indexes_string")
    process.run()
    literal = process.events[0].literal
    (index,) = (
        n for n, leaf in enumerate(process.shared.published("leaves")) if int(leaf["width"]) == 64 and leaf["kind"] == 1
    )
    process.run(set_leaf(process, index, 2))
    assert process.outcome is Outcome.BOUNDS_READ
    assert process.decisions == [("CHECK", 3, 1), ("GUARD", 3, 0), ("GUARD", 3, 1), ("CHECK", 3, 0)]
    assert process.events[0].literal == literal
    process.run(set_leaf(process, index, 5))
    assert process.decisions == [("CHECK", 3, 0)]


@pytest.mark.parametrize("length", range(6))
def test_a_buffer_has_as_many_elements_as_its_length_says(start: Start, length: int) -> None:
    process = start("reads_buffer")
    process.run(struct.pack("<i", length))
    touched = min(length, 3)
    assert process.decisions == [("CHECK", 2, 1)] * touched + [("CHECK", 2, 0)] * (length < 3)
    assert process.outcome is (Outcome.RETURNED if length >= 3 else Outcome.BOUNDS_READ)
    assert len(recorded(process)) == 2 + length


def test_lengths_are_clamped_to_their_bounds_in_the_stored_input(start: Start) -> None:
    process = start("reads_buffer")
    process.run(struct.pack("<i", 1000))
    assert struct.unpack("<i", process.input[:4]) == (5,)
    process.run(struct.pack("<i", -4))
    assert struct.unpack("<i", process.input[:4]) == (0,)


@pytest.mark.parametrize(("given", "taken"), [(0, 0), (3, 3), (4, 3), (0xFD, -3), (0x80, -3)])
def test_signed_bounds(start: Start, given: int, taken: int) -> None:
    process = start("clamped")
    process.run(bytes([given]))
    assert process.result == taken.to_bytes(1, "little", signed=True) == process.input


def pointer_of(process: Process, event: Event) -> int:
    """The pointer leaf that a decision like `p == NULL` is about."""
    nodes = process.shared.published("nodes")
    node = nodes[event.literal]
    while node["op"] != Op.LEAF:
        node = nodes[int(node["a"])]
    return int(node["a"])


def asked(process: Process) -> list[tuple[str, int]]:
    """What was decided but for what inputs can be at all: (kind, alternative)."""
    return [(each.kind.name, each.holds) for each in process.events if each.kind != Kind.ASSUME]


def test_a_graph_null_fresh_and_alias(start: Start) -> None:
    process = start("graph")
    process.run()
    assert asked(process) == [("BRANCH", 1)]
    process.run(set_leaf(process, pointer_of(process, process.events[-1]), 1))
    # What is not NULL, and has no earlier object, is a fresh one: nothing is asked when it is followed.
    assert asked(process) == [("BRANCH", 0), ("BRANCH", 1)]
    assert process.said() == {"cycle": 0, "copied": 1}
    following = pointer_of(process, process.events[-1])
    process.run(set_leaf(process, following, 2))
    assert asked(process) == [("BRANCH", 0), ("BRANCH", 0), ("GUARD", 1)]
    assert process.said()["cycle"] == 1
    process.run(set_leaf(process, following, 1))
    assert asked(process) == [("BRANCH", 0), ("BRANCH", 0), ("GUARD", 0), ("BRANCH", 1)]
    # The second cell lies at the bound of depth 2: its pointer may be NULL or one of two aliases, not a fresh object.
    last = pointer_of(process, process.events[-1])
    process.run(set_leaf(process, last, 1))
    assert asked(process)[-1] == ("BRANCH", 1)
    process.run(set_leaf(process, last, 3))
    assert asked(process)[3:] == [("BRANCH", 0), ("GUARD", 1)]
    process.run(set_leaf(process, last, 4))
    assert asked(process)[3:] == [("BRANCH", 1)]


def test_two_pointers_are_compared_before_either_is_decided(start: Start) -> None:
    process = start("two_pointers")
    process.run()
    assert asked(process) == [("BRANCH", 1), ("BRANCH", 1)]
    p = pointer_of(process, process.events[0])
    process.run(set_leaf(process, p, 1))
    assert asked(process) == [("BRANCH", 0)]
    process.run(set_leaf(process, p + 1, 2))
    # Neither NULL nor an object of its own, so q leads to that of p.
    assert asked(process) == [("BRANCH", 1), ("BRANCH", 0), ("GUARD", 1), ("GUARD", 1)]
    assert process.said() == {"v": 0}
    process.run(set_leaf(process, p, 0))
    assert process.input[8:16] == bytes(8)  # no object of p for q to lead to: the run says what it was given instead


def test_arithmetic_decides_a_pointer_for_all_its_copies(start: Start) -> None:
    process = start("pointer_as_number")
    process.run()
    assert asked(process) == [("GUARD", 0)]
    assert process.said() == {"same shadow": 1, "shadow": 0, "stale": 0, "loaded again": 0}


def test_choices_are_part_of_a_path(start: Start) -> None:
    process = start("chooses")
    process.run()
    hashes = {process.shared.run.current_hash}
    for value in (1, 2):
        process.run(struct.pack("<Q", value))
        assert process.result == struct.pack("<Q", value)
        hashes.add(process.shared.run.current_hash)
    assert len(hashes) == 3
    assert [(each.holds, each.alternatives) for each in process.events] == [(2, 3)]
    assert process.shared.counts.distinct_paths == 3


@pytest.mark.parametrize("alternative", [0, 1])
def test_a_copied_pointer_leads_where_the_first_one_leads(start: Start, alternative: int) -> None:
    process = start("copied_pointer")
    process.run(struct.pack("<Q", alternative))
    assert process.events == []  # nothing depends on where it leads
    assert process.said() == {"same": 1}


def test_raw_bytes_and_repeated_names(start: Start) -> None:
    process = start("raw_bytes")
    data = bytes(range(1, 16))
    process.run(data)
    assert recorded(process) == [(LeafKind.BYTE, 8)] * 7 + [(LeafKind.UNSIGNED, 32)] * 2
    assert process.result == data[:7] + b"\0" + data[7:]
    occurrences = [int(each["occurrence"]) for each in process.shared.published("objects")]
    assert occurrences == [0, 1]


def test_new_leaves_are_filled_and_the_stored_input_replays(start: Start) -> None:
    process = start("raw_bytes")
    process.run(b"", filler=3)
    first, stored = process.result, process.input
    assert len(stored) == 15
    assert any(stored)
    process.run(stored)
    assert process.result == first
    process.run(b"", filler=4)
    assert process.result != first


def test_an_input_of_an_unsupported_type_is_noted(start: Start) -> None:
    process = start("unsupported_input")
    process.run()
    assert process.losses == {Loss.UNSUPPORTED}
