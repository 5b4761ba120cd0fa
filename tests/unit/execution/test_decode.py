"""Decoding a recorded run from shared memory written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from veer.execution.decode import decode, user_frames
from veer.model.errors import ExecutorError
from veer.model.inputs import MemoryObject, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program, Site, SiteKind
from veer.model.result import Frame
from veer.model.types import Field, Type
from veer.oracles.bugs import KnownBugs, bug, suspects
from veer.wire import layout
from veer.wire.layout import NONE, TARGET_MARK, LeafKind
from veer.wire.shared import Shared

INT, CHAR, CELL, CELL_POINTER, STRING, ARRAY, BUFFER, VOID, BLOCK, PAIR = range(10)
TYPES = (
    Type(INT, "signed", "int", 4, 4),
    Type(CHAR, "char", "char", 1),
    Type(CELL, "struct", "struct cell", 16, 8, fields=(Field("v", 0, INT), Field("next", 8, CELL_POINTER))),
    Type(CELL_POINTER, "pointer", "struct cell *", 8, 8, target=CELL, extent="one"),
    Type(STRING, "pointer", "char *", 8, 8, target=CHAR, extent="string", maximum=3),
    Type(ARRAY, "array", "int[2]", 8, 4, target=INT, count=2),
    Type(BUFFER, "pointer", "int *", 8, 8, target=INT, extent="length", maximum=4, length="n"),
    Type(VOID, "opaque", "void", 0),
    Type(BLOCK, "pointer", "void *", 8, 8, target=VOID, extent="fixed", maximum=2),
    Type(PAIR, "struct", "struct pair", 24, 8, fields=(Field("a", 0, ARRAY), Field("p", 8, CELL_POINTER))),
)


class Recorded:
    """Writes leaves and objects as the tracer does, and collects the input."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.raw = bytearray()

    def object(self, type_id: int, name: str = "", via: int = NONE, occurrence: int = 0) -> int:
        start, index = self.shared.counts.name_bytes, self.shared.counts.object_count
        text = name.encode() + b"\0"
        self.shared.region("names")[start : start + len(text)] = list(text)
        self.shared.counts.name_bytes = start + len(text)
        self.shared.region("objects")[index] = (via, start, occurrence, type_id)
        self.shared.counts.object_count = index + 1
        return index

    def leaf(self, object: int, offset: int, width: int, kind: LeafKind, value: int, *, made: bool = True) -> int:
        index = self.shared.counts.leaf_count
        record = (object, offset, len(self.raw), width, int(kind), 0, 1, 0)
        self.shared.region("leaves")[index] = record
        self.shared.counts.leaf_count = index + 1
        self.raw += (value & ((1 << width) - 1)).to_bytes(width // 8, "little")
        if made:
            self.shared.region("ids")[self.shared.run.run_leaf_count] = index
            self.shared.run.run_leaf_count += 1
        return index

    def pointer(self, object: int, offset: int, value: int, target: int | None = None) -> int:
        """A pointer leaf; `target`: the one whose fresh object it leads to, too."""
        leaf = self.leaf(object, offset, 64, LeafKind.CHOICE, value)
        if target is not None:
            self.shared.region("ids")[self.shared.run.run_leaf_count] = TARGET_MARK | target
            self.shared.run.run_leaf_count += 1
        return leaf


@pytest.fixture
def run() -> Iterator[Recorded]:
    with Shared() as shared:
        shared.run.last_outcome = layout.Outcome.RETURNED
        shared.counts.edge_count = 12
        yield Recorded(shared)


def program(*parameters: tuple[str, int]) -> Program:
    """A program whose entry `f` has these parameters."""
    entry = Function("f", "f.c", 1, tuple(Parameter(name, type_id) for name, type_id in parameters), INT, False)
    sites = (
        Site(0, SiteKind.BRANCH, "f.c", 5, 3, "f", "x", items=(0, 1)),
        Site(1, SiteKind.LIBRARY, "/any/string.c", 9, 1, "strlen"),
        Site(2, SiteKind.CALL, "f.c", 7, 2, "f", "strlen"),
        Site(3, SiteKind.CALL, "h.c", 1, 1, "veer_main", "f"),
        Site(4, SiteKind.ACCESS, "f.c", 8, 2, "g"),
        Site(5, SiteKind.CALL, "f.c", 6, 2, "f", "g"),
    )
    return Program("f", HarnessKind.FUNCTION, (), Path("f"), (entry,), TYPES, sites)


def inputs(run: Recorded, *parameters: tuple[str, int]):
    return decode(run.shared, program(*parameters), bytes(run.raw)).inputs


def test_scalars_keep_their_kind_and_order_of_parameters(run: Recorded) -> None:
    run.leaf(run.object(CHAR, "c"), 0, 8, LeafKind.CHAR, ord("a"))
    run.leaf(run.object(INT, "x"), 0, 32, LeafKind.SIGNED, -5)
    found = inputs(run, ("x", INT), ("c", CHAR))
    assert [root.name for root in found.roots] == ["x", "c"]
    x, c = (root.cells[0].value for root in found.roots)
    assert isinstance(x, Scalar) and x.number == -5 and x.kind == "signed"
    assert c == Scalar(ord("a"), 8, "char")
    assert found.raw == bytes(run.raw)


def test_a_cycle_and_an_undecided_pointer(run: Recorded) -> None:
    p = run.pointer(run.object(CELL_POINTER, "p"), 0, 1)
    first = run.object(CELL, via=p)
    run.leaf(first, 0, 32, LeafKind.SIGNED, 7)
    following = run.pointer(first, 8, 1)
    second = run.object(CELL, via=following)
    run.leaf(second, 0, 32, LeafKind.SIGNED, 8)
    run.pointer(second, 8, 2, p)  # the first earlier cell
    found = inputs(run, ("p", CELL_POINTER), ("q", CELL_POINTER))
    assert found.roots[0].cells[0].value == Pointer(1)
    assert found.roots[1].cells[0].value == Pointer(None, decided=False)
    one, two = found.objects
    assert (one.number, one.path, two.number, two.path) == (1, "p", 2, "p->next")
    assert [(c.path, c.value) for c in one.cells] == [(".v", Scalar(7, 32, "signed")), (".next", Pointer(2))]
    assert two.cells[1].value == Pointer(1)
    assert (one.count, one.size, one.type) == (1, 16, CELL)


def test_an_object_whose_pointer_was_never_loaded_has_the_cell_undecided(run: Recorded) -> None:
    p = run.pointer(run.object(CELL_POINTER, "p"), 0, 1)
    run.leaf(run.object(CELL, via=p), 0, 32, LeafKind.SIGNED, 7)
    (item,) = inputs(run, ("p", CELL_POINTER)).objects
    assert item.cells[1].value == Pointer(None, decided=False)


@pytest.mark.parametrize(("text", "stored"), [("", 1), ("a", 2), ("abc", 3)])
def test_a_string_ends_at_its_nul(run: Recorded, text: str, stored: int) -> None:
    s = run.pointer(run.object(STRING, "s"), 0, 1)
    characters = run.object(CHAR, via=s)
    for offset, character in enumerate((text + "\0")[:3]):
        run.leaf(characters, offset, 8, LeafKind.CHAR, ord(character))
    (item,) = inputs(run, ("s", STRING)).objects
    assert isinstance(item, MemoryObject)
    assert bytes(cell.value.bits for cell in item.cells) == text.encode() + b"\0"
    assert (item.count, item.size) == (len(text) + 1, len(text) + 1)
    assert run.shared.run.run_leaf_count == 1 + stored


@pytest.mark.parametrize("length", [0, 2, 4])
def test_a_buffer_has_as_many_elements_as_its_length_says(run: Recorded, length: int) -> None:
    run.leaf(run.object(INT, "n"), 0, 32, LeafKind.SIGNED, length)
    buffer = run.pointer(run.object(BUFFER, "buf"), 0, 1)
    elements = run.object(INT, via=buffer)
    for index in range(length):
        run.leaf(elements, 4 * index, 32, LeafKind.SIGNED, 10 + index)
    (item,) = inputs(run, ("buf", BUFFER), ("n", INT)).objects
    assert (item.count, item.size) == (length, 4 * length)
    assert [(c.path, c.value.bits) for c in item.cells] == [(f"[{k}]", 10 + k) for k in range(length)]


def test_a_block_of_bytes(run: Recorded) -> None:
    block = run.pointer(run.object(BLOCK, "p"), 0, 1)
    made = run.object(VOID, via=block)
    for offset in range(2):
        run.leaf(made, offset, 8, LeafKind.BYTE, 200 + offset)
    (item,) = inputs(run, ("p", BLOCK)).objects
    assert [(c.path, c.value) for c in item.cells] == [("[0]", Scalar(200, 8, "byte")), ("[1]", Scalar(201, 8, "byte"))]
    assert item.size == 2


def test_a_struct_by_value_with_a_pointer_in_it(run: Recorded) -> None:
    root = run.object(PAIR, "s")
    for index in range(2):
        run.leaf(root, 4 * index, 32, LeafKind.SIGNED, index)
    pointer = run.pointer(root, 8, 1)
    run.leaf(run.object(CELL, via=pointer), 0, 32, LeafKind.SIGNED, 3)
    found = inputs(run, ("s", PAIR))
    assert [cell.path for cell in found.roots[0].cells] == [".a[0]", ".a[1]", ".p"]
    assert found.objects[0].path == "s.p"


def test_raw_inputs_and_choices_of_a_harness(run: Recorded) -> None:
    data = run.object(NONE, "data")
    for offset in range(3):
        run.leaf(data, offset, 8, LeafKind.BYTE, offset + 1)
    run.leaf(run.object(NONE, "x"), 0, 32, LeafKind.UNSIGNED, 99)
    run.leaf(run.object(NONE, "x", occurrence=1), 0, 32, LeafKind.UNSIGNED, 98)
    run.pointer(run.object(NONE, "which"), 0, 2)
    found = inputs(run)
    assert [(r.name, r.occurrence, r.type, r.size) for r in found.roots] == [
        ("data", 0, -1, 3),
        ("x", 0, -1, 4),
        ("x", 1, -1, 4),
        ("which", 0, -1, 8),
    ]
    assert [cell.path for cell in found.roots[0].cells] == ["[0]", "[1]", "[2]"]
    assert [cell.path for cell in found.roots[1].cells] == [""]
    assert found.roots[3].cells[0].value == Scalar(2, 64, "choice")
    assert found.objects == ()


def test_outcome_result_and_edges(run: Recorded) -> None:
    run.shared.region("result")[:4] = [7, 0, 0, 0]
    run.shared.counts.result_length, run.shared.counts.result_count = 4, 1
    run.shared.region("run_edges")[[1, 8]] = 1
    recording = decode(run.shared, program(), b"")
    assert (recording.outcome, recording.exit_code, recording.returned) == (Outcome.RETURNED, None, b"\7\0\0\0")
    assert recording.edges == {1, 8}
    assert recording.fault is None
    run.shared.run.last_outcome, run.shared.run.exit_code, run.shared.counts.result_count = layout.Outcome.EXITED, -1, 0
    recording = decode(run.shared, program(), b"")
    assert (recording.outcome, recording.exit_code, recording.returned) == (Outcome.EXITED, -1, None)


def test_every_outcome_of_the_wire_has_one_in_the_model(run: Recorded) -> None:
    for outcome in layout.Outcome:
        run.shared.run.last_outcome = outcome
        expected = outcome.name if outcome is not layout.Outcome.NONE else "UNSUPPORTED"
        assert decode(run.shared, program(), b"").outcome.name == expected
    run.shared.run.last_outcome = 77
    assert decode(run.shared, program(), b"").outcome is Outcome.UNSUPPORTED


def test_a_bug_in_the_library_is_its_callers() -> None:
    sites = program().sites
    assert [site.id for site in user_frames([1, 2, 3], sites)] == [2]
    assert [site.id for site in user_frames([4, 5, 3, NONE], sites)] == [4, 5]


def report(shared: Shared, path: int, outcome: layout.Outcome, site: int, stack: tuple[int, ...], size: int) -> None:
    """Publishes a path with a report."""
    record = shared.region("reports")[shared.counts.report_count : shared.counts.report_count + 1]
    record["path"], record["outcome"], record["site"], record["depth"] = path, outcome, site, len(stack)
    record["stack"][0][: len(stack)] = stack
    record["message"], record["run"], record["nanoseconds"] = b"1 byte behind", 5, 2_000_000_000
    shared.counts.report_count += 1
    shared.region("paths")[path] = (path, 0, size, 0, 0, int(outcome), 0, 0)
    shared.counts.path_count = max(shared.counts.path_count, path + 1)


def test_one_bug_for_each_outcome_and_site_with_the_smallest_input(run: Recorded) -> None:
    shared = run.shared
    report(shared, 0, layout.Outcome.BOUNDS_READ, 4, (5, 3), 8)
    report(shared, 1, layout.Outcome.BOUNDS_READ, 1, (2, 3), 8)
    report(shared, 2, layout.Outcome.BOUNDS_READ, 4, (5, 3), 4)
    report(shared, 3, layout.Outcome.ABORTED, 4, (5, 3), 4)
    report(shared, 4, layout.Outcome.ASSUMPTION, 4, (), 4)
    found = suspects(shared, program())
    known = KnownBugs(program().sites)
    known.read(shared)
    assert len(known) == len(found) == 3
    assert [(s.fault.outcome, s.path, s.count) for s in found] == [
        (Outcome.BOUNDS_READ, 2, 2),
        (Outcome.BOUNDS_READ, 1, 1),
        (Outcome.ABORTED, 3, 1),
    ]
    made = bug(1, found[1], {}, test="test_002", confirmed="checked")
    assert (made.file, made.line, made.function) == ("f.c", 7, "f")
    assert made.stack == (Frame("f", "f.c", 7),)
    assert made.message == "memory outside of the object was read: 1 byte behind"
    assert (made.run, made.seconds) == (5, 2.0)


def test_damaged_records_are_errors_not_crashes(run: Recorded) -> None:
    run.leaf(99, 0, 8, LeafKind.BYTE, 1)
    with pytest.raises(ExecutorError, match="damaged"):
        inputs(run)
    run.shared.region("ids")[0] = 12345
    with pytest.raises(ExecutorError, match="damaged"):
        inputs(run)


def test_a_run_that_killed_its_process_is_a_bug_without_a_report(run: Recorded) -> None:
    shared = run.shared
    shared.region("tree_site")[:2] = [NONE, 0]
    shared.counts.tree_count = 2
    for path, outcome in enumerate((layout.Outcome.KILLED, layout.Outcome.KILLED, layout.Outcome.EXITED)):
        shared.region("paths")[path] = (path, 0, 8 - path, 1, NONE, int(outcome), 0, 0)
    shared.counts.path_count = 3
    (found,) = suspects(shared, program())
    assert (found.fault.outcome, found.path, found.count) == (Outcome.KILLED, 1, 2)
    assert bug(1, found, {}, test="", confirmed="no").line == 5
