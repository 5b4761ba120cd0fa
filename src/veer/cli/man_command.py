"""`veer man`: prints the manual page."""

from __future__ import annotations

from veer.cli.arguments import Given
from veer.cli.commands import COMMANDS
from veer.cli.exit_codes import NOTHING_FOUND
from veer.cli.manual import manual


def run(_given: Given) -> int:
    """Prints it for `man -l -`."""
    print(manual(COMMANDS), end="")
    return NOTHING_FOUND
