"""Generated from src/veer/model/options.py by `python -m veer.campaign.write_keywords`; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict


class Options(TypedDict, total=False):
    """The options of `veer test`, as `veer test --help` explains them; `-I` is include, `-D` define.

    Times are seconds, or texts like "500ms", "60s", "2m". What may be given again is a sequence.
    """

    search: str
    strategy: str
    goal: str
    criterion: str
    budget: str | float
    max_runs: int
    max_bugs: int
    plateau: int
    keep_going: bool
    shrink: bool
    reach: bool
    max_branches: int
    max_steps: int
    timeout: str | float
    look_ahead: bool
    max_call_depth: int | None
    solve_first: bool
    partition: str | Path
    check_partition: str | Path
    oracle: str | Sequence[str]
    solver: str
    seed: int
    seeds: str | Sequence[str]
    hybrid: bool
    batch: int
    jobs: int
    cluster: str | None
    workers: str
    campaign_memory: int
    sandbox: str
    read: str | Sequence[str]
    stored_summaries: bool
    sockets: bool
    without: str | Sequence[str]
    restarts: int
    random_share: int
    partitioned: bool
    compositional: bool
    grow: bool
    max_length: int | str | Sequence[int | str]
    max_array: int | str | Sequence[int | str]
    graph_depth: int | str | Sequence[int | str]
    eager: bool
    size_of: str | Sequence[str]
    void: str | Sequence[str]
    nonnull: str | Sequence[str]
    range: str | Sequence[str]
    prototype: str | None
    arch: str | None
    base: str | None
    ram: str | Sequence[str]
    find: str | Sequence[str]
    avoid: str | Sequence[str]
    globals: bool
    summarise: str | Sequence[str]
    pre: str | Sequence[str]
    spec: str | Sequence[str]
    sequence: str | None
    max_calls: int
    stdin_size: int
    argv_size: int
    argc: int
    input_files: int
    file_size: int
    register_reads: int
    region: str | Sequence[str]
    interrupt: str | None
    interrupt_calls: int
    mocks: bool
    mock_order: bool
    symbolic_file: str | Sequence[str]
    inputs: str | Sequence[str]
    fail: str | Sequence[str]
    check: str | Sequence[str]
    no_check: str | Sequence[str]
    uninstrumented: str | Sequence[str]
    include: str | Sequence[str]
    define: str | Sequence[str]
    prelude: str | Sequence[str]
    target: str | Sequence[str]
    std: str | None
    cflag: str | Sequence[str]
    link: str | Sequence[str]
    classpath: str | Sequence[str]
    cc: str | None
