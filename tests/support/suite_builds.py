"""Compiles suites in tests: with gcc where it is, else with the zig that veer brings along."""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sampling import sampled

from veer.suite.c import plain
from veer.suite.c.header import NAME
from veer.toolchain.compiler import find, zig_cache


@dataclass(frozen=True)
class Built:
    """A compiled suite."""

    executable: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.executable), *arguments], capture_output=True, text=True, errors="replace", timeout=30
        )


def zig_command() -> tuple[str, ...]:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None and spec.submodule_search_locations
    zig = str(Path(spec.submodule_search_locations[0]) / "zig")
    return (zig, "cc", "-target", "x86_64-linux-gnu.2.28", "-fno-sanitize=all", "-O1", "-UNDEBUG")


def compiler_command() -> tuple[str, ...]:
    return ("gcc",) if shutil.which("gcc") else zig_command()


def compilations() -> list[tuple[str, ...]]:
    """The compilers that a suite is built with, each without optimisation and with it; the sample has each of the four
    words once."""
    compilers = {"zig": zig_command()} | ({"gcc": ("gcc",)} if shutil.which("gcc") else {})
    chosen = sampled(
        itertools.product(compilers, ("-O0", "-O2")),
        lambda each: len(compilers) == 1 or each in (("zig", "-O0"), ("gcc", "-O2")),
    )
    return [(*compilers[compiler], level) for compiler, level in chosen]


def write_suite(directory: Path, name: str, text: str) -> Path:
    """The file of a plain suite, with the header that such suites share beside it."""
    file = directory / name
    file.write_text(text)
    (directory / NAME).write_text(plain.header().text)
    return file


def build_suite(directory: Path, name: str, text: str, command: tuple[str, ...] | None = None) -> Built:
    file = write_suite(directory, name, text)
    executable = directory / name.removesuffix(".c")
    cache = str(zig_cache(find(None)))
    environment = dict(os.environ, ZIG_LOCAL_CACHE_DIR=cache, ZIG_GLOBAL_CACHE_DIR=cache)
    words, made, said = command or compiler_command(), executable.with_suffix(".o"), ("-std=gnu11", "-g", "-w")
    steps = [(*said, str(file), "-lm", "-o", str(executable))]
    if words[0] != "gcc" and "-O0" in words:
        # With -O0 at the link zig would make libraries of its own, half a minute of a processor.
        steps = [(*said, "-c", str(file), "-o", str(made)), ("-O1", str(made), "-lm", "-o", str(executable))]
    for step in steps:
        done = subprocess.run([*words, *step], capture_output=True, text=True, env=environment, timeout=120)
        assert done.returncode == 0, done.stderr
    return Built(executable)


def printed(command: str | Sequence[str], folder: Path) -> str:
    """What a command, or a line for the shell, prints in a folder. Raises AssertionError if it fails."""
    is_line = isinstance(command, str)
    done = subprocess.run(command, shell=is_line, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
