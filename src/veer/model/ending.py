"""How a campaign ends: why it stopped, what may be claimed of it, what became of each branch.

The value of a member is its word in summary.json; `sentence` is what the user reads.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class EndingKind(StrEnum):
    """Why a search stopped."""

    sentence: str

    def __new__(cls, word: str, sentence: str) -> EndingKind:
        """A member is its word, and has a sentence."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.sentence = sentence
        return member

    EXHAUSTED = "exhausted", "the search is spent"
    COVERED = (
        "covered",
        "every branch is covered; --no-keep-going ends the search there, other paths may have bugs",
    )
    FOUND = "found", "a place of --find was reached"
    BUDGET = "budget", "the budget of time or memory ran out"
    MAX_RUNS = "max_runs", "the limit of runs was reached"
    MAX_BUGS = "max_bugs", "so many bugs were found as --max-bugs asks for"
    PLATEAU = "plateau", "nothing new was found for long"
    NEW_CODE = "new_code", "a run came to code that was not known before, and no time was left to search it"
    STOPPED = "stopped", "stopped by a signal (Ctrl-C)"
    FAILED = "failed", "veer could not go on"


class Claim(StrEnum):
    """What is known of all runs, within the bounds of the ending, the most first."""

    PATHS = "paths"  # every feasible path was run
    LOCATIONS = "locations"  # every reachable location was reached
    CRITERION = "criterion"  # every branch that can be covered is covered
    NONE = "none"


class BranchState(StrEnum):
    """What became of a side of a source branch."""

    sentence: str

    def __new__(cls, word: str, sentence: str) -> BranchState:
        """A member is its word, and has a sentence."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.sentence = sentence
        return member

    COVERED = "covered", "covered"
    INFEASIBLE = "infeasible", "no input can take it"
    UNREACHED = "unreached", "not reached"
    UNKNOWN = "unknown", "the solver does not know"
    PRUNED = "pruned", "left out by a pruning rule"


class Ending(Struct, frozen=True):
    """Why the campaign stopped and what may be claimed: `claim` holds `within` these bounds; `lost_by`: why no more."""

    kind: EndingKind
    claim: Claim
    within: tuple[str, ...] = ()
    lost_by: tuple[str, ...] = ()
