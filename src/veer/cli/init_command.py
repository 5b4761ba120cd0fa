"""`veer init`: writes a veer.toml for the project in the working directory."""

from __future__ import annotations

from pathlib import Path

from veer.campaign.newproject import settings_text
from veer.campaign.projects import NAME
from veer.cli.arguments import Given
from veer.cli.exit_codes import NOTHING_FOUND
from veer.model.errors import StoreError, UsageError


def run(given: Given) -> int:
    """Writes the file, and says what it found. Raises UsageError when there is one already, or no source."""
    file = Path(NAME)
    if file.exists():
        raise UsageError(f"there is a {NAME} here already; edit it (docs/settings.md says what it may hold)")
    text = settings_text(Path.cwd(), given.get("sources", ()))
    try:
        file.write_text(text)
    except OSError as error:
        raise StoreError(f"{file.absolute()} cannot be written: {error.strerror}") from error
    print(text, end="")
    print(f"\nwritten: {NAME}; now `veer test` tests every function of these sources")
    return NOTHING_FOUND
