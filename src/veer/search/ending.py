"""Why a search stopped, and what may be claimed of it: DART's completeness flag, with reasons in words.

`paths` is claimed only when nothing is open, no precision was lost (an empty ledger, stubs aside), no run left its
predicted path, no solver gave up, and nothing was cut but by the bounds that `within` names. If besides look-ahead
pruned something, all that could be covered was covered (`criterion`); max-call-depth ends every claim, once it prunes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veer.execution.decode import fault_of
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.program import Program, Site
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.environment import environment_bounds, is_the_same_tomorrow
from veer.search.inputbounds import places_met, words_met
from veer.search.node_counts import NodeCounts
from veer.wire.layout import NONE, Loss, Outcome, State, Table
from veer.wire.shared import Shared

LOSSES = {
    Loss.EXTERNAL: "symbolic data went into uninstrumented code",
    Loss.UNSUPPORTED: "an operation without a symbolic meaning was made concrete",
    Loss.ADDRESS: "not every value of a symbolic address was explored",
    Loss.SOLVER: "the solver did not know",
    Loss.CAPACITY: "a table of veer's was full",
    Loss.DIVERGENCE: "a run left its predicted path",
    Loss.WIDE: "an integer of more than 64 bits was made concrete",
    Loss.FLOAT: "a floating-point operation without a symbolic meaning was made concrete",
    Loss.CLOCK: "a run was stopped by the clock",
    Loss.STUB: "an undefined function was given a stub",
    Loss.REFUSED: "a run ended at a call that veer does not follow",
    Loss.SANDBOX: "a run ended at a system call that the sandbox refuses",
    Loss.ARBITRARY: "an answer that may be another one in each run was made up (an identity hash code)",
    Loss.GIVEN_UP: "a branch was given up: runs that were aimed at it broke their process",
}
_OF_PRECISION = (
    *(Loss.EXTERNAL, Loss.UNSUPPORTED, Loss.ADDRESS, Loss.SOLVER, Loss.DIVERGENCE, Loss.WIDE, Loss.FLOAT),
    Loss.GIVEN_UP,
)
"""Where a value or a branch was lost. The others cut runs, or are told for the user: what was made up is the same in
each run, so that other inputs show nothing more."""
_OUTCOMES = {
    Outcome.UNSUPPORTED: ("ended at something that veer does not support", None),
    Outcome.CAPACITY: ("ended at a bound of veer's (a full table, a longer array, the clock)", Loss.CAPACITY),
    Outcome.OUTPUT_LIMIT: ("ended at the output limit", None),
}
"""In words, and the loss that tells the same when the ledger has it."""
_ENDLESS = {
    Outcome.HANG: "a run did not end within max-steps, which counts the steps of all blocks",
    Outcome.MEMORY_LIMIT: "a run took more memory than it may, all blocks together",
    Outcome.KILLED: "a run ended where its flows are not known",
}
"""Ends that are no block's own: FlowTest's theorem 1 is about runs that end."""


def ending(
    kind: EndingKind, shared: Shared, program: Program, options: SearchOptions, counts: NodeCounts | None = None
) -> Ending:
    """The ending of a search that stopped for `kind` (docs/design.md, section 4).

    `counts` counts the nodes of all workers; None: those of the shared memory.
    """
    if counts is None:
        counts = NodeCounts.of(shared, 2 * len(program.sites))
    lost = lost_by(shared, counts, program.sites)
    within = bounds(shared, counts, program, options)
    if kind is EndingKind.COVERED:
        return Ending(kind, Claim.CRITERION, (), lost)
    held = int(counts.states[State.HELD])
    if pruned := int(counts.states[State.PRUNED]):
        is_sound = options.max_call_depth is None
        by = "look-ahead" if is_sound else "max-call-depth"
        reason = f"{_count(pruned, 'branch was', 'branches were')} pruned by {by}"
        if kind is EndingKind.EXHAUSTED and not lost and is_sound and not held:
            return Ending(kind, Claim.CRITERION, within, (reason,))
        lost = (*lost, reason)
    if held:
        return _of_blocks(kind, held, lost, counts, options, within)
    if kind is EndingKind.EXHAUSTED and not lost:
        return Ending(kind, Claim.PATHS, within)
    return Ending(kind, Claim.NONE, (), lost)


def doubted(ending: Ending, doubts: Sequence[str]) -> Ending:
    """The ending, which claims nothing where there are doubts."""
    return replace(ending, claim=Claim.NONE, within=(), lost_by=(*ending.lost_by, *doubts)) if doubts else ending


def _of_blocks(
    kind: EndingKind,
    held: int,
    lost: tuple[str, ...],
    counts: NodeCounts,
    options: SearchOptions,
    within: tuple[str, ...],
) -> Ending:
    """The ending of a search that left sides untried because inputs of other blocks were held (FlowTest, theorem 1)."""
    seen = counts.outcomes
    lost = (*lost, *(words for outcome, words in _ENDLESS.items() if seen[outcome]))
    if counts.cut_branches:
        lost = (
            *lost,
            f"paths were cut at max-branches {options.max_branches}, which counts the branches of all blocks",
        )
    if kind is EndingKind.EXHAUSTED and not lost:
        return Ending(kind, Claim.LOCATIONS, within)
    return Ending(
        kind, Claim.NONE, (), (*lost, f"{_count(held, 'branch was', 'branches were')} held with another block")
    )


def lost_by(shared: Shared, counts: NodeCounts, sites: Sequence[Site]) -> tuple[str, ...]:
    """Every reason why not all feasible paths can be said to have been run, in words, pruning aside; empty = none."""
    told = _told(shared)
    reasons = _ledger_reasons(shared, sites)
    if not shared.counts.runs:
        reasons.append("nothing was run")
    states = counts.states
    if counts.open_branches:
        reasons.append(f"{_count(counts.open_branches, 'open branch', 'open branches')} left")
    times = max(int(states[State.DIVERGED]), shared.counts.diverged)
    if times and not told[Loss.DIVERGENCE]:
        reasons.append(f"{LOSSES[Loss.DIVERGENCE]} ({_count(times, 'time', 'times')})")
    undecided = int(states[State.UNKNOWN]) - told[Loss.SOLVER] - told[Loss.GIVEN_UP]
    if undecided > 0:
        reasons.append(f"{_count(undecided, 'branch is', 'branches are')} undecided")
    seen = counts.outcomes
    reasons += [
        f"{_count(int(seen[outcome]), 'run', 'runs')} {words}{_where_first(outcome, shared, sites)}"
        for outcome, (words, loss) in _OUTCOMES.items()
        if seen[outcome] and not told[loss]
    ]
    return tuple(dict.fromkeys(reasons))


def is_imprecise(shared: Shared, counts: NodeCounts) -> bool:
    """Whether a fresh random input may lead where no constraint does (DART): precision was lost.

    A run that was cut, by the clock say, lost none: other inputs of its path are cut, too, and take as long.
    """
    told = _told(shared)
    is_undecided = counts.states[State.UNKNOWN] or counts.states[State.DIVERGED] or shared.counts.diverged
    return bool(is_undecided) or any(told[loss] for loss in _OF_PRECISION)


def bounds(shared: Shared, counts: NodeCounts, program: Program, options: SearchOptions) -> tuple[str, ...]:
    """The bounds within which `paths` holds: those of the inputs and of the search that struck, the environment's."""
    within = [*words_met(program, shared), *places_met(shared), *environment_bounds(program)]
    if options.goal != "all" and counts.states[State.PRUNED]:
        within.append(f"goal {options.goal}")
    if options.max_branches and counts.cut_branches:
        within.append(f"max-branches {options.max_branches}")
    if counts.outcomes[Outcome.HANG]:
        within.append(f"max-steps {options.max_steps}")
    if counts.outcomes[Outcome.STACK_OVERFLOW]:
        within.append("the stack that a run has")
    if counts.outcomes[Outcome.MEMORY_LIMIT]:
        within.append(
            f"memory {options.memory >> 20} MiB (a block whose size is an input has, and takes, up to "
            f"{options.memory >> 22} of it)"
        )
    return tuple(within)


