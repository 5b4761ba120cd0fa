"""A recorded run → values of the model: what went in, how it ended, what it returned, which edges it covered.

Call it right after `executor.run(input, record=True)`: it reads what that run left in the shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

import veer
from veer.execution.events import events
from veer.execution.inputs import input_map
from veer.execution.made import left
from veer.execution.outputs import outputs, records_of, returned, returned_object, stub_calls
from veer.model.inputs import InputMap
from veer.model.made import NOTHING_LEFT, Left
from veer.model.outcome import Outcome
from veer.model.program import OF_NO_USER, Program, Site, SiteKind
from veer.model.result import Frame, Output
from veer.model.sequence import read_calls
from veer.model.state import Origin, origin
from veer.model.stubcalls import Called
from veer.model.values import replace
from veer.wire import layout
from veer.wire.shared import Shared

_NOT_THE_USERS = (str(Path(veer.__file__).parent / "runtime"), *OF_NO_USER)
_HARNESS = ("veer_main", "veer_call_", "veer.import.")
_IS_BLOCK = 1
"""Of what was never written: allocated memory, at the site that the other bits are (tracer/uninitialised.h)."""


class Fault(Struct, frozen=True):
    """A report of the runtime: `site` is the innermost site of the user's own code (None: not known)."""

    outcome: Outcome
    site: Site | None
    stack: tuple[Frame, ...]  # innermost first
    message: str
    run: int
    seconds: float  # since the campaign's start
    kind: int  # UBSan's number of the check, for UNDEFINED
    sites: tuple[Site, ...] = ()  # of the stack
    address: int = 0  # of the access, and the object that it missed
    object_base: int = 0
    object_size: int = 0
    is_below: bool = False  # it is in what the user's code calls


class Recording(Struct, frozen=True):
    """One recorded run."""

    inputs: InputMap
    outcome: Outcome
    exit_code: int | None
    returned: bytes | None
    edges: frozenset[int]
    fault: Fault | None
    outputs: tuple[Output, ...] = ()
    returned_object: int = 0
    callees: tuple[int, ...] = ()
    state: Origin | None = None
    called: Called | None = None
    events: tuple[str, ...] = ()
    left: Left = NOTHING_LEFT


def decode(shared: Shared, program: Program, raw: bytes) -> Recording:
    """The last run, whose input was `raw`; raises ExecutorError when what it left makes no sense."""
    outcome = model_outcome(shared.run.last_outcome)
    entry = program.function(program.entry)
    report = shared.run.last_report
    inputs = input_map(shared, program.types, entry.parameters if entry else (), raw)
    records = records_of(shared)
    value = returned(shared, program, records)
    if program.sequence is not None:  # its result is what was called
        inputs = replace(inputs, calls=read_calls(program.sequence, shared.published("result").tobytes()))
    return Recording(
        inputs=inputs,
        outcome=outcome,
        exit_code=shared.run.exit_code if outcome is Outcome.EXITED else None,
        returned=value,
        edges=frozenset(np.flatnonzero(shared.published("run_edges")).tolist()),
        callees=tuple(sorted(shared.published("run_callees").tolist())),
        fault=read_fault(shared, program, report) if report != layout.NONE else None,
        outputs=outputs(records, program, inputs),
        returned_object=returned_object(records, value),
        state=origin(program.state, inputs),
        called=stub_calls(records, program, inputs),
        events=events(records, program),
        left=left(records, program, inputs, value) if outcome is Outcome.RETURNED else NOTHING_LEFT,
    )


def read_fault(shared: Shared, program: Program, index: int) -> Fault | None:
    """The report at this index, None beyond the table (the last run's may lie behind the published ones)."""
    reports = shared.region("reports")
    if index >= len(reports):
        return None
    fault = fault_of(reports[index], program.sites)
    if fault.outcome is Outcome.UNINITIALISED and fault.site is None:  # what the entry returned was looked at behind it
        return _at_entry(fault, program)
    return fault


def _at_entry(fault: Fault, program: Program) -> Fault:
    """The fault at the first site of the entry."""
    first = next((site for site in program.sites if site.function == program.entry and not is_own(site)), None)
    if first is None:
        return fault
    return replace(fault, site=first, sites=(first,), stack=(Frame(first.function, first.file, first.line),))


def fault_of(record: np.void, sites: Sequence[Site]) -> Fault:
    """What a report tells; its place is in the user's code."""
    frames = user_frames([int(record["site"]), *record["stack"][: int(record["depth"])].tolist()], sites)
    return Fault(
        outcome=model_outcome(int(record["outcome"])),
        site=frames[0] if frames else None,
        stack=tuple(Frame(site.function, site.file, site.line) for site in frames),
        message=_message(record, sites),
        run=int(record["run"]),
        seconds=int(record["nanoseconds"]) / 1e9,
        kind=int(record["value"]),
        sites=tuple(frames),
        address=int(record["address"]),
        object_base=int(record["object_base"]),
        object_size=int(record["object_size"]),
        is_below=bool(frames) and frames[0].id != int(record["site"]),
    )


def _message(record: np.void, sites: Sequence[Site]) -> str:
    """What the runtime said, and of a block that was never written where it was allocated."""
    text = bytes(record["message"]).split(b"\0", 1)[0].decode("utf-8", "replace")
    what = int(record["value"])
    if int(record["outcome"]) != layout.Outcome.UNINITIALISED or not what & _IS_BLOCK or what >> 1 >= len(sites):
        return text
    site = sites[what >> 1]
    return text if is_own(site) else f"{text} at {Path(site.file).name}:{site.line}"


def user_frames(ids: Sequence[int], sites: Sequence[Site]) -> list[Site]:
    """The sites of a stack that lie in the user's code, innermost first: a bug in veer's strlen is its caller's bug."""
    known = [sites[index] for index in ids if index < len(sites)]
    return [site for site in known if not is_own(site)]


def model_outcome(number: int) -> Outcome:
    """The model's outcome for a number of the wire; what is not known (a damaged record) is UNSUPPORTED."""
    try:
        return Outcome[layout.Outcome(number).name]
    except (KeyError, ValueError):
        return Outcome.UNSUPPORTED


def is_own(site: Site) -> bool:
    """Whether it lies in veer's C library, Java's runtime or a harness, not in the user's code."""
    return site.kind is SiteKind.LIBRARY or site.function.startswith(_HARNESS) or site.file.startswith(_NOT_THE_USERS)
