"""Which options of a search go together: the one table. What makes no sense together is refused by a sentence."""

from __future__ import annotations

from veer.campaign.session import search_of
from veer.model.errors import UsageError
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.search.protocol import Ability


def require_combination(options: SearchOptions, asked_by: str = "", *, is_resumed: bool = False) -> None:
    """Raises UsageError for options that do not go together, and for a search that there is not.

    `asked_by`: the option that asked for the search, as the user wrote it. A search that cannot go on with a saved one
    leaves that to the plain search, which goes together with all.
    """
    abilities = search_of(options).abilities
    if is_resumed and Ability.RESUME not in abilities:
        return
    asked = {
        Ability.WORKERS: options.jobs != 1 or bool(options.cluster),
        Ability.EVERY_PATH: options.criterion in ALL_PATHS,
        Ability.SEEDS: bool(options.seeds),
        Ability.PRUNING: options.look_ahead or options.max_call_depth is not None or options.solve_first,
    }
    for ability, is_asked in asked.items():
        if is_asked and ability not in abilities:
            raise UsageError(f"{asked_by or f'--search {options.search}'} {ability.value}")
    if options.look_ahead and options.criterion in ALL_PATHS:
        raise UsageError(
            f"--look-ahead leaves out paths to no uncovered branch, and --criterion {options.criterion} may need them:"
            " leave one of the two out"
        )
    if options.random_share > 100:
        raise UsageError(f"--random-share {options.random_share}: it is a number of 100 picks; give 0 to 100")
    if options.solve_first and options.strategy != "dfs":
        raise UsageError("--solve-first is an order of depth-first search: give --strategy dfs with it")
