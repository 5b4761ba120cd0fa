"""veer's own libc, compiled plainly, gives what the machine's libc gives."""

from __future__ import annotations

import subprocess
from pathlib import Path

from veer.toolchain.compiler import find, run, target_flags
from veer.toolchain.runtime import INCLUDE, RUNTIME

SOURCE = Path(__file__).parent / "tracer" / "libc_compare.c"


def test_own_libc_against_the_machines(tmp_path: Path) -> None:
    toolchain = find()
    own = [str(RUNTIME / "libc" / f"{name}.c") for name in ("ctype", "string", "copy", "number", "sort")]
    flags = (*target_flags(toolchain), "-O1", "-UNDEBUG", "-fno-builtin", "-w", "-I", str(INCLUDE))
    said = run(toolchain, (*flags, str(SOURCE), *own, "-o", str(tmp_path / "compare")))
    assert said.code == 0, said.messages
    done = subprocess.run([tmp_path / "compare"], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[:10] == []
    assert done.returncode == 0
