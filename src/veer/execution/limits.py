"""What an executor may use: time on the wall, files, processes. Memory is limited inside, by the unit's own heap.

There is no limit on the address space: 8 GiB of shadow are reserved (not used) in each executor. The limit on processes
is not enforced by the kernel for root; what a unit forks is killed with the executor's session.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Mapping

from msgspec import Struct

from veer.model.confinement import OFF, Confinement

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None)
_KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "VEER_SHOW_OUTPUT", "VEER_VERIFY")


class ExecutorLimits(Struct, frozen=True):
    """Seconds, bytes, counts. `timeout` is for one run; the others are backstops of veer's own.

    `confinement`: how the process is confined beside that.
    """

    timeout: float = 1.0
    slack: float = 1.0  # a loaded machine must not turn a slow run into a hang
    startup: float = 30.0
    engine: float = 60.0  # no run under way and nothing moves: the engine itself is stuck
    file_size: int = 16 << 20
    renew_after: int = 250_000  # runs of one process
    confinement: Confinement = OFF

    @property
    def processes(self) -> int | None:
        """How many it may make; None: the kernel does not hold root to that. The number counts all processes of the
        user, so 0 only says "no more from here"."""
        return None if os.geteuid() == 0 else 0


def restrict(process: int, limits: ExecutorLimits) -> None:
    """Sets the resource limits of a child that has not been given a command yet."""
    resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
    resource.prlimit(process, resource.RLIMIT_FSIZE, (limits.file_size, limits.file_size))
    if limits.processes is not None:
        resource.prlimit(process, resource.RLIMIT_NPROC, (limits.processes, limits.processes))


def die_with(parent: int) -> None:
    """Called in a new child: it is killed when the thread of `parent` that made it ends, also if it hangs just then."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def scrubbed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment that a unit sees: the same on every machine, but for libraries and veer's own switches."""
    kept = {name: environment[name] for name in _KEPT_ENVIRONMENT if name in environment}
    return {"PATH": "/usr/bin:/bin", "LANG": "C", "LC_ALL": "C", "TZ": "UTC", **kept}
