"""What a test could see of a run: how it ended, what it returned, which bytes of memory it changed.

Recorded runs are compared by it thousands of times in a campaign. So less is decoded than in execution/decode.py: of
inputs only what shows which bytes an object had before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.execution.inputs import input_map
from veer.execution.outputs import outputs, records_of, returned, returned_object
from veer.execution.stubcalls import Record
from veer.model.inputs import InputMap
from veer.model.program import Program
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
    return outcome, exit_code, returned_object(records, value) or value, changed


def _changes(shared: Shared, program: Program, records: Sequence[Record], raw: bytes) -> Iterator[tuple[object, ...]]:
    """The bytes that differ from what they were, each with its place."""
    inputs = InputMap((), (), raw)
    if any(record.kind == OutputKind.OBJECT for record in records):
        inputs = input_map(shared, program.types, (), raw)
    for each in outputs(records, program, inputs):
        for place, (byte, before) in enumerate(zip(each.after, each.before, strict=False)):
            if byte != before:
                yield each.number, each.name, place, byte
