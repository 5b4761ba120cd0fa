"""`veer completion`: prints what makes a shell complete veer's commands and options."""

from __future__ import annotations

from veer.cli.arguments import Given
from veer.cli.commands import COMMANDS
from veer.cli.completion import SHELLS
from veer.cli.exit_codes import NOTHING_FOUND
from veer.model.errors import UsageError


def run(given: Given) -> int:
    """Prints the script. Raises UsageError for a shell that veer does not know."""
    shell = str(given["shell"])
    if shell not in SHELLS:
        raise UsageError(f"{shell}: veer knows no such shell; give {', '.join(SHELLS)}")
    print(SHELLS[shell](COMMANDS), end="")
    return NOTHING_FOUND
