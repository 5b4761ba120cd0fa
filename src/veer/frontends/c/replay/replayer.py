"""The C replayer: native tests whose builds the front end makes beside the search."""

from __future__ import annotations

from functools import partial

from veer.frontends.c.build import marked_build, replay_builds
from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.frontends.protocol import Built
from veer.toolchain.compiler import Toolchain


def c_replayer(built: Built, toolchain: Toolchain, seconds: float) -> NativeReplayer:
    """What runs tests of this program again, each for at most `seconds`."""
    of = (built.program, built.options, toolchain)
    return NativeReplayer(built, toolchain, seconds, partial(replay_builds, *of), partial(marked_build, *of))
