"""`veer doctor`: what veer found on this machine, and what it lacks."""

from __future__ import annotations

import mmap
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import typer

_SHADOW_BYTES = 8 << 30
_MAP_NORESERVE = 0x4000  # Linux x86-64; Python names it from 3.13 on
_PACKAGES = ("ziglang", "llvmlite", "bitwuzla", "numpy", "msgspec")
_OPTIONAL_TOOLS = {
    "gcc": "builds suites, confirms bugs with its sanitizers",
    "clang": "can replace veer's own compiler (--cc clang)",
    "gdb": "debugs a test of a suite",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked for, whether it is as veer needs it, what was seen. Optional things never fail."""

    what: str
    is_good: bool
    detail: str
    is_optional: bool = False


def doctor() -> int:
    """Say what is there and what is missing. Exit code 1: something that veer needs is missing."""
    findings = [*_machine(), *_packages(), *_memory(), *_probe(), *_optional()]
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = "ok" if finding.is_good else "--" if finding.is_optional else "NO"
        typer.echo(f"{mark}  {finding.what:<{width}}  {finding.detail}")
    missing = [finding.what for finding in findings if not finding.is_good and not finding.is_optional]
    typer.echo(f"missing: {', '.join(missing)}" if missing else "veer has all that it needs")
    return 1 if missing else 0


def _machine() -> list[Finding]:
    version = platform.python_version()
    machine = f"{sys.platform} {platform.machine()}"
    supported = sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64")
    return [
        Finding("python", sys.version_info >= (3, 11), f"{version} ({sys.executable})"),
        Finding("platform", supported, machine if supported else f"{machine}; veer runs on Linux x86-64 only"),
    ]


def _packages() -> list[Finding]:
    findings = []
    for name in _PACKAGES:
        try:
            findings.append(Finding(name, is_good=True, detail=metadata.version(name)))
        except metadata.PackageNotFoundError:
            findings.append(Finding(name, is_good=False, detail=f"missing: run `pip install {name}`"))
    return findings


def _memory() -> list[Finding]:
    return [_reservation(), _shared_memory()]


def _reservation() -> Finding:
    """Each executor reserves 8 GiB of address space, of which it uses little."""
    try:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        mmap.mmap(-1, _SHADOW_BYTES, flags=flags).close()
    except (OSError, ValueError) as error:
        advice = "set vm.overcommit_memory to 0 or 1, or raise `ulimit -v`"
        return Finding("address space", is_good=False, detail=f"8 GiB cannot be reserved ({error}): {advice}")
    return Finding("address space", is_good=True, detail="8 GiB can be reserved")


def _shared_memory() -> Finding:
    try:
        os.close(os.memfd_create("veer-doctor"))
    except OSError as error:
        return Finding("memfd", is_good=False, detail=f"{error.strerror}: a temporary file is used", is_optional=True)
    return Finding("memfd", is_good=True, detail="shared memory without a file")


def _probe() -> list[Finding]:
    """What the toolchain says about itself."""
    from veer.toolchain.probe import probe

    return [Finding(what, good, detail) for what, good, detail in probe()]


def _optional() -> list[Finding]:
    findings = []
    for name, purpose in _OPTIONAL_TOOLS.items():
        found = shutil.which(name)
        detail = str(Path(found)) if found else f"not there, not needed: {purpose}"
        findings.append(Finding(name, found is not None, detail, is_optional=True))
    return findings
