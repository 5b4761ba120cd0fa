"""The tracer: expressions of memory and of operations, decisions and their literals.

Every expression is compared with the program's value in these runs (VEER_VERIFY)."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator

import pytest
from tracer_process import Process

from veer.wire.layout import Command, Loss, Op, Outcome, Reply, Table

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


def ints(*values: int) -> bytes:
    return b"".join(struct.pack("<i", value) for value in values)


def test_an_int_in_pieces_is_the_same_expression(start: Start) -> None:
    process = start("fragments")
    process.run(ints(0x00123400))
    assert process.said() == {"same": 1, "mixed": 1, "concrete": 1}
    assert process.decisions == [("BRANCH", 9, 1)]  # the second branch on the same literal is no decision


def test_a_literal_holds_exactly_when_the_alternative_says_so(start: Start) -> None:
    process = start("assumes")
    process.run(ints(5))
    assert process.decisions == [("ASSUME", 0xFFFFFFFF, 1), ("CHECK", 0xFFFFFFFF, 1)]
    literal = process.shared.region("nodes")[process.events[1].literal]
    assert Op(int(literal["op"])) is Op.NOT
    process.run(ints(7))
    assert process.outcome is Outcome.ASSERTION
    assert process.message == "x is not 7"
    process.run(ints(-1))
    assert process.outcome is Outcome.ASSUMPTION


@pytest.mark.parametrize(
    ("a", "b", "outcome", "decisions"),
    [
        (7, 2, Outcome.RETURNED, [("CHECK", 3, 1), ("CHECK", 3, 1)]),
        (7, 0, Outcome.DIVISION, [("CHECK", 3, 0)]),
        (-(2**31), -1, Outcome.QUOTIENT, [("CHECK", 3, 1), ("CHECK", 3, 0)]),
    ],
)
def test_division_is_checked_before_the_hardware_traps(
    start: Start, a: int, b: int, outcome: Outcome, decisions: list[tuple[str, int, int]]
) -> None:
    process = start("divides")
    process.run(ints(a, b))
    assert (process.outcome, process.decisions) == (outcome, decisions)


@pytest.mark.parametrize(("amount", "fits", "is_eight"), [(3, 1, 1), (4, 1, 0), (35, 0, 1), (-29, 0, 1)])
def test_shifts_by_too_much_are_taken_modulo_the_width(start: Start, amount: int, fits: int, is_eight: int) -> None:
    process = start("shifts")
    process.run(ints(amount))
    assert process.decisions == [("GUARD", 2, fits), ("BRANCH", 3, is_eight)]
    assert not process.losses


@pytest.mark.parametrize(("value", "chain"), [(10, [1]), (20, [0, 1]), (30, [0, 0, 1]), (31, [0, 0, 0])])
def test_a_switch_is_a_chain_that_ends_at_the_case_that_holds(start: Start, value: int, chain: list[int]) -> None:
    process = start("switches")
    process.run(ints(value))
    assert process.decisions == [("BRANCH", 5 + k, holds) for k, holds in enumerate(chain)]


def test_pins_keep_their_order_over_runs_and_processes(start: Start) -> None:
    process = start("pinned_index")

    def pins(index: int) -> list[tuple[int, int]]:
        process.run(struct.pack("<i", index))
        return [(each.literal, each.holds) for each in process.events if each.kind.name == "GUARD"]

    first = pins(8)
    second = pins(0)
    assert [holds for _, holds in first] == [1]
    assert second == [(first[0][0], 0), (second[1][0], 1)]
    process.close()
    process.start()
    third = pins(16)
    assert third[:2] == [(first[0][0], 0), (second[1][0], 0)]
    assert pins(8) == first


def test_a_symbolic_index_is_checked_against_the_object_it_starts_from(start: Start) -> None:
    process = start("pinned_index")
    process.run(struct.pack("<i", 32))
    assert process.decisions == [("CHECK", 2, 1), ("GUARD", 2, 1)]
    within = process.events[0].literal
    process.run(struct.pack("<i", 33))
    assert process.outcome is Outcome.BOUNDS_READ
    assert [(each.literal, each.holds) for each in process.events] == [(within, 0)]
    assert process.message == "8-byte read, right behind an object of 40 bytes (global table)"


def test_a_symbolic_size_is_checked_and_pinned(start: Start) -> None:
    process = start("copies_symbolic_size")
    process.run(struct.pack("<Q", 32))
    assert [(kind, holds) for kind, _, holds in process.decisions] == [("CHECK", 1), ("GUARD", 1)]
    process.run(struct.pack("<Q", 33))
    assert [(kind, holds) for kind, _, holds in process.decisions] == [("CHECK", 0)]
    assert process.outcome is Outcome.BOUNDS_WRITE


def test_contexts_are_interned_call_strings(start: Start) -> None:
    process = start("calls_deep")
    process.run(ints(0))
    contexts = process.shared.published("contexts")
    inner, outer = process.events
    assert int(contexts[inner.context]["site"]) == 52
    assert int(contexts[inner.context]["parent"]) == outer.context
    assert int(contexts[outer.context]["site"]) == 51
    report = process.shared.region("reports")[process.shared.run.last_report]
    assert (int(report["depth"]), int(report["stack"][0])) == (1, 51)


def test_external_functions_concretise_what_they_may_write_and_only_that(start: Start) -> None:
    process = start("external")
    process.run(ints(1234))
    assert process.said() == {"losses": 1, "written": 0, "other": 1}
    assert process.losses == {Loss.EXTERNAL}


def test_a_full_trace_ends_the_run_and_says_so(start: Start) -> None:
    process = start("fills_trace")
    process.verify = False
    process.close()
    process.start()
    process.run(struct.pack("<Q", 0))
    assert process.outcome is Outcome.CAPACITY
    ledger = process.shared.published("ledger")
    assert [(int(each["kind"]), int(each["site"])) for each in ledger] == [(Loss.CAPACITY, Table.TRACE)]


def test_a_wrong_shadow_is_noticed(start: Start) -> None:
    process = start("wrong_shadow")
    assert process.run(ints(1)) is None
    assert process.process.wait(10) == 99
    assert "but the program has 2" in process.words()


INTERESTING = (0, 1, -1, 2, 7, 31, 32, 33, 255, 256, -128, 65535, 2**31 - 1, -(2**31), -(2**31) + 1, 0x12345678)


def test_operations_on_ints_have_the_values_that_the_machine_gives(start: Start) -> None:
    process = start("computes")
    for a in INTERESTING:
        for b in INTERESTING:
            assert process.run(ints(a, b)) is not None, process.words()
            expected = {Outcome.RETURNED}
            if b == 0:
                expected = {Outcome.DIVISION}
            elif a == -(2**31) and b == -1:
                expected = {Outcome.QUOTIENT, Outcome.DIVISION}  # the machine's trap does not tell which
            assert process.outcome in expected
    assert not process.losses


def test_operations_on_wide_integers_have_the_values_that_the_machine_gives(start: Start) -> None:
    words = (0, 1, 2, 63, 64, 100, 2**31, 2**35 - 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1, 0x123456789ABCDEF0)
    process = start("computes_wide")
    source = random.Random(128)
    for _ in range(400):
        values = [
            source.choice((source.choice(words), source.getrandbits(64), source.getrandbits(20))) for _ in range(4)
        ]
        values[3] = source.choice((0, values[3]))
        assert process.run(struct.pack("<4Q", *values)) is not None, ([hex(v) for v in values], process.words())
        low, high = values[2:]
        divides = low | high == 0 or low | (high & 2**36 - 1) == 0
        assert process.outcome is (Outcome.DIVISION if divides else Outcome.RETURNED)
    assert process.losses <= {Loss.DIVERGENCE}  # the ifs of the case itself are no decisions


def test_operations_on_doubles_have_the_values_that_the_machine_gives(start: Start) -> None:
    infinity = float("inf")
    numbers = (
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        127.9,
        -129.0,
        65536.5,
        2.0**31,
        -(2.0**31) - 1,
        2.0**32,
        3e9,
        2.0**53 + 1,
        2.0**63,
    )
    numbers += (-(2.0**63), 2.0**64, 1e300, -1e300, 5e-324, 1e-310, infinity, -infinity, float("nan"))
    process = start("computes_floats")
    for x in numbers:
        for y in (x, 1.0, -2.5, 1e-300, infinity, float("nan")):
            assert process.run(struct.pack("<dd", x, y)) is not None, (x, y, process.words())
            assert process.outcome is Outcome.RETURNED
    assert not process.losses


def test_depth_first_search_finds_every_path_once(start: Start) -> None:
    process = start("many_branches")
    process.run(record=False)
    process.shared.command.id_count = 1
    process.shared.region("ids")[0] = 0
    assert process.command(Command.DFS) == Reply.DONE
    counts = process.shared.counts
    assert (counts.distinct_paths, counts.runs, counts.diverged) == (2**10, 2**10, 0)
