"""Runs the transcripts beside this file, and the commands of the README.

A transcript holds commands, what they print (both streams, numbers and paths normalised), and their exit codes:

    $ veer test examples/testme.c --entry testme
    testme: 6 paths in 6 runs, 1 bug, <time>
    ...                                             any lines
    [1]                                             exit code; none = 0

Commands run in a copy of examples/, in one directory a transcript. Those of campaign.txt and of the README are
processes, as a user calls them; the others call what `veer` calls, in this process: 30 starts of Python would tell
nothing more.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from veer.cli.app import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
AS_PROCESSES = ("campaign",)
_SHELLS = re.compile(r"[|&;<>()$`*?~#\\\n]")
"""What a shell does not take as it is, quotes aside."""
_CODE = re.compile(r"\[(\d+)\]")
_PROGRESS = re.compile(r"[^,]+, \S+ runs, \S+ paths, branches \d+/\d+, .*|(?:compile|replay) \.\.\.")


@dataclass(frozen=True)
class Step:
    """A command, its expected lines, its expected exit code."""

    command: str
    lines: tuple[str, ...]
    code: int


def parse(text: str) -> list[Step]:
    """The steps of a transcript; lines before the first command are comment."""
    steps: list[Step] = []
    for block in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *lines = block.rstrip().splitlines()
        code = 0
        if lines and (found := _CODE.fullmatch(lines[-1])):
            code = int(found[1])
            lines.pop()
        steps.append(Step(command, tuple(lines), code))
    return steps


def normalised(text: str, directory: Path) -> list[str]:
    """Times, sizes of things that differ between machines, and the directory replaced by words; no trailing blanks.

    Progress is left out: a slow machine prints more of it.
    """
    text = text.replace(str(directory), "<here>").replace(str(ROOT), "<veer>")
    text = re.sub(r"\b(?:\d+ min \d+ s|\d+\.\d+ s)(?!\w)", "<time>", text)
    return [line.rstrip() for line in text.splitlines() if not _PROGRESS.fullmatch(line)]


def matches(expected: tuple[str, ...], actual: list[str]) -> bool:
    """Whether the lines are the same; `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and matches(expected[1:], actual[1:])


def line_matches(expected: str, actual: str) -> bool:
    """Equal, where `<any>` stands for any text."""
    pattern = ".*".join(re.escape(part) for part in expected.split("<any>"))
    return re.fullmatch(pattern, actual) is not None


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed on both streams."""

    returncode: int
    stdout: str


SURROUNDINGS = {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}


def run(command: str, directory: Path) -> Done:
    """Runs a command line of a transcript, with `veer` as installed beside this Python."""
    environment = os.environ | SURROUNDINGS
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )
    return Done(done.returncode, done.stdout)


def run_here(command: str, directory: Path, surroundings: pytest.MonkeyPatch) -> Done:
    """The same, where the last command of the line is called in this process if it is veer and asks no shell."""
    first, _, last = command.rpartition("; ")
    words = shlex.split(last)
    if words[0] != "veer" or _SHELLS.search(last):
        return run(command, directory)
    if first:
        assert run(first, directory).returncode == 0
    printed = io.StringIO()
    with surroundings.context() as own, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        own.chdir(directory)
        for name, value in SURROUNDINGS.items():
            own.setenv(name, value)
        code = main(words[1:])
    return Done(code, printed.getvalue())


def workshop(directory: Path) -> Path:
    shutil.copytree(ROOT / "examples", directory / "examples")
    return directory


@pytest.mark.parametrize("transcript", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(transcript: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = workshop(tmp_path)
    for step in parse(transcript.read_text()):
        is_process = transcript.stem in AS_PROCESSES
        done = run(step.command, directory) if is_process else run_here(step.command, directory, monkeypatch)
        actual = normalised(done.stdout, directory)
        shown = f"$ {step.command}\n" + "\n".join(actual) + f"\n[{done.returncode}]"
        assert done.returncode == step.code, shown
        assert matches(step.lines, actual), shown


def readme_commands() -> list[str]:
    """The commands of the README's shell blocks; ./veer is what this Python has installed."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith("#")]


def test_the_readmes_commands_work(tmp_path: Path) -> None:
    directory = workshop(tmp_path)
    (directory / "veer").symlink_to(Path(sys.executable).parent / "veer")
    commands = readme_commands()
    assert commands
    for command in commands:
        if command.startswith(("git ", "pip ", "uv ")):
            continue
        done = run(command, directory)
        assert done.returncode in (0, 1), f"$ {command}\n{done.stdout}\n[{done.returncode}]"


def test_the_readmes_picture_is_what_veer_prints(tmp_path: Path) -> None:
    picture = re.search(r"^```console\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert picture is not None
    test = re.search(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert test is not None
    directory = workshop(tmp_path)
    for step in parse(picture[1]):
        done = run(step.command.replace("./veer", "veer"), directory)
        actual = normalised(done.stdout, directory)
        expected = tuple(normalised("\n".join(step.lines), directory))
        assert matches(expected, actual), "\n".join(actual)
    assert test[1] in (directory / "veer-out/testme/suite/test_testme.c").read_text()
