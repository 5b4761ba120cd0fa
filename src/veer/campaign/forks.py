"""What a process does before it forks campaigns, so that no fork does it again."""

from __future__ import annotations

import gc

from veer.campaign import session
from veer.campaign.deliver import load_writers
from veer.campaign.languages import language_of
from veer.frontends.llvm import builderprocess
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.strategies import registry as strategies
from veer.smt.registry import chosen


def before_forks(build: BuildOptions, search: SearchOptions) -> None:
    """Starts the build server, and loads what each campaign with these options will use.

    Raises UsageError for what is not there, as the campaign itself would.
    """
    builderprocess.start()
    chosen(search.solver)
    strategies.require(search.strategy)
    session.search_of(search)
    load_writers(language_of(build.sources).name)
    gc.freeze()  # what is loaded is never garbage: forks need not look at it, nor copy its pages
