"""An executor as a script, without any engine: a plan beside it says what each node's run does to the process.

argv: shared memory, commands, replies, as the real one. A line of the plan is a node and a word: die (in user code),
early (before the target is reached), engine (outside of user code), exit, hang, restart, full, stop.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from veer.wire.layout import CONTROL, NONE, REGIONS, Command, Reply, State, region_offsets
from veer.wire.shared import Control


class Scripted:
    """The loop of a scripted executor."""

    def __init__(self, descriptor: int, plan: dict[int, str]) -> None:
        offsets, size = region_offsets()
        memory = mmap.mmap(descriptor, size)
        dtypes = {region.name: region.dtype for region in REGIONS}
        self.control = Control(np.frombuffer(memory, CONTROL, count=1))
        self.ids = np.frombuffer(memory, dtypes["ids"], count=1024, offset=offsets["ids"])
        self.state = np.frombuffer(memory, "u1", count=1024, offset=offsets["tree_state"])
        self.plan = plan

    def expand(self) -> Reply:
        control = self.control
        for node in self.ids[: control["id_count"]].tolist():
            if control["stop"]:
                return Reply.DONE
            reply = self.one(node)
            control["current_node"] = NONE
            if reply is Reply.FULL:
                return reply
            control["ids_done"] += 1
            if reply is Reply.RESTART:
                return reply
        return Reply.DONE

    def one(self, node: int) -> Reply:
        control, what = self.control, self.plan.get(node, "ok")
        if self.state[node] != State.OPEN:
            return Reply.DONE
        control["current_node"] = node
        if what == "engine":
            os.kill(os.getpid(), signal.SIGSEGV)
        control["running"] = 1
        if what in ("die", "early"):
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "exit":
            os._exit(3)
        if what == "hang":
            while True:
                time.sleep(1000)
        control["running"] = 0
        if what == "full":
            return Reply.FULL
        control["runs"] += 1
        self.state[node] = State.TAKEN
        if what == "stop":
            control["stop"] = 1
        return Reply.RESTART if what == "restart" else Reply.DONE

    def run(self) -> Reply:
        self.control["runs"] += 1
        self.state[self.ids[: self.control["id_count"]]] = State.TAKEN
        return Reply.DONE

    def rescan(self) -> Reply:
        """The engine's part: the run reached its target, but for `early`."""
        control, node = self.control, self.control["current_node"]
        if self.plan.get(node) == "rescan-dies":
            os._exit(1)
        if self.plan.get(node) != "early":
            self.state[node] = State.TAKEN
        control["last_outcome"] = control["crash_outcome"]
        control["path_count"] += 1
        control["runs"] += 1
        return Reply.DONE


def main() -> None:
    plan = {int(k): w for k, w in (line.split() for line in Path(sys.argv[0] + ".plan").read_text().splitlines())}
    if plan.get(-1) == "no-start":
        sys.exit("libsomething.so: cannot open")
    scripted = Scripted(int(sys.argv[1]), plan)
    while byte := os.read(int(sys.argv[2]), 1):
        reply = Reply.DONE
        match Command(byte[0]):
            case Command.EXPAND:
                reply = scripted.expand()
            case Command.RUN | Command.FOLLOW:
                reply = scripted.run()
            case Command.RESCAN:
                reply = scripted.rescan()
            case Command.QUIT:
                return
        os.write(int(sys.argv[3]), bytes([reply]))


if __name__ == "__main__":
    main()
