"""Ray as the transport: each seat is an actor that takes one processor; Ray places it, and tells when it is gone."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Mapping
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayError

from veer.model.errors import UsageError
from veer.search.cluster.transport import ANSWER_SECONDS, LOCAL, LostError, SearcherProcess
from veer.toolchain.session import scratch_root

_SILENCE = 20.0 + ANSWER_SECONDS
"""Seconds without an answer after which a node is taken for lost: it says "nothing yet" each second."""
_CONNECT_SECONDS = 5.0
_ATTEMPTS = 3
_LONGEST_FOLDER = 40  # characters: Ray makes sockets below, whose names may have 107
_STORE = 80 << 20  # bytes of Ray's object store, the least that it takes: letters seldom need it


class _Searcher:
    """What Ray runs on a node: it carries letters to a searcher beside it."""

    def __init__(self) -> None:
        self._post = SearcherProcess()

    def node(self) -> str:
        """The node that Ray knows, and the machine's name."""
        return f"{self._post.node}/{ray.get_runtime_context().get_node_id()[:8]}"

    def exchange(self, letter: bytes) -> bytes:
        """See Post."""
        return self._post.exchange(letter)


_ACTOR: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Searcher)


class RaySeat:
    """See Seat."""

    def __init__(self) -> None:
        """Waits until Ray has room for it."""
        self._actor = _ACTOR.options(scheduling_strategy="SPREAD").remote()
        try:
            self.node: str = ray.get(self._actor.node.remote())
        except RayError as error:
            raise LostError(f"Ray could not start a searcher: {error}") from error

    def exchange(self, letter: bytes) -> bytes:
        """See Seat."""
        try:
            answer: bytes = ray.get(self._actor.exchange.remote(letter), timeout=_SILENCE)
        except GetTimeoutError as error:
            raise LostError(f"{self.node} did not answer for {_SILENCE:.0f} s") from error
        except RayError as error:
            raise LostError(f"the searcher on {self.node} is gone") from error
        return answer

    def close(self) -> None:
        """See Seat."""
        ray.kill(self._actor)


def _require_listener(address: str) -> None:
    """Raises UsageError when nobody listens at HOST:PORT: Ray itself tries for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal() or not host:
        raise UsageError(f"--cluster {address}: that is no address; give HOST:PORT of a Ray that runs, or local")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise UsageError(f"--cluster {address}: nobody listens there ({error})") from error


def _joined(address: str, words: Mapping[str, Any]) -> Any:
    """What Ray says of the cluster. One that has just been started may not take a driver yet. Raises UsageError."""
    why = ""
    for attempt in range(_ATTEMPTS):
        try:
            return ray.init(log_to_driver=False, logging_level=logging.ERROR, namespace="veer", **words)
        except Exception as error:  # what Ray raises here differs from release to release
            why = (str(error).strip().splitlines() or [type(error).__name__])[0]
            ray.shutdown()
        time.sleep(1.0 + attempt)
    what = "Ray could not be started" if address == LOCAL else "no Ray cluster that veer can join is there"
    raise UsageError(f"--cluster {address}: {what}: {why}")


class RayTransport:
    """See Transport. "local" starts a Ray of this machine alone, on 127.0.0.1; its token is in the environment."""

    def __init__(self, address: str, jobs: int) -> None:
        """`address`: of a Ray that runs, or "local". Raises UsageError when nothing answers there."""
        is_local = address == LOCAL
        words: dict[str, Any] = {
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "object_store_memory": _STORE,
        }
        if is_local:
            words["num_cpus"] = jobs or len(os.sched_getaffinity(0))
            if len(scratch_root()) <= _LONGEST_FOLDER:
                words["_temp_dir"] = f"{scratch_root()}/ray"
        if not is_local:
            _require_listener(address)
        context = _joined(address, words if is_local else {"address": address})
        self.address = str(context.address_info["gcs_address"]) if is_local else address
        self.processors = int(ray.cluster_resources().get("CPU", 0))

    def open(self) -> RaySeat:
        """See Transport."""
        return RaySeat()

    def close(self) -> None:
        """See Transport."""
        ray.shutdown()
