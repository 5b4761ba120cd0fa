"""veer's own libc, compiled plainly, gives what the machine's libc gives: values to the bit, end pointers, errno."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from veer.toolchain.compiler import find, run, target_flags
from veer.toolchain.runtime import INCLUDE, RUNTIME

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

HERE = Path(__file__).parents[3] / "support" / "tracer"
COMPARISONS = {
    "libc_compare.c": ("ctype", "string", "copy", "memory", "number", "sort"),
    "libc_compare_numbers.c": ("float", "math", "number", "ctype"),
    "libc_compare_random.c": ("random",),
    "libc_compare_calendar.c": ("calendar",),
    "libc_compare_pathnames.c": ("pathnames", "string", "ctype"),
    "libc_compare_options.c": ("options", "string", "ctype"),
    "libc_compare_formats.c": ("format", "scan", "scan_float", "scan_number", "float", "number", "string", "ctype"),
}


@pytest.mark.parametrize("concrete", (0, 1), ids=("any text", "concrete text"))
@pytest.mark.parametrize("source", COMPARISONS)
def test_own_libc_against_the_machines(source: str, concrete: int, tmp_path: Path) -> None:
    toolchain = find()
    own = [str(RUNTIME / "libc" / f"{name}.c") for name in COMPARISONS[source]]
    language = ("-O1", "-UNDEBUG", "-fno-builtin", "-fno-math-errno", "-w", "-I", str(INCLUDE), "-I", str(RUNTIME))
    flags = (*target_flags(toolchain), *language, f"-DCONCRETE={concrete}")
    said = run(toolchain, (*flags, str(HERE / source), *own, "-lm", "-o", str(tmp_path / "compare")))
    assert said.code == 0, said.messages
    done = subprocess.run([tmp_path / "compare"], capture_output=True, timeout=60)
    assert done.stdout.splitlines()[:10] == []
    assert done.returncode == 0
