"""What a user asks for, with the names of the command line, as the options of a campaign, checked.

The command line and the Python API both come through here.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from veer import plugins
from veer.campaign.combinations import require_combination
from veer.campaign.contracts import option_terms, project_terms
from veer.campaign.keywords import Options
from veer.campaign.parsing import one_of
from veer.campaign.seedfiles import digest_of, existing_inputs, longest
from veer.campaign.sources import Flags
from veer.campaign.values import chosen, own_bounds
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.options import BUILD, SEARCH
from veer.model.searchoptions import SearchOptions, SearchSwitches
from veer.model.types import BoundKind
from veer.search.partitioned.given import parse
from veer.search.protocol import PLAIN
from veer.search.strategies.registry import GROUP, names

_BOUNDS_OF_BYTES = ("max_length", "stdin_size", "file_size")
_SWITCHES = frozenset(each.name for each in fields(SearchSwitches))


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
    search, asked_by = _search(given)
    values = {name: value for name, value in chosen(SEARCH, given).items() if name not in _SWITCHES}
    options = SearchOptions(
        **{
            **values,
            "search": search,
            "strategy": _strategy(values.get("strategy", SearchOptions().strategy)),
            "partition": _partition(given),
            "checks_partition": given.get("check_partition") is not None,
            "seeds_digest": _seeds_digest(values.get("seeds", ())),
            "growing": _growing(given),
            "hybrid": _hybrid(given),
        }
    )
    require_combination(options, asked_by)
    return options


def build_options(sources: tuple[Path, ...], entry: str, given: Options, flags_of: Flags = ()) -> BuildOptions:
    """What decides the executable. Raises UsageError for a value that cannot be."""
    without = chosen(SEARCH, given).get("without", ())
    values = chosen(BUILD, given)
    build = BuildOptions(
        sources,
        entry,
        **{
            **values,
            **_room_for_seeds(given),
            "contracts": (
                *project_terms(sources, values.get("include", ())),
                *option_terms(values.get("not_null", ()), values.get("ranges", ())),
            ),
            "own_bounds": own_bounds(BUILD, given),
            "flags_of": flags_of,
            "has_fast_path": "copies" not in without,
            "loops": "loops" not in without,
        },
    )
    if build.max_calls != BuildOptions((), "").max_calls and not build.sequence:
        raise UsageError("--max-calls bounds the calls of --sequence: give that, too, or leave --max-calls out")
    if build.summarise and _search(given)[0] != "compositional":
        raise UsageError(
            f"--summarise {build.summarise[0]} says what a search by summaries summarises: add --compositional"
        )
    return build


def _search(given: Options) -> tuple[str, str]:
    """The name of the search, and the option that asks for it; several options must ask for the same."""
    asked = {name: "partitioned" for name in ("partitioned", "partition", "check_partition") if given.get(name)}
    if given.get("compositional"):
        asked["compositional"] = "compositional"
    if len({*asked.values()}) > 1:
        raise UsageError("--compositional and --partitioned divide the search in different ways: give one of them")
    flag, search = next(iter(asked.items()), ("search", ""))
    named = given.get("search") or "plain"
    if search and named not in ("plain", search):
        raise UsageError(f"--search {named} and --{flag.replace('_', '-')} name two searches: give one of them")
    return (search, f"--{flag.replace('_', '-')}") if search else (named, f"--search {named}")


def _hybrid(given: Options) -> bool:
    """Whether changed inputs are run in between: not where the user names the search or the strategy."""
    named = "search" if given.get("search") == PLAIN else "strategy" if given.get("strategy") is not None else ""
    if named and given.get("hybrid"):
        raise UsageError(f"--hybrid is a part of the usual search and --{named} names one: leave one of the two out")
    return not named and given.get("hybrid") is not False


def _growing(given: Options) -> tuple[str, ...]:
    """The bounds of the inputs that may grow: all but those that the user gave, as their options are called."""
    if given.get("grow") is False:
        return ()
    return tuple(kind.value for kind in BoundKind if given.get(kind.value.replace("-", "_")) is None)


def _seeds_digest(names: tuple[str, ...]) -> str:
    return digest_of(existing_inputs(names)) if names else ""


def _room_for_seeds(given: Options) -> dict[str, int]:
    """Bounds as large as the inputs that exist, but for those that the user gave."""
    names = chosen(SEARCH, given).get("seeds", ())
    size = longest(existing_inputs(names)) if names else 0
    usual = BuildOptions((), "")
    larger = [name for name in _BOUNDS_OF_BYTES if given.get(name) is None and size > getattr(usual, name)]
    return dict.fromkeys(("seed_size", *larger), size)


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
    except (OSError, ValueError) as error:
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
    return name if name in plugins.own_names(GROUP) else one_of(name, names(), "--strategy")
