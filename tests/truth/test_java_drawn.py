"""Generated Java methods against all of their inputs (java_programs.py; bench/java_truth.py has many)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from java_programs import Drawing, judged
from sampling import first


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("seed", first(2, 12))
def test_generated_methods_do_what_all_inputs_do(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "Drawn.java"
    source.write_text(Drawing(seed).source(1))
    assert not list(judged(source, "f0", 8.0))
