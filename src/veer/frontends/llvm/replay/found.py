"""Replay builds in the cache."""

from __future__ import annotations

from pathlib import Path

import msgspec

from veer.frontends.llvm.exchange import decode, encode
from veer.frontends.llvm.replay.made import ReplayBuilds
from veer.toolchain.cache import Cache, digest


def replay_key(executable: Path) -> str:
    """The key of the replay builds of the program with this executable."""
    return digest("replay", executable.name)


def keep_replay(cache: Cache, key: str, made: ReplayBuilds) -> None:
    """Stores what was built, so that it is found. Raises ToolchainError."""
    cache.write(encode(made), "counters", key, "-replay.json")


def find_replay(cache: Cache, key: str) -> ReplayBuilds | None:
    """What was built, if it is there still."""
    facts = cache.find("counters", key, "-replay.json")
    if (
        facts is None
        or cache.find("counters", key, "-plain") is None
        or cache.find("counters", key, "-counted") is None
    ):
        return None
    try:
        return decode(facts.read_bytes(), ReplayBuilds)
    except (OSError, msgspec.DecodeError):
        return None
