"""`veer doctor`: what veer found on this machine, and what it lacks."""

from __future__ import annotations

import typer

from veer.cli.exit_codes import MISSING, NOTHING_FOUND
from veer.toolchain.probe import probe

_MARKS = {True: "ok", False: "NO", None: "--"}


def run() -> int:
    """Prints a line a fact."""
    facts = probe()
    width = max(len(fact.what) for fact in facts)
    for fact in facts:
        typer.echo(f"{_MARKS[fact.ok]}  {fact.what:<{width}}  {fact.detail}".rstrip())
    missing = [fact.what for fact in facts if fact.ok is False]
    typer.echo(f"missing: {', '.join(missing)}" if missing else "veer has all that it needs")
    return MISSING if missing else NOTHING_FOUND
