"""`veer replay`: runs recorded inputs again on the plain build, which has no instrumentation."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

import typer

from veer.cli.exit_codes import DIFFERENT, NOTHING_FOUND
from veer.execution import replay
from veer.model.errors import StoreError, ToolchainError, UsageError
from veer.store.reader import read
from veer.store.recorded import recorded_tests
from veer.toolchain import compiler
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import launcher


def run(directory: Path, test: str | None) -> int:
    """Runs the tests that DIR holds, or the one of this name or number, and compares how they end."""
    summary = read(directory)
    chosen = [case for case in recorded_tests(summary) if _is_chosen(case.name, test)]
    if not chosen:
        known = ", ".join(case.name for case in recorded_tests(summary)[:8]) or "none"
        raise UsageError(f"--test {test}: {directory} holds no such test; it holds {known}")
    different = 0
    with tempfile.TemporaryDirectory(prefix="veer-replay-") as scratch:
        toolchain = compiler.find(None)
        executable = _build(directory, summary.suite, summary.commands, toolchain, Path(scratch))
        limits = replay.Limits(launcher(toolchain))
        for case in chosen:
            seen = replay.run(executable, case, limits, Path(scratch))
            verdict, _ = replay.compare(case, seen)
            different += verdict != "same"
            typer.echo(f"{case.name}: {verdict} ({replay.describe(seen)})")
    typer.echo(f"{len(chosen) - different} of {len(chosen)} ended as they were recorded")
    return DIFFERENT if different else NOTHING_FOUND


def _is_chosen(name: str, wanted: str | None) -> bool:
    """By its name, or by the number in it."""
    digits = re.sub(r"\D", "", name)
    return wanted is None or wanted == name or (wanted.isdigit() and digits != "" and int(wanted) == int(digits))


def _build(directory: Path, suite: str, commands: list[str], toolchain: Toolchain, scratch: Path) -> Path:
    """The suite, compiled with the compiler that veer brings along."""
    source = (directory / suite).absolute()
    if not suite or not commands or not source.is_file():
        raise StoreError(f"{directory} holds no suite; run `veer test` again")
    executable = scratch / "suite"
    arguments = [str(source) if word == source.name else word for word in shlex.split(commands[0])[1:-2]]
    done = compiler.run(toolchain, [*compiler.target_flags(toolchain), *arguments, "-o", str(executable)], scratch)
    if done.code:
        raise ToolchainError(f"the suite {source} does not compile:\n{compiler.shorten(done.messages)}")
    return executable
