"""The files of a run, compiled plainly, against the kernel and glibc: results, errno and bytes of random calls."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from sampling import first

from veer.toolchain.compiler import find, run, target_flags
from veer.toolchain.runtime import INCLUDE, RUNTIME

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

COMPARISON = Path(__file__).parents[3] / "support" / "tracer" / "file_compare.c"
PARTS = (
    *("nodes", "input_files", "descriptors", "file_calls", "streams", "lines", "file_output"),
    *("format", "scan", "scan_float", "scan_number", "float", "number", "string", "ctype"),
)


@pytest.mark.parametrize("seed", first(1, 3))
def test_sequences_of_calls_give_what_the_machine_gives(tmp_path: Path, seed: int) -> None:
    toolchain = find()
    own = [str(RUNTIME / "libc" / f"{name}.c") for name in PARTS]
    language = ("-O1", "-fno-builtin", "-w", "-DCONCRETE=0", "-I", str(INCLUDE), "-I", str(RUNTIME))
    flags = (*target_flags(toolchain), *language)
    said = run(toolchain, (*flags, str(COMPARISON), *own, "-lm", "-o", str(tmp_path / "compare")))
    assert said.code == 0, said.messages
    workplace = tmp_path / "files"
    workplace.mkdir()
    command = [tmp_path / "compare", workplace, "500", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    counted = re.search(r"(\d+) sequences, (\d+) refused, 0 different", done.stdout)
    assert counted and int(counted[1]) - int(counted[2]) > 50, "some sequences are modelled to their end"
