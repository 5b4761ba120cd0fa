"""Where what veer has made before lies; `toolchain/cache.py` keeps order there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_root() -> Path:
    """$VEER_CACHE, else $XDG_CACHE_HOME/veer, else ~/.cache/veer."""
    if named := os.environ.get("VEER_CACHE"):
        return Path(named).absolute()
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base).absolute() / "veer"
    try:
        return Path.home() / ".cache" / "veer"
    except RuntimeError:
        # A user without a home directory, as in some containers.
        return Path(tempfile.gettempdir()) / f"veer-{os.getuid()}"