def names_what_may_differ(shared: Shared, program: Program) -> bool:
    """Whether a claim's bounds name something that is another thing in each build or at each time: where objects lie,
    what the time is, which settings there are. Then a replay that differs is no doubt about it."""
    return bool(places_met(shared)) or not is_the_same_tomorrow(program)


def loss_detail(kind: Loss, site: int) -> str:
    """The sentence for a ledger entry; of a CAPACITY loss `site` is the table."""
    if kind is Loss.CAPACITY and site in Table.__members__.values():
        return f"{LOSSES[kind]}: {Table(site).name.lower()}"
    return LOSSES[kind]


def _told(shared: Shared) -> Counter[Loss | None]:
    """How often the ledger tells of each kind of loss."""
    told: Counter[Loss | None] = Counter()
    for kind, _, count in shared.published("ledger").tolist():
        if kind in Loss.__members__.values():
            told[Loss(kind)] += count
    return told


def _ledger_reasons(shared: Shared, sites: Sequence[Site]) -> list[str]:
    """One reason a kind of loss, with how often and where first."""
    reasons = []
    ledger = shared.published("ledger")
    for loss in Loss:
        entries = ledger[ledger["kind"] == int(loss)]
        if loss in (Loss.STUB, Loss.REFUSED, Loss.SANDBOX) or not len(entries):  # ends of runs tell more
            continue
        where = _place(int(entries[0]["site"]), sites) if loss is not Loss.CAPACITY else ""
        times = int(entries["count"].sum())
        reasons.append(f"{loss_detail(loss, int(entries[0]['site']))} ({_count(times, 'time', 'times')}{where})")
    return reasons


def _where_first(outcome: Outcome, shared: Shared, sites: Sequence[Site]) -> str:
    """What the first report of such an ending says, with function, file and line; nothing where there is none."""
    reports = shared.published("reports")
    for record in reports[reports["outcome"] == int(outcome)]:
        fault = fault_of(record, sites)
        if fault.site is not None:
            place = f"{fault.site.function} at {fault.site.file}:{fault.site.line}"
            return f" (first in {place}{': ' if fault.message else ''}{fault.message})"
    return ""


def _place(site: int, sites: Sequence[Site]) -> str:
    if site == NONE or site >= len(sites) or not sites[site].file:
        return ""
    return f", first at {sites[site].file}:{sites[site].line}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
