"""Java sources of tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


def java_source(tmp_path_factory: pytest.TempPathFactory, name: str, text: str) -> Path:
    """A file NAME.java with this text, for all tests of a module; skips them where no JDK could compile it."""
    if shutil.which("javac") is None:
        pytest.skip("there is no JDK on this machine")
    made = tmp_path_factory.mktemp(name.lower()) / f"{name}.java"
    made.write_text(text)
    return made
