"""What a small campaign loads: parts of numpy that take longer than its search are not among it (decision 0428)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("numpy.ma", "numpy.random", "importlib.metadata", "rich._emoji_codes", "veer.search.cluster.workers")


def test_a_small_campaign_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("int f(int x) { for (int i = 0; i < 2; i++) if (x > i) x -= 2; return x; }\n")
    words = ["test", str(source), "--entry", "f", "--out", str(tmp_path / "out")]
    program = f"import sys, veer.cli.app as a; print(a.main({words!r}), [m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr
