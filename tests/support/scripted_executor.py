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

from veer.wire.control import CommandArguments, Counts, RunState
from veer.wire.layout import CONTROL, NONE, REGIONS, Command, Reply, State, region_offsets


class Scripted:
    """The loop of a scripted executor."""

    def __init__(self, descriptor: int, plan: dict[int, str]) -> None:
        offsets, size = region_offsets()
        memory = mmap.mmap(descriptor, size)
        dtypes = {region.name: region.dtype for region in REGIONS}
        control = np.frombuffer(memory, CONTROL, count=1)
        self.counts, self.command, self.run_state = Counts(control), CommandArguments(control), RunState(control)
        self.ids = np.frombuffer(memory, dtypes["ids"], count=1024, offset=offsets["ids"])
        self.state = np.frombuffer(memory, "u1", count=1024, offset=offsets["tree_state"])
        self.plan = plan

    def expand(self) -> Reply:
        command = self.command
        for node in self.ids[: command.id_count].tolist():
            if command.stop:
                return Reply.DONE
            reply = self.one(node)
            self.run_state.current_node = NONE
            if reply is Reply.FULL:
                return reply
            command.ids_done += 1
            if reply is Reply.RESTART:
                return reply
        return Reply.DONE

    def one(self, node: int) -> Reply:
        run, what = self.run_state, self.plan.get(node, "ok")
        if self.state[node] != State.OPEN:
            return Reply.DONE
        run.current_node = node
        if what == "engine":
            os.kill(os.getpid(), signal.SIGSEGV)
        run.running = 1
        if what in ("die", "early"):
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "exit":
            os._exit(3)
        if what == "hang":
            while True:
                time.sleep(1000)
        run.running = 0
        if what == "full":
            return Reply.FULL
        self.counts.runs += 1
        self.state[node] = State.TAKEN
        if what == "stop":
            self.command.stop = 1
        return Reply.RESTART if what == "restart" else Reply.DONE

    def run(self) -> Reply:
        self.counts.runs += 1
        self.state[self.ids[: self.command.id_count]] = State.TAKEN
        return Reply.DONE

    def rescan(self) -> Reply:
        """The engine's part: the run reached its target, but for `early`."""
        run = self.run_state
        node = run.current_node
        if self.plan.get(node) == "rescan-dies":
            os._exit(1)
        if self.plan.get(node) != "early":
            self.state[node] = State.TAKEN
        run.last_outcome = run.crash_outcome
        self.counts.path_count += 1
        self.counts.runs += 1
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
