"""A Ray cluster on one machine whose nodes have a network namespace each, joined by a bridge: it needs root.

this machine: 10.91.0.1, head, no processors ─── bridge ─┬─ veer-node-1: 10.91.0.2, one processor
                                                          └─ veer-node-2: 10.91.0.3
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

_BRIDGE, _PORT = "veerbr0", 6390
_STORE = str(80 << 20)
_START_SECONDS, _HEAD_SECONDS = 120, 5


class Nodes:
    """The cluster while the context lasts. `address`: of its head."""

    address = f"10.91.0.1:{_PORT}"

    def __init__(self, count: int) -> None:
        """So many nodes; raises SystemExit where there may be no namespaces."""
        if os.geteuid() != 0 or shutil.which("ip") is None:
            raise SystemExit("network namespaces need root, and `ip` of iproute2")
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        os.environ |= {"RAY_USAGE_STATS_ENABLED": "0"}
        self._count = count
        self._head: subprocess.Popen[bytes] | None = None
        self._nodes: dict[int, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Nodes:
        try:
            self._begin()
        except BaseException:
            self._clear()
            raise
        return self

    def _begin(self) -> None:
        self._clear()
        _ip(f"link add {_BRIDGE} type bridge")
        _ip(f"addr add 10.91.0.1/24 dev {_BRIDGE}")
        _ip(f"link set {_BRIDGE} up")
        self._head = _ray([], "--head", f"--port={_PORT}", "--node-ip-address=10.91.0.1", "--num-cpus=0")
        _wait_for(self._head)
        for number in range(1, self._count + 1):
            self._plug(number)
            self.start(number)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def start(self, number: int) -> None:
        """Starts Ray on a node."""
        words = (f"--address={self.address}", f"--node-ip-address=10.91.0.{number + 1}", "--num-cpus=1")
        self._nodes[number] = _ray(["ip", "netns", "exec", _name(number)], *words)

    def kill(self, number: int) -> None:
        """Ends all of a node at once."""
        for process in self.processes(number):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._nodes[number].wait()

    def cut(self, number: int) -> None:
        """Takes the node's network away: whoever is connected to it hears nothing more."""
        _ip(f"link set {_BRIDGE[:4]}{number}a down")

    def join(self, number: int) -> None:
        """Gives it back."""
        _ip(f"link set {_BRIDGE[:4]}{number}a up")

    def kill_head(self) -> None:
        """Ends the head."""
        assert self._head is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._head.pid, signal.SIGKILL)

    def processes(self, number: int) -> list[int]:
        """All processes of a node."""
        said = subprocess.run(["ip", "netns", "pids", _name(number)], capture_output=True, text=True, check=False)
        return [int(word) for word in said.stdout.split()]

    def searchers(self, number: int) -> list[int]:
        """The searchers and actors of a node."""
        found = []
        for process in self.processes(number):
            with contextlib.suppress(OSError):
                line = Path(f"/proc/{process}/cmdline").read_bytes()
                if b"cluster.searcher" in line or line.startswith(b"ray::_Searcher"):
                    found.append(process)
        return found

    def _plug(self, number: int) -> None:
        name, cable = _name(number), f"{_BRIDGE[:4]}{number}"
        _ip(f"netns add {name}")
        _ip(f"link add {cable}a type veth peer name {cable}b")
        _ip(f"link set {cable}a master {_BRIDGE} up")
        _ip(f"link set {cable}b netns {name}")
        _ip(f"-n {name} addr add 10.91.0.{number + 1}/24 dev {cable}b")
        _ip(f"-n {name} link set {cable}b up")
        _ip(f"-n {name} link set lo up")

    def _clear(self) -> None:
        for number in range(1, 9):
            for process in self.processes(number):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            for words in (f"netns del {_name(number)}", f"link del {_BRIDGE[:4]}{number}a"):
                subprocess.run(["ip", *words.split()], stderr=subprocess.DEVNULL, check=False)
        if self._head is not None:
            self.kill_head()
            self._head.wait()
        subprocess.run(["ip", "link", "del", _BRIDGE], stderr=subprocess.DEVNULL, check=False)


def _name(number: int) -> str:
    return f"veer-node-{number}"


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def _ray(before: list[str], *words: str) -> subprocess.Popen[bytes]:
    ray = str(Path(sys.executable).parent / "ray")
    common = ("--object-store-memory", _STORE, "--disable-usage-stats", "--block")
    quiet = subprocess.DEVNULL
    command = [*before, ray, "start", *words, *common, *(["--include-dashboard=false"] if "--head" in words else [])]
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, stdin=quiet, start_new_session=True)


def _wait_for(head: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        done = subprocess.run(
            ["bash", "-c", f"exec 3<>/dev/tcp/10.91.0.1/{_PORT}"], stderr=subprocess.DEVNULL, check=False
        )
        if done.returncode == 0:
            time.sleep(_HEAD_SECONDS)  # it listens before it can do anything
            return
        if head.poll() is not None:
            break
        time.sleep(0.2)
    raise SystemExit("Ray's head did not start")
