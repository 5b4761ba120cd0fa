"""`veer doctor`: what veer found on this machine, and what it lacks."""

from __future__ import annotations

import typer

_MARKS = {True: "ok", False: "NO", None: "--"}


def doctor() -> int:
    """Say what is there and what is missing. Exit code 1: something that veer needs is missing."""
    from veer.toolchain.probe import probe

    facts = probe()
    width = max(len(fact.what) for fact in facts)
    for fact in facts:
        typer.echo(f"{_MARKS[fact.ok]}  {fact.what:<{width}}  {fact.detail}".rstrip())
    missing = [fact.what for fact in facts if fact.ok is False]
    typer.echo(f"missing: {', '.join(missing)}" if missing else "veer has all that it needs")
    return 1 if missing else 0
