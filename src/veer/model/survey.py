"""What `veer test --all` found: each function in turn, and all of them together."""

from __future__ import annotations

from msgspec import Struct

from veer.model.ending import Ending
from veer.model.result import Count


class Row(Struct, frozen=True):
    """One function. `why_not`: why it was not tested, or empty; then the rest says nothing.

    `bugs`: those that break no contract and are in no baseline; `errors` of them are of severity ERROR. `breaking`:
    those that break a contract.
    """

    function: str
    place: str
    why_not: str = ""
    paths: int = 0
    branches: Count | None = None
    bugs: int = 0
    errors: int = 0
    breaking: int = 0
    seconds: float = 0.0
    ending: Ending | None = None
    remarks: tuple[str, ...] = ()  # what the user should know: the suite does not compile, a test ended otherwise


class Survey(Struct, frozen=True):
    """All functions in their order. `branches` and `bugs` are those of all together, each counted once.

    `bugs`: place, function, message, and the name of the folder that holds the test; `contracts`: of severity CONTRACT
    a sentence for each cause; `breaking`: how many bugs they are; `accepted`: bugs of
    the baseline.
    """

    rows: tuple[Row, ...]
    branches: Count
    bugs: tuple[tuple[str, str, str, str], ...]
    seconds: float
    contracts: tuple[str, ...] = ()
    breaking: int = 0
    accepted: int = 0
