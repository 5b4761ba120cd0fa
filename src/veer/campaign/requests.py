"""What a user asks for, with the names of the command line, as the options of a campaign, checked.

The command line and the Python API both come through here.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from veer.campaign.keywords import Options
from veer.campaign.parsing import one_of
from veer.campaign.sources import Flags
from veer.campaign.values import chosen, own_bounds
from veer.model.errors import UsageError
from veer.model.options import ALL_PATHS, BUILD, SEARCH, STRATEGIES, BuildOptions, SearchOptions
from veer.search.partitioned.given import parse
from veer.search.strategies.registry import names


def refuse_unknown(given: Mapping[str, object]) -> None:
    """Raises UsageError for a keyword that is no option; it says which may be meant."""
    known = [each.name for each in (*SEARCH, *BUILD)]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"do you mean {near[0]}?" if near else "`veer test --help` tells of all; write _ for -"
            raise UsageError(f"{name}: there is no such option; {hint}")


def search_options(given: Options) -> SearchOptions:
    """What decides the search. Raises UsageError for a value that cannot be."""
    values = chosen(SEARCH, given)
    search = SearchOptions(
        **{
            **values,
            "strategy": _strategy(values.get("strategy", SearchOptions().strategy)),
            "partitioned": _partitioned(given),
            "partition": _partition(given),
            "checks_partition": given.get("check_partition") is not None,
        }
    )
    if search.look_ahead and search.criterion in ALL_PATHS:
        raise UsageError(
            f"--look-ahead leaves out paths to no uncovered branch, and --criterion {search.criterion} may need them:"
            " leave one of the two out"
        )
    if search.solve_first and search.strategy != "dfs":
        raise UsageError("--solve-first is an order of depth-first search: give --strategy dfs with it")
    return search


def build_options(sources: tuple[Path, ...], entry: str, given: Options, flags_of: Flags = ()) -> BuildOptions:
    """What decides the executable. Raises UsageError for a value that cannot be."""
    without = chosen(SEARCH, given).get("without", ())
    build = BuildOptions(
        sources,
        entry,
        **{
            **chosen(BUILD, given),
            "own_bounds": own_bounds(BUILD, given),
            "flags_of": flags_of,
            "compositional": _compositional(given),
            "partitioned": _partitioned(given),
            "two_copies": "copies" not in without,
            "loops": "loops" not in without,
        },
    )
    if build.max_calls != BuildOptions((), "").max_calls and not build.sequence:
        raise UsageError("--max-calls bounds the calls of --sequence: give that, too, or leave --max-calls out")
    if build.summarise and not build.compositional:
        raise UsageError(
            f"--summarise {build.summarise[0]} says what a search by summaries summarises: add --compositional"
        )
    return build


def _compositional(given: Options) -> bool:
    """Whether the search is by summaries, if the other options allow it."""
    compositional = bool(given.get("compositional"))
    if compositional and (given.get("jobs") or 1) > 1:
        raise UsageError("--compositional searches in one process: leave --jobs out")
    if compositional and _partitioned(given):
        raise UsageError("--compositional and --partitioned divide the search in different ways: give one of them")
    if compositional and given.get("criterion") in ALL_PATHS:
        raise UsageError("--compositional does not run every path: leave --criterion at branch")
    return compositional


def _partitioned(given: Options) -> bool:
    """Whether the search is block by block. One process knows the blocks of all paths."""
    named = next((name for name in ("partitioned", "partition", "check_partition") if given.get(name)), "")
    if named and (given.get("jobs") or 1) > 1:
        raise UsageError(f"--{named.replace('_', '-')} searches in one process: leave --jobs out")
    return bool(named)


def _partition(given: Options) -> tuple[tuple[str, ...], ...]:
    """The blocks to begin with: names of inputs."""
    begins, checked = given.get("partition"), given.get("check_partition")
    if begins is not None and checked is not None:
        raise UsageError("--partition merges what interferes, --check-partition only tells of it: give one of them")
    name = checked if begins is None else begins
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


def _strategy(name: str) -> str:
    """The strategy's name, if it is veer's own or an installed package's."""
    return name if name in STRATEGIES else one_of(name, names(), "--strategy")
