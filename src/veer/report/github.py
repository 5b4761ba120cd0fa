"""GitHub annotations: workflow commands that put bugs beside the lines of a pull request."""

from __future__ import annotations

from pathlib import Path

from veer.model.result import Bug, Confirmation, Result
from veer.model.severity import Severity
from veer.report.protocol import Format
from veer.report.severities import counted
from veer.report.words import achieved, claim_sentence, ending_sentence, number, reached_sentence, witness


def render(result: Result) -> str:
    """Lines for the standard output of a GitHub Actions step."""
    bugs = [_bug(result, bug) for bug in result.bugs if not bug.is_accepted]
    covered = result.coverage.branches
    summary = f"{counted(result.bugs)}, {number(result.paths, 'path')}" + (
        f", branches {achieved(covered, 'covered')}" if covered is not None else ""
    )
    told = f"{summary}. {ending_sentence(result.ending)}; {claim_sentence(result)}"
    title = _property(f"veer: {result.program.entry}")
    return "\n".join([*bugs, f"::notice title={title}::{_message(told)}"]) + "\n"


REPORT = Format("annotations.txt", render)


def _bug(result: Result, bug: Bug) -> str:
    shown = "".join(f"\n{name} = {value}" for name, value in witness(result, bug).items())
    where = {"file": _relative(bug.file), "line": bug.line, "col": bug.column, "title": f"veer: {bug.outcome.sentence}"}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in where.items() if value)
    needs = "".join(f"\n{each}" for each in (*bug.needs, *filter(None, [reached_sentence(bug)])))
    return f"::{_level(bug)} {properties}::{_message(f'{bug.function}: {bug.message}{needs}{shown}')}"


def _level(bug: Bug) -> str:
    """Of an annotation."""
    if bug.severity is Severity.CONTRACT:
        return "notice"
    return "warning" if bug.severity is Severity.UNDEFINED or bug.confirmed == Confirmation.NO else "error"


def _relative(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
