"""A newcomer follows docs/tutorial.md: each command is run as it stands there, up to the steps of CI.

A line that ends in `# exit code N` ends so; every other one ends in 0.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text()
_CODE = re.compile(r"\s+# exit code (?P<code>\d+)$")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")


def lines_of(language: str) -> list[str]:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", TUTORIAL, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def steps_of_ci() -> list[str]:
    """Its commands, without the one that installs veer."""
    runs = [line.partition("run: ")[2] for line in lines_of("yaml") if line.strip().startswith("- run: ")]
    assert runs[0] == "pip install veer-test"
    return runs[1:]


class Shell:
    """Runs lines one after the other, each where the last `cd` led to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": path}

    def run(self, line: str) -> str:
        found = _CODE.search(line)
        wanted, line = (int(found["code"]), line[: found.start()]) if found else (0, line)
        if line.startswith("cd "):
            self.folder = (self.folder / line[3:]).resolve()
            return ""
        line = line.replace("/path/to/veer", str(ROOT))
        done = subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == wanted, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout


def test_each_command_does_what_the_page_says(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    said = {line: shell.run(line) for line in lines_of("sh")}
    first = next(text for line, text in said.items() if line.startswith("veer test"))
    assert "ring.c:24 ring_average: an integer is divided by zero" in first and "1 bug" in first
    suite = (tmp_path / "heater" / "tests" / "test_control_step.c").read_text()
    assert "Requirements: HTR-3, HTR-4." in suite and "test_control_step_HTR_3_HTR_4_returns_HEATING" in suite
    update = next(text for line, text in said.items() if line.startswith("veer update") and "exit code" in line)
    assert re.search(r"test_control_step.c: \d+ changes?\n", update) and "new: " in update
    for line in steps_of_ci():
        said_by_ci = shell.run(line)
        assert "not ok" not in said_by_ci
