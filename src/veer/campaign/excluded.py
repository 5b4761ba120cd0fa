"""Contracts that leave no input: a predicate that holds for none of those that the others allow."""

from __future__ import annotations

from veer.model.ending import Claim
from veer.model.errors import UsageError
from veer.model.result import Result


def require_inputs(result: Result) -> None:
    """Raises UsageError where all inputs were tried, and none satisfied the entry's preconditions."""
    program, ending = result.program, result.ending
    if not program.preconditions or result.tests or result.bugs or ending.claim is not Claim.PATHS:
        return
    asked = program.asked_by[0] if program.asked_by else f"--pre {program.preconditions[0]}"
    within = f" within {', '.join(ending.within)}" if ending.within else ""
    named = " and ".join(program.preconditions)
    raise UsageError(
        f"{asked}: no input{within} satisfies {named}, so that {program.entry} is never called;"
        " change the predicate, a range, or a bound"
    )
