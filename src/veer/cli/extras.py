"""An extra that is missing, where `./veer` has set veer up: the launcher installs it, and the command begins again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from veer.model.errors import MissingExtraError
from veer.toolchain.session import end_children

LAUNCHER = "VEER_LAUNCHER"
"""The path of `./veer`, which sets it; not there where pip has installed veer."""
EXTRA = "VEER_EXTRA"
"""What the launcher is to install first. It stays set behind that, so that nothing is installed twice."""


def begun_again(error: MissingExtraError, words: Sequence[str]) -> None:
    """Starts the launcher with the same words in place of this process, if there is one and it was not asked yet."""
    launcher = os.environ.get(LAUNCHER)
    if launcher is None or EXTRA in os.environ or not os.access(launcher, os.X_OK):
        return
    end_children()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(launcher, [launcher, *words], {**os.environ, EXTRA: error.extra})
