"""./veer without its environment: each thing that is missing ends in one sentence and exit code 3, with no download."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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


def test_machine_code_needs_a_newer_python(tmp_path: Path) -> None:
    old = 'case "$*" in *"(3, 12)"*) exit 1;; --version) echo "Python 3.11.2";; esac; exit 0'
    place = installation(tmp_path, python3=old)
    said = bootstrapped(tmp_path, place, "machine")
    assert said == [
        "veer: machine code needs Python 3.12 or newer, and here is Python 3.11.2; "
        "install one, or set VEER_PYTHON to its path"
    ]


def test_an_environment_that_cannot_be_made_anew_stays(tmp_path: Path) -> None:
    place = installation(tmp_path, python3='case "$*" in "-m venv"*) echo "disk quota exceeded"; exit 1;; esac; exit 0')
    shutil.copy(shutil.which("mv") or "", tmp_path / "tools" / "mv")
    shutil.copy(shutil.which("cp") or "", tmp_path / "tools" / "cp")
    (place / ".venv" / "bin").mkdir(parents=True)
    python = place / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *"(3, 12)"*) exit 1;; esac; exit 0\n')
    python.chmod(0o755)
    said = bootstrapped(tmp_path, place, "machine", VEER_DISK_NEEDED="0")
    assert "machine code needs Python 3.12 or newer" in said[0] and "is made anew with python3" in said[0]
    assert "the disk is full" in said[1]
    assert python.exists() and not (place / ".venv.old").exists()


def bootstrapped(directory: Path, place: Path, extra: str, **environment: str) -> list[str]:
    """What setting up an extra says before it fails."""
    variables = {"PATH": str(directory / "tools"), "HOME": str(directory), **environment}
    command = ["sh", "-c", f'. "$1/.ci/bootstrap.sh"; bootstrap "$1" {extra}', "sh", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=60, cwd=directory)
    assert done.returncode == 1, done.stderr
    return done.stderr.splitlines()


def test_a_missing_extra_is_asked_of_the_launcher_once(tmp_path: Path) -> None:
    launcher, file = tmp_path / "veer", tmp_path / "unit.o"
    launcher.write_text('#!/bin/sh\necho "$VEER_EXTRA: $*"\n')
    launcher.chmod(0o755)
    file.write_bytes(b"\x7fELF" + bytes(60))
    hidden = "import sys; sys.modules['elftools'] = sys.modules['elftools.elf.elffile'] = None"
    code = f"{hidden}; from veer.cli.app import main; sys.exit(main(['list', 'unit.o']))"

    def said(**variables: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, **variables},
        )
        return done.returncode, done.stdout, done.stderr

    assert said(VEER_LAUNCHER=str(launcher)) == (0, "machine: list unit.o\n", "")
    for variables in ({}, {"VEER_LAUNCHER": str(launcher), "VEER_EXTRA": "machine"}):
        code_, output, error = said(**variables)
        assert (code_, output) == (2, "") and "machine code needs" in error
