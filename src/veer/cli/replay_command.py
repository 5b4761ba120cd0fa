"""`veer replay`: runs recorded inputs again on the plain build, which has no instrumentation."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from veer.model.errors import StoreError, ToolchainError, UsageError

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What `veer test` wrote, e.g. veer-out/NAME.")]
TestName = Annotated[str | None, typer.Option("--test", metavar="NAME", help="Only this test, by its name or number.")]
DIFFERENT = 1


def replay(directory: Directory, test: TestName = None) -> int:
    """Run recorded inputs on the plain build. Exit code 1: a test ended otherwise than it was recorded."""
    from veer.execution.replay import Limits, compare, describe, run
    from veer.store.reader import read
    from veer.store.recorded import recorded_tests

    summary = read(directory)
    chosen = [case for case in recorded_tests(summary) if _is_chosen(case.name, test)]
    if not chosen:
        known = ", ".join(case.name for case in recorded_tests(summary)[:8]) or "none"
        raise UsageError(f"--test {test}: {directory} holds no such test; it holds {known}")
    different = 0
    with tempfile.TemporaryDirectory(prefix="veer-replay-") as scratch:
        executable = _build(directory, summary.suite, summary.commands, Path(scratch))
        for case in chosen:
            seen = run(executable, case, Limits(), Path(scratch))
            verdict, _ = compare(case, seen)
            different += verdict != "same"
            typer.echo(f"{case.name}: {verdict} ({describe(seen)})")
    typer.echo(f"{len(chosen) - different} of {len(chosen)} ended as they were recorded")
    return DIFFERENT if different else 0


def _is_chosen(name: str, wanted: str | None) -> bool:
    """By its name, or by the number in it."""
    digits = re.sub(r"\D", "", name)
    return wanted is None or wanted == name or (wanted.isdigit() and digits != "" and int(wanted) == int(digits))


def _build(directory: Path, suite: str, commands: list[str], scratch: Path) -> Path:
    """The suite, compiled with the compiler that veer brings along."""
    from veer.toolchain.compiler import find, run, shorten, target_flags

    source = (directory / suite).absolute()
    if not suite or not commands or not source.is_file():
        raise StoreError(f"{directory} holds no suite; run `veer test` again")
    toolchain = find(None)
    executable = scratch / "suite"
    arguments = [str(source) if word == source.name else word for word in shlex.split(commands[0])[1:-2]]
    done = run(toolchain, [*target_flags(toolchain), *arguments, "-o", str(executable)], scratch)
    if done.code:
        raise ToolchainError(f"the suite {source} does not compile:\n{shorten(done.messages)}")
    return executable
