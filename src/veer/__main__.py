"""`python -m veer`."""

from __future__ import annotations

from veer.cli.app import command

if __name__ == "__main__":
    command()
