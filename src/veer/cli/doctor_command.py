"""`veer doctor`: what veer found on this machine, and what it lacks."""

from __future__ import annotations

from veer.campaign.confining import facts as sandbox
from veer.cli.arguments import Given
from veer.cli.exit_codes import MISSING, NOTHING_FOUND
from veer.toolchain.probe import probe

_MARKS = {True: "ok", False: "NO", None: "--"}


def run(_given: Given) -> int:
    """Prints a line a fact."""
    facts = [*probe(), *sandbox()]
    width = max(len(fact.what) for fact in facts)
    for fact in facts:
        print(f"{_MARKS[fact.ok]}  {fact.what:<{width}}  {fact.detail}".rstrip())
    missing = [fact.what for fact in facts if fact.ok is False]
    print(f"missing: {', '.join(missing)}" if missing else "veer has all that it needs")
    return MISSING if missing else NOTHING_FOUND
