"""The control block of every campaign: what is counted, asked and told between Python and native code.

A feature that has fields of its own declares them beside its regions (`flows.py`, `blocks.py`, `boundaries.py`,
`forgotten.py`).
"""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Records
from veer.wire.records import RUNG, RUNGS


class Header(Fields):
    """What an executor checks before it believes the rest."""

    __slots__ = ()

    magic = Number("u4")
    version = Number("u4")


class Counts(Fields):
    """How many there are: records of each region, published last by native code, and runs of the campaign."""

    __slots__ = ()

    node_count = Number("u4")  # expressions
    node_table_size = Number("u4")
    support_count = Number("u4")
    leaf_count = Number("u4")
    object_count = Number("u4")
    name_bytes = Number("u4")
    context_count = Number("u4")
    trace_count = Number("u4")  # of the last run
    tree_count = Number("u4")
    path_count = Number("u4")
    queue_count = Number("u4")
    interesting_count = Number("u4")
    report_count = Number("u4")
    ledger_count = Number("u4")
    edge_count = Number("u4")
    leaf_bytes = Number("u4")  # length of an input that holds every leaf
    input_bytes = Number("u8")
    table_words = Number("u8")  # of `tables`, in units of 8 bytes
    result_length = Number("u4")  # bytes of `result`
    result_count = Number("u4")
    output_length = Number("u4")  # bytes of `outputs`
    distinct_paths = Number("u4")
    runs = Number("u8")
    diverged = Number("u8")
    infeasible = Number("u8")
    left_to_smt = Number("u8")


class CommandArguments(Fields):
    """What goes with a command, and how far it came."""

    __slots__ = ()

    id_count = Number("u4")
    ids_done = Number("u4")
    inbox_length = Number("u4")
    # 1 = the trace keeps every decision and the leaves that were made; 2 = so, too, but nothing goes into the tree
    record = Number("u4")
    filler = Number("u4")  # 0: a new leaf is 0; GOES_ON; else n: a pseudo-random value of (seed, n, leaf)
    keeps = Number("u4")  # 1 = RUN stores its run as a path even if nothing is new about it
    stop = Number("u4")  # Python sets it: stop after the current run
    max_runs = Number("u8")
    answer = Number("u8")
    executor = Number("u4")  # process id of the executor that was started last; Python writes it


class RunOptions(Fields):
    """What holds for all runs of a campaign; Python writes it (`search/settings.py`)."""

    __slots__ = ()

    max_depth = Number("u4")  # nodes deeper than this are CUT (0 = no bound)
    guard_siblings = Number("u4")  # explored values of one symbolic address
    check_leaks = Number("u4")
    # 1 = memory that is not initialised has words of its own; 2 = so that stubs know it: its use is no bug, and reads 0
    follows_unwritten = Number("u4")
    switched_off = Number("u4")  # bits of Switch
    rungs_off = Number("u4")  # a bit for each of RUNGS that is left out
    max_steps = Number("u8")
    heap_limit = Number("u8")
    stack_limit = Number("u8")
    seed = Number("u8")
    start_nanoseconds = Number("u8")


class RunState(Fields):
    """The run under way, and how the last one ended."""

    __slots__ = ()

    current_node = Number("u4")  # target of the run under way, NONE between runs
    current_length = Number("u4")  # bytes of the input of the run under way; they lie at inputs[input_bytes:]
    current_hash = Number("u8")
    running = Number("u4")  # 1 while user code runs
    crash_outcome = Number("u4")
    exit_code = Number("i4")
    last_path = Number("u4")  # path id of the last run
    last_outcome = Number("u4")
    last_report = Number("u4")  # report of the last run or NONE
    run_leaf_count = Number("u4")  # recorded leaves of the last RUN with record = 1, in `ids`, in order of creation
    steps_left = Number("i8")  # of the last run: of max_steps, or mutation_steps; below 0 where it used them up


class Statistics(Fields):
    """Where the time went and what became of symbolic operations."""

    __slots__ = ()

    execute_nanoseconds = Number("u8")
    solve_nanoseconds = Number("u8")
    explore_nanoseconds = Number("u8")
    symbolic_operations = Number("u8")  # kept exactly
    # operations with a symbolic operand whose value was fixed, one value after the other explored
    pinned_operations = Number("u8")
    concretised_operations = Number("u8")  # lost
    rungs = Records(RUNG, 16, len(RUNGS))
