"""The counts of a search as values of the model: queries by who answered them, the ledger, seconds."""

from __future__ import annotations

import numpy as np
from msgspec.structs import asdict

from veer.model.program import Program
from veer.model.result import Constraints, LedgerEntry, Operations, Queries, Rung, Seconds
from veer.model.specification import Seen
from veer.search.ending import LOSSES, loss_detail
from veer.search.query_counts import QueryCounts
from veer.wire.layout import MAX_SPECIFICATIONS, RUNGS, SPECIFICATION_STATES, Loss, Outcome
from veer.wire.shared import Shared


def queries(shared: Shared, counts: QueryCounts) -> Queries:
    """Every query of the search: those that a rung of the native ladder decided, and those of smt."""
    answered_by = dict(counts.answered_by)
    sat, unsat = counts.sat, counts.unsat
    ladder = {}
    for name, rung in zip(RUNGS, shared.statistics.rungs, strict=True):
        decided = int(rung["sat"]) + int(rung["unsat"])
        sat, unsat = sat + int(rung["sat"]), unsat + int(rung["unsat"])
        if decided:
            answered_by[name] = answered_by.get(name, 0) + decided
        if rung["asked"]:
            ladder[name] = Rung(*(int(rung[each]) for each in ("asked", "sat", "unsat")))
    total = sat + unsat + counts.unknown
    constraints = Constraints(**asdict(counts.eliminated))
    return Queries(total, sat, unsat, counts.unknown, dict(sorted(answered_by.items())), constraints, ladder)


def operations(shared: Shared) -> Operations:
    """What became of the operations on symbolic data, as the tracer counted."""
    return Operations(
        shared.statistics.symbolic_operations,
        shared.statistics.pinned_operations,
        shared.statistics.concretised_operations,
    )


def ledger(shared: Shared, program: Program) -> tuple[LedgerEntry, ...]:
    """The ledger, each entry with its place in the source where it has one, in the order in which they came.

    Stubs, which lose nothing, are the last.
    """
    entries = []
    for kind, site, count in shared.published("ledger").tolist():
        if kind not in Loss.__members__.values():
            continue
        loss = Loss(kind)
        known = loss is not Loss.CAPACITY and site < len(program.sites)
        place = program.sites[site] if known else None
        text = place.text if place is not None else ""
        what = refused_at(shared, site) if loss is Loss.SANDBOX else text
        if loss is Loss.REFUSED:
            what = message_at(shared, site) or text
        detail = loss_detail(loss, site) + (f": {what}" if what else "")
        file, line = (place.file, place.line) if place is not None else ("", 0)
        entries.append(LedgerEntry(loss.name.lower(), file, line, detail, count))
    stubs = [LedgerEntry("stub", "", 0, f"{LOSSES[Loss.STUB]}: {name}", 1) for name in program.stubs]
    return (*entries, *stubs)


def refused_at(shared: Shared, site: int) -> str:
    """The system call that the sandbox refused at a site, as the first report from there names it."""
    return message_at(shared, site).rpartition(" ")[2]


def message_at(shared: Shared, site: int) -> str:
    """Why a run ended as unsupported at a site, as the first report from there says; empty where there is none."""
    reports = shared.published("reports")
    found = reports[(reports["site"] == site) & (reports["outcome"] == int(Outcome.UNSUPPORTED))]
    return bytes(found[0]["message"]).split(b"\0", 1)[0].decode(errors="replace") if len(found) else ""


def seconds(shared: Shared, counts: QueryCounts, *, total: float, compile: float, search: float) -> Seconds:
    """Where the time went; what is neither running nor solving in the search is exploring."""
    execute = shared.statistics.execute_nanoseconds / 1e9
    solve = shared.statistics.solve_nanoseconds / 1e9 + counts.seconds
    rungs = zip(RUNGS, shared.statistics.rungs["nanoseconds"].tolist(), strict=True)
    ladder = {name: nanoseconds / 1e9 for name, nanoseconds in rungs if nanoseconds}
    return Seconds(total, compile, execute, solve, max(0.0, search - execute - solve), ladder)


def watched(shared: Shared, program: Program) -> tuple[Seen, ...]:
    """What runs showed of each specification."""
    specifications = program.watching.specifications if program.watching is not None else ()
    marks = shared.region("specification_states").reshape(MAX_SPECIFICATIONS, SPECIFICATION_STATES)
    states = [np.flatnonzero(marks[number]).tolist() for number in range(len(specifications))]
    reports = shared.published("reports")
    violated = {int(number) for number in reports["value"][reports["outcome"] == Outcome.VIOLATED]}
    # A violation ends its run before the registers are marked.
    return tuple(Seen(bool(found) or number in violated, tuple(found)) for number, found in enumerate(states))
