"""A program's replay builds in the cache."""

from __future__ import annotations

import msgspec

from veer.frontends.c.exchange import ReplayBuilds, decode, encode
from veer.model.program import Program
from veer.toolchain.cache import Cache, digest


def replay_key(program: Program) -> str:
    """The key of a program's replay builds: that of its executable, with a version of their form."""
    return digest("replay", program.executable.name)


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
