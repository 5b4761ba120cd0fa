"""What veer runs comes from a cache that nobody else can write to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache


def test_a_cache_of_ones_own_is_closed_to_others(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    Cache(root).require_own()
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    root.chmod(0o777)
    Cache(root).require_own()
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


def test_a_cache_of_another_users_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = tmp_path
    monkeypatch.setattr(os, "geteuid", lambda: others.stat().st_uid + 1)
    if others.stat().st_uid:
        with pytest.raises(ToolchainError, match="can be written by another user"):
            Cache(others).require_own()
    else:
        Cache(others).require_own()  # root's, which nobody else can write to
        others.chmod(0o777)
        with pytest.raises(ToolchainError, match="can be written by another user"):
            Cache(others).require_own()
