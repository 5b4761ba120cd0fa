"""Runs the hand-instrumented cases of tracer/cases.c in a real executor: tracer and engine, no front end."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from veer.toolchain.cache import digest
from veer.toolchain.compiler import RUNTIME_FLAGS, Toolchain, find
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link
from veer.toolchain.runtime import INCLUDE, runtime_objects, runtime_version
from veer.wire.layout import NONE, Command, Kind, Loss, Outcome
from veer.wire.shared import Shared

CASES = Path(__file__).parent / "tracer" / "cases.c"


def executable() -> Path:
    """The linked cases, built once for each version of runtime and cases."""
    toolchain: Toolchain = find()
    texts = [path.read_bytes() for path in sorted(CASES.parent.iterdir())]
    key = digest("tracer cases", runtime_version(), toolchain.identity, *texts)
    found = toolchain.cache.find("tests", key, ".exe")
    if found is not None:
        return found
    objects = runtime_objects(toolchain)
    with toolchain.cache.lock(f"tests-{key}"), toolchain.cache.scratch() as scratch:
        made, output = scratch / "cases.o", scratch / "cases"
        said = compile_object(toolchain, CASES, made, (*RUNTIME_FLAGS, "-O0", "-I", str(INCLUDE)))
        assert said.code == 0, said.messages
        # The tables of the cases are read by their section alone.
        said = link(toolchain, [made, *objects], output, ("-Wl,--no-gc-sections",))
        assert said.code == 0, said.messages
        toolchain.cache.publish(output, "tests", key, ".exe")
    return toolchain.cache.path("tests", key, ".exe")


@dataclass(frozen=True)
class Event:
    """A decision; `holds` is the alternative taken."""

    kind: Kind
    site: int
    holds: int
    literal: int
    alternatives: int
    flags: int
    context: int


@dataclass
class Process:
    """An executor for one case. After `run`, the shared memory holds the trace and the outcome."""

    case: str
    verify: bool = True
    shared: Shared = field(default_factory=Shared)

    def __post_init__(self) -> None:
        self.shared.options.max_steps = 100_000
        self.shared.counts.edge_count = 4096
        self.shared.options.heap_limit = 16 << 20
        self.shared.options.guard_siblings = 64
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the process)
        self.start()

    def start(self) -> None:
        """Starts the process, or another one on the same shared memory."""
        command_out, command_in = os.pipe()
        reply_out, reply_in = os.pipe()
        numbers = (self.shared.descriptor, command_out, reply_in)
        environment = {"VEER_CASE": self.case, "VEER_SHOW_OUTPUT": "1"} | ({"VEER_VERIFY": "1"} if self.verify else {})
        self.process = subprocess.Popen(
            [str(executable()), *map(str, (*numbers, os.getpid()))],
            pass_fds=numbers,
            env=environment,
            stderr=self.errors,
        )
        os.close(command_out)
        os.close(reply_in)
        self.commands, self.replies = command_in, reply_out

    def command(self, command: Command) -> int | None:
        """The reply, or None when the process died."""
        os.write(self.commands, bytes([command]))
        reply = os.read(self.replies, 1)
        return reply[0] if reply else None

    def run(self, input: bytes = b"", *, record: bool = True, filler: int = 0) -> int | None:
        """One run from the root."""
        self.shared.region("inbox")[: len(input)] = list(input)
        self.shared.command.inbox_length = len(input)
        self.shared.command.record = int(record)
        self.shared.command.filler = filler
        return self.command(Command.RUN)

    def close(self) -> None:
        """Ends it by closing its pipe."""
        os.close(self.commands)
        self.process.wait(10)
        os.close(self.replies)

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.shared.run.last_outcome)

    @property
    def events(self) -> list[Event]:
        return [
            Event(
                Kind(int(each["kind"])),
                int(each["site"]),
                int(each["alternative"]),
                int(each["literal"]),
                int(each["alternatives"]),
                int(each["flags"]),
                int(each["context"]),
            )
            for each in self.shared.published("trace")
        ]

    @property
    def decisions(self) -> list[tuple[str, int, int]]:
        """(kind, site, alternative) of each event."""
        return [(each.kind.name, each.site, each.holds) for each in self.events]

    @property
    def input(self) -> bytes:
        """The input of the last run, as the run left it."""
        if self.shared.run.last_path != NONE:
            return self.shared.input_of(self.shared.run.last_path)
        start = self.shared.counts.input_bytes
        return self.shared.region("inputs")[start : start + self.shared.run.current_length].tobytes()

    @property
    def result(self) -> bytes:
        return self.shared.published("result").tobytes()

    @property
    def losses(self) -> set[Loss]:
        return {Loss(int(each["kind"])) for each in self.shared.published("ledger")}

    @property
    def message(self) -> str:
        number = self.shared.run.last_report
        assert number != NONE
        return bytes(self.shared.region("reports")[number]["message"]).decode()

    @property
    def site(self) -> int:
        return int(self.shared.region("reports")[self.shared.run.last_report]["site"])

    def said(self) -> dict[str, int]:
        """What the case printed as name=value, the last of each name."""
        self.errors.seek(0)
        return {line.split("=")[0]: int(line.split("=")[1]) for line in self.errors.read().splitlines() if "=" in line}

    def words(self) -> str:
        """Its standard error."""
        self.errors.seek(0)
        return self.errors.read()
