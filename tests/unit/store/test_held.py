"""Two veers do not write to one directory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from veer.model.errors import UsageError
from veer.store import held as module
from veer.store.held import held

HOLDS = """
import sys
from pathlib import Path
from veer.store.held import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_directory_is_one_veers_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    words = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="another veer works on"), held(tmp_path):
            pass
        other.kill()
        other.wait()
    with held(tmp_path):
        pass


def test_what_is_not_there_is_not_held(tmp_path: Path) -> None:
    with held(tmp_path / "nowhere"):
        assert not (tmp_path / "nowhere").exists()
