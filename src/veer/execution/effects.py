"""What a test could see of a run: how it ended, what it returned, which bytes of memory it changed.

Recorded runs are compared by it thousands of times in a campaign. So less is decoded than in execution/decode.py: of
inputs only what shows which bytes an object had before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.execution.addresses import words
from veer.execution.inputs import input_map
from veer.execution.outputs import outputs, records_of, returned, returned_object
from veer.execution.stubcalls import Record
from veer.model.inputs import InputMap
from veer.model.program import Program
from veer.model.written import POINTER_SIZE
from veer.wire.layout import Outcome, OutputKind
from veer.wire.shared import Shared


def effects(shared: Shared, program: Program, raw: bytes) -> object:
    """Those of the last recorded run, whose input was `raw`: equal where no test tells two runs apart.

    What a run left as it was is no effect. Raises ExecutorError where what it left makes no sense.
    """
    records = records_of(shared)
    outcome = shared.run.last_outcome
    exit_code = shared.run.exit_code if outcome == Outcome.EXITED else None
    value = returned(shared, program, records)
    changed = tuple(_changes(shared, program, records, raw))
    return outcome, exit_code, _result(records, value), changed, tuple(_made(records))


def _result(records: Sequence[Record], value: bytes | None) -> object:
    """What the run returned: of a pointer to an object which one, of one to a block that it is one."""
    number = returned_object(records, value)
    word = int.from_bytes(value, "little") if value is not None and len(value) == POINTER_SIZE else 0
    return number or ("block" if any(r.kind == OutputKind.MADE and r.address == word for r in records) else value)


def _changes(shared: Shared, program: Program, records: Sequence[Record], raw: bytes) -> Iterator[tuple[object, ...]]:
    """The bytes that differ from what they were, each with its place."""
    inputs = InputMap((), (), raw)
    if any(record.kind == OutputKind.OBJECT for record in records):
        inputs = input_map(shared, program.types, (), raw)
    starts = _starts(records)
    for each in outputs(records, program, inputs):
        words = {at: int.from_bytes(each.after[at : at + POINTER_SIZE], "little") for at, _ in each.pointers}
        held = {byte for at in words for byte in range(at, at + POINTER_SIZE)}
        for place, (byte, before) in enumerate(zip(each.after, each.before, strict=False)):
            if byte != before and place not in held:
                yield each.number, each.name, place, byte
        for at, word in words.items():
            if each.before[at : at + POINTER_SIZE] != each.after[at : at + POINTER_SIZE]:
                yield each.number, each.name, at, starts.get(word, "an address")


def _made(records: Sequence[Record]) -> Iterator[tuple[object, ...]]:
    """What the run made and freed: of a block the bytes that somebody has written; of their pointers to other blocks,
    which move with each other's sizes, only which ones they are."""
    starts = _starts(records)
    for record in records:
        if record.kind == OutputKind.FREED:
            yield (record.number,)
        elif record.kind == OutputKind.MADE:
            half = len(record.data) // 2
            data, flags = record.data[:half], record.data[half:]
            if any(flags):
                data = bytes(0 if flag else byte for byte, flag in zip(data, flags, strict=True))
            rest = data[half - half % POINTER_SIZE :]
            yield (*(starts.get(word, word) for _, word in words(data)), rest)


def _starts(records: Sequence[Record]) -> dict[int, object]:
    """What begins at an address: an input object by its number, or a block by its place among the records."""
    found: dict[int, object] = {}
    for place, record in enumerate(records):
        if record.kind == OutputKind.MADE:
            found[record.address] = ("block", place)
        elif record.kind == OutputKind.OBJECT:
            found[record.address] = ("object", record.number)
    return found
