"""What a user asks for, with the names of the command line, as the options of a campaign, checked.

The command line and the Python API both come through here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from veer.campaign.parsing import at_least, bounds, duration, listed, one_of
from veer.campaign.sources import Flags
from veer.model.errors import UsageError
from veer.model.options import ALL_PATHS, CRITERIA, GOALS, INPUTS, STRATEGIES, WITHOUT, BuildOptions, SearchOptions
from veer.search.partitioned.given import parse
from veer.search.strategies.registry import names

_LEAST_MEMORY = 64  # MiB


class Options(TypedDict, total=False):
    """The options of `veer test`, as `veer test --help` explains them; `-I` is include, `-D` define.

    Times are seconds, or texts like "500ms", "60s", "2m". What may be given again is a sequence.
    """

    strategy: str
    goal: str
    criterion: str
    budget: str | float
    max_runs: int
    plateau: int
    keep_going: bool
    max_branches: int
    max_steps: int
    timeout: str | float
    look_ahead: bool
    max_call_depth: int | None
    solve_first: bool
    partitioned: bool
    partition: str | Path
    check_partition: str | Path
    solver: str
    seed: int
    batch: int
    jobs: int
    campaign_memory: int  # MiB
    without: Sequence[str]
    max_length: int | str | Sequence[int | str]  # 16, "name=16", [8, "name=16"]
    max_array: int | str | Sequence[int | str]
    graph_depth: int | str | Sequence[int | str]
    eager: bool
    size_of: Sequence[str]
    void: Sequence[str]
    globals: bool
    pre: Sequence[str]
    compositional: bool
    summarise: Sequence[str]
    sequence: str
    max_calls: int
    stdin_size: int
    argv_size: int
    argc: int
    symbolic_file: Sequence[str]
    inputs: Sequence[str]
    check: Sequence[str]
    uninstrumented: Sequence[str]
    include: Sequence[str]
    define: Sequence[str]
    std: str | None
    cflag: Sequence[str]
    link: Sequence[str]
    cc: str | None


def search_options(given: Options) -> SearchOptions:
    """What decides the search. Raises UsageError for a value that cannot be."""
    default = SearchOptions()
    solve_first = given.get("solve_first", default.solve_first)
    depth = given.get("max_call_depth")
    criterion = one_of(given.get("criterion", default.criterion), CRITERIA, "--criterion")
    if given.get("look_ahead") and criterion in ALL_PATHS:
        raise UsageError(
            f"--look-ahead leaves out paths to no uncovered branch, and --criterion {criterion} may need them:"
            " leave one of the two out"
        )
    return SearchOptions(
        strategy=_strategy(given.get("strategy", default.strategy), given),
        goal=one_of(given.get("goal", default.goal), GOALS, "--goal"),
        look_ahead=given.get("look_ahead", default.look_ahead),
        max_call_depth=None if depth is None else at_least(depth, 0, "--max-call-depth"),
        solve_first=solve_first,
        partitioned=_partitioned(given),
        partition=_partition(given),
        checks_partition="check_partition" in given,
        solver=given.get("solver", default.solver),
        criterion=criterion,
        budget=duration(str(given.get("budget", default.budget)), "--budget"),
        max_runs=at_least(given.get("max_runs", default.max_runs), 0, "--max-runs"),
        plateau=at_least(given.get("plateau", default.plateau), 0, "--plateau"),
        keep_going=given.get("keep_going", default.keep_going),
        max_branches=at_least(given.get("max_branches", default.max_branches), 0, "--max-branches"),
        max_steps=at_least(given.get("max_steps", default.max_steps), 1, "--max-steps"),
        timeout=duration(str(given.get("timeout", default.timeout)), "--timeout"),
        seed=at_least(given.get("seed", default.seed), 0, "--seed"),
        batch=at_least(given.get("batch", default.batch), 1, "--batch"),
        jobs=at_least(given.get("jobs", default.jobs), 1, "--jobs"),
        campaign_memory=at_least(
            given.get("campaign_memory", default.campaign_memory >> 20), _LEAST_MEMORY, "--campaign-memory"
        )
        << 20,
        without=_without(listed(given.get("without", ()))),
    )


def build_options(sources: tuple[Path, ...], entry: str, given: Options, flags_of: Flags = ()) -> BuildOptions:
    """What decides the executable. Raises UsageError for a value that cannot be."""
    default = BuildOptions(sources, entry)
    length, own_length = bounds(given.get("max_length", ()), default.max_length, "--max-length")
    array, own_array = bounds(given.get("max_array", ()), default.max_array, "--max-array")
    if "max_calls" in given and given["max_calls"] != default.max_calls and not given.get("sequence"):
        raise UsageError("--max-calls bounds the calls of --sequence: give that, too, or leave --max-calls out")
    depth, own_depth = bounds(given.get("graph_depth", ()), default.graph_depth, "--graph-depth")
    return BuildOptions(
        sources=sources,
        entry=entry,
        flags_of=flags_of,
        include=tuple(given.get("include", ())),
        define=tuple(given.get("define", ())),
        std=given.get("std"),
        cflags=tuple(given.get("cflag", ())),
        link=tuple(given.get("link", ())),
        cc=given.get("cc"),
        checks=listed(given.get("check", ())),
        uninstrumented=listed(given.get("uninstrumented", ())),
        max_length=length,
        max_array=array,
        graph_depth=depth,
        eager=given.get("eager", default.eager),
        own_bounds=(*own_length, *own_array, *own_depth),
        size_of=tuple(given.get("size_of", ())),
        void=tuple(given.get("void", ())),
        globals=given.get("globals", default.globals),
        preconditions=listed(given.get("pre", ())),
        compositional=_compositional(given),
        sequence=given.get("sequence", default.sequence),
        max_calls=at_least(given.get("max_calls", default.max_calls), 1, "--max-calls"),
        stdin_size=at_least(given.get("stdin_size", default.stdin_size), 0, "--stdin-size"),
        argv_size=at_least(given.get("argv_size", default.argv_size), 0, "--argv-size"),
        argc=at_least(given.get("argc", default.argc), 1, "--argc"),
        files=tuple(given.get("symbolic_file", ())),
        inputs=_inputs(listed(given.get("inputs", ()))),
        partitioned=_partitioned(given),
        two_copies="copies" not in listed(given.get("without", ())),
        loops="loops" not in listed(given.get("without", ())),
        summarise=_summarise(given),
    )


def _inputs(names: tuple[str, ...]) -> tuple[str, ...]:
    """The functions whose answers are inputs, each once, in the order of INPUTS."""
    for name in names:
        if name not in INPUTS:
            raise UsageError(f"--inputs {name}: its answers cannot be inputs; known are {', '.join(INPUTS)}")
    return tuple(name for name in INPUTS if name in names)


def _without(names: tuple[str, ...]) -> tuple[str, ...]:
    """The optimisations to switch off, each once, in the order of WITHOUT."""
    for name in names:
        if name not in WITHOUT:
            raise UsageError(f"--without {name}: there is no such optimisation; known are {', '.join(WITHOUT)}")
    return tuple(name for name in WITHOUT if name in names)


def _summarise(given: Options) -> tuple[str, ...]:
    """The units of summary that are named."""
    named = listed(given.get("summarise", ()))
    if named and not given.get("compositional", False):
        raise UsageError(f"--summarise {named[0]} says what a search by summaries summarises: add --compositional")
    return tuple(named)


def _compositional(given: Options) -> bool:
    """Whether the search is by summaries, if the other options allow it."""
    compositional = given.get("compositional", False)
    if compositional and given.get("jobs", 1) > 1:
        raise UsageError("--compositional searches in one process: leave --jobs out")
    if compositional and _partitioned(given):
        raise UsageError("--compositional and --partitioned divide the search in different ways: give one of them")
    if compositional and given.get("criterion", "branch") in ALL_PATHS:
        raise UsageError("--compositional does not run every path: leave --criterion at branch")
    return compositional


def _partitioned(given: Options) -> bool:
    """Whether the search is block by block. One process knows the blocks of all paths."""
    named = next((name for name in ("partitioned", "partition", "check_partition") if given.get(name)), "")
    if named and given.get("jobs", 1) > 1:
        raise UsageError(f"--{named.replace('_', '-')} searches in one process: leave --jobs out")
    return bool(named)


def _partition(given: Options) -> tuple[tuple[str, ...], ...]:
    """The blocks to begin with: names of inputs."""
    if "partition" in given and "check_partition" in given:
        raise UsageError("--partition merges what interferes, --check-partition only tells of it: give one of them")
    name = given.get("partition", given.get("check_partition"))
    if name is None:
        return ()
    try:
        text = Path(name).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the partition {name} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    blocks = parse(text)
    if not blocks:
        raise UsageError(f"the partition {name} names no input: a line for each block, with names of its inputs")
    twice = [each for each, count in Counter(each for block in blocks for each in block).items() if count > 1]
    if twice:
        raise UsageError(f"the partition {name} names {twice[0]} twice: an input is in one block")
    return blocks


def _strategy(name: str, given: Options) -> str:
    """The strategy's name, if it is veer's own or an installed package's."""
    if given.get("solve_first") and name != "dfs":
        raise UsageError("--solve-first is an order of depth-first search: give --strategy dfs with it")
    return name if name in STRATEGIES else one_of(name, names(), "--strategy")
