"""Parts, errands and findings as bytes: what goes to a worker on another machine, and what comes back.

MessagePack by the types of the values; an array is the bytes of its records, in the byte order of this machine. Whoever
reads them has the same veer: the wire's fingerprint comes first, and anything else is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
import numpy as np
from msgspec import Struct

from veer import __version__
from veer.model.ending import EndingKind
from veer.model.errors import ExecutorError
from veer.model.values import UNREADABLE
from veer.search.node_counts import NodeCounts
from veer.search.parallel.findings import Findings, InputTables, Totals
from veer.search.parallel.part import Baseline, Part
from veer.search.parallel.protocol import Errand
from veer.wire.layout import LEAF, OBJECT, PATH, REPORT, RUNG, fingerprint
from veer.wire.shared import Shared

_Value = TypeVar("_Value")


class Outcome(Struct, frozen=True):
    """How the search of a part ended, and `state`, what it knows outside of the shared memory.

    `findings`, of a part that is searched to its end; else `part`, as it is now: it may be gone on with.
    """

    kind: EndingKind
    state: Mapping[str, Any]
    findings: tuple[Findings, ...] = ()
    part: Part | None = None


class PlainPart(msgspec.Struct):
    """A part as plain values."""

    baseline: dict[str, Any]
    extents: list[tuple[int, bytes]]


class _Task(msgspec.Struct):
    made_by: str
    errand: Errand
    part: PlainPart


class _Totals(msgspec.Struct):
    counters: dict[str, int]
    rungs: bytes
    ledger: list[tuple[int, int, int]]
    counts: dict[str, Any]
    news: int
    met_bounds: int
    dropped_paths: int


class PlainFindings(msgspec.Struct):
    """Findings as plain values."""

    totals: _Totals | None
    edges: bytes
    hashes: bytes
    leaves: bytes
    objects: bytes
    names: bytes
    paths: bytes
    inputs: bytes
    reports: bytes
    specifications: bytes


class _Outcome(msgspec.Struct):
    made_by: str
    kind: EndingKind
    state: dict[str, Any]
    findings: list[PlainFindings]
    part: PlainPart | None


@cache
def _fingerprint() -> str:
    return fingerprint()


def made_by() -> str:
    """What sends and what receives must agree on."""
    return f"{__version__} {_fingerprint()}"


def encoded_task(part: Part, errand: Errand) -> bytes:
    """A part with what is to be done with it. Only while nobody is at work on the part."""
    return encoded(_Task(made_by(), errand, plain_part(part)))


def decoded_task(data: bytes) -> tuple[Part, Errand]:
    """The part, in a shared memory that the caller closes, and the errand. Raises ExecutorError as `decoded` does."""
    task = decoded(data, _Task)
    return restored_part(task.part), task.errand


def encoded_outcome(outcome: Outcome) -> bytes:
    """An outcome. Only while nobody is at work on its part."""
    findings = [plain_findings(each) for each in outcome.findings]
    part = plain_part(outcome.part) if outcome.part is not None else None
    return encoded(_Outcome(made_by(), outcome.kind, dict(outcome.state), findings, part))


def decoded_outcome(data: bytes) -> Outcome:
    """The outcome, whose part is in a shared memory that the caller closes. Raises ExecutorError as `decoded` does."""
    found = decoded(data, _Outcome)
    part = restored_part(found.part) if found.part is not None else None
    return Outcome(found.kind, found.state, tuple(map(restored_findings, found.findings)), part)


def encoded(value: msgspec.Struct) -> bytes:
    """A struct as MessagePack."""
    return msgspec.msgpack.encode(value, enc_hook=str)


def decoded(data: bytes, kind: type[_Value]) -> _Value:
    """Raises ExecutorError for what another veer made, or what was damaged on its way."""
    value = plain_decoded(data, kind)
    if getattr(value, "made_by", None) != made_by():
        raise ExecutorError("a worker has another version of veer: install the same one everywhere")
    return value


def plain_decoded(data: bytes, kind: type[_Value]) -> _Value:
    """What is within a value that `decoded` has read. Raises ExecutorError for what was damaged on its way."""
    try:
        value: _Value = _decoder(cast(Any, kind)).decode(data)
    except UNREADABLE as error:
        raise ExecutorError(f"what a worker was sent is damaged: {error}") from error
    return value


@cache
def _decoder(kind: type[Any]) -> msgspec.msgpack.Decoder[Any]:
    """To make one takes a thousand times as long as to read a short letter."""
    return msgspec.msgpack.Decoder(kind, dec_hook=_of_text)


def _of_text(kind: type[Any], text: Any) -> Path:
    assert kind is Path
    return Path(text)


def plain_part(part: Part) -> PlainPart:
    """Only while nobody is at work on the part."""
    return PlainPart(part.baseline.state(), [(offset, bytes(data)) for offset, data in part.shared.extents()])


def restored_part(part: PlainPart) -> Part:
    """The part in a shared memory that the caller closes. Raises ExecutorError for an extent that lies outside."""
    shared = Shared()
    try:
        for offset, extent in part.extents:
            shared.load(offset, extent)
        return Part(shared, Baseline.of_state(part.baseline, RUNG))
    except ExecutorError:
        shared.close()
        raise


def plain_findings(findings: Findings) -> PlainFindings:
    """A copy, of whose arrays none is a view of a shared memory."""
    totals, tables = findings.totals, findings.tables
    return PlainFindings(
        _plain_totals(totals) if totals is not None else None,
        findings.edges.tobytes(),
        findings.hashes.tobytes(),
        tables.leaves.tobytes(),
        tables.objects.tobytes(),
        tables.names,
        findings.paths.tobytes(),
        findings.inputs,
        findings.reports.tobytes(),
        findings.specifications.tobytes(),
    )


def _plain_totals(totals: Totals) -> _Totals:
    ledger = [(kind, site, count) for (kind, site), count in totals.ledger.items()]
    counts = totals.counts.state()
    return _Totals(
        totals.counters,
        totals.rungs.tobytes(),
        ledger,
        counts,
        totals.news,
        totals.met_bounds,
        totals.dropped_paths,
    )


def restored_findings(found: PlainFindings) -> Findings:
    """The findings that `plain_findings` was given."""
    return Findings(
        _restored_totals(found.totals) if found.totals is not None else None,
        np.frombuffer(found.edges, np.uint8),
        np.frombuffer(found.hashes, np.uint64),
        InputTables(np.frombuffer(found.leaves, LEAF), np.frombuffer(found.objects, OBJECT), found.names),
        np.frombuffer(found.paths, PATH),
        found.inputs,
        np.frombuffer(found.reports, REPORT),
        np.frombuffer(found.specifications, np.uint32),
    )


def _restored_totals(totals: _Totals) -> Totals:
    ledger = {(kind, site): count for kind, site, count in totals.ledger}
    rungs = np.frombuffer(totals.rungs, RUNG)
    counts = NodeCounts.of_state(totals.counts)
    return Totals(totals.counters, rungs, ledger, counts, totals.news, totals.met_bounds, totals.dropped_paths)
