"""./veer without its environment: each thing that is missing ends in one sentence and exit code 3, with no download."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ("sh", "dirname", "readlink", "uname", "df", "awk", "cat", "mkdir", "rm", "chmod", "sleep", "grep", "env")


def installation(directory: Path, **fakes: str) -> Path:
    """A copy of ./veer and what it sources, with a PATH of few tools; `fakes` are scripts in their place."""
    (directory / "tools").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None, tool
        (directory / "tools" / tool).symlink_to(found)
    for name, text in fakes.items():
        tool = directory / "tools" / name
        tool.unlink(missing_ok=True)
        tool.write_text(f"#!/bin/sh\n{text}\n")
        tool.chmod(0o755)
    place = directory / "veer place"
    (place / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / "veer", place / "veer")
    shutil.copy(ROOT / ".ci" / "bootstrap.sh", place / ".ci" / "bootstrap.sh")
    shutil.copy(ROOT / "pyproject.toml", place / "pyproject.toml")
    return place


def refusal(directory: Path, place: Path, **environment: str) -> str:
    """The only line on stderr; nothing stays behind."""
    variables = {"PATH": str(directory / "tools"), "HOME": str(directory), **environment}
    done = subprocess.run(
        [str(place / "veer"), "--version"], capture_output=True, text=True, env=variables, timeout=60, cwd=directory
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert sorted(item.name for item in place.iterdir()) == [".ci", "pyproject.toml", "veer"]
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("veer: ")
    return lines[0]


def test_no_python(tmp_path: Path) -> None:
    said = refusal(tmp_path, installation(tmp_path))
    assert "Python 3.11 or newer is needed, and here is no Python at all" in said


def test_an_old_python(tmp_path: Path) -> None:
    place = installation(tmp_path, python3='[ "$1" = --version ] && echo "Python 3.8.10" && exit 0; exit 1')
    assert "here is Python 3.8.10" in refusal(tmp_path, place)


def test_no_venv(tmp_path: Path) -> None:
    place = installation(tmp_path, python3='case "$*" in *ensurepip*) exit 1;; esac; exit 0')
    assert "python3 lacks venv or ensurepip; install them" in refusal(tmp_path, place)


def test_too_little_space(tmp_path: Path) -> None:
    place = installation(tmp_path, python3="exit 0")
    assert "the environment needs 1200 MB" in refusal(tmp_path, place, VEER_DISK_NEEDED="999999999999")


def test_another_machine(tmp_path: Path) -> None:
    place = installation(tmp_path, uname='[ "$1" = -s ] && echo Darwin || echo arm64')
    assert "this is Darwin on arm64, and veer runs on Linux x86-64 only" in refusal(tmp_path, place)


def test_no_writing(tmp_path: Path) -> None:
    place = installation(tmp_path, python3="exit 0", chmod="exit 1")
    assert "no file can be written in" in refusal(tmp_path, place)
