"""Functions of a project with a name of the C library's."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from veer.frontends.c.namesakes import RUNTIME_CALLS
from veer.toolchain.compiler import find
from veer.toolchain.runtime import runtime_objects

_OF_THE_LINKER = ("__", "veer_", "end", "etext")


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_what_the_runtime_calls_is_known() -> None:
    called = set()
    for each in runtime_objects(find(None)):
        listed = subprocess.run(("nm", "-u", each), capture_output=True, text=True, check=True).stdout
        called |= {line.split()[-1] for line in listed.splitlines() if line.strip()}
    assert {name for name in called if not name.startswith(_OF_THE_LINKER)} <= RUNTIME_CALLS
