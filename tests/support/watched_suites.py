"""Builds suites with the monitors of their specifications, as the head of the suite says."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from suite_builds import Built

WARNED = ("-Wall", "-Wextra", "-Werror")


def head_commands(suite: Path) -> list[str]:
    """The lines of the head that build it with monitors, without the one that runs it."""
    head = suite.read_text().partition("*/")[0]
    lines = [line.removeprefix(" *").strip() for line in head.splitlines()]
    behind = lines[lines.index("With the monitors of its specifications, which end a test whose calls violate one:") :]
    return [line for line in behind if line.startswith("gcc ")]


def build_watched(suite: Path, compiler: Sequence[str], *flags: str) -> Built:
    """The suite, built by the words of `compiler` in the place of gcc."""
    commands = head_commands(suite)
    assert len(commands) > 2
    for line in commands:
        own = line.replace("gcc ", shlex.join((*compiler, *flags)) + " ", 1)
        done = subprocess.run(["sh", "-c", own], cwd=suite.parent, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{own}\n{done.stderr}"
        assert not done.stderr or compiler[0].endswith("zig"), done.stderr
    return Built(suite.parent / f"{suite.stem}_watched")
