"""Tests of machine code need what the extra `machine` installs."""

from __future__ import annotations

import importlib.util

import pytest

NEEDS_MACHINE = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pypcode", "unicorn", "elftools")),
    reason="the extra `machine` is not installed (it needs Python 3.12)",
)
