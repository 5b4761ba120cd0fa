"""SARIF 2.1.0: bugs as results, each with its place, its stack and the input that shows it."""

from __future__ import annotations

import json
from pathlib import Path

from veer import __version__
from veer.model.ending import EndingKind
from veer.model.outcome import Outcome
from veer.model.result import Bug, Confirmation, Result
from veer.model.severity import Severity
from veer.report.protocol import Format
from veer.report.words import claim_sentence, confirmed_sentence, ending_sentence, reached_sentence, witness

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "SOURCE_ROOT"
_LEVELS = {Severity.ERROR: "error", Severity.UNDEFINED: "warning", Severity.CONTRACT: "note"}


def render(result: Result) -> str:
    """The text of a .sarif file. Paths below the working directory are relative to it, as code hosts want them."""
    rules = list(dict.fromkeys(bug.outcome for bug in result.bugs))
    run = {
        "tool": {"driver": {"name": "veer", "version": __version__, "rules": [_rule(outcome) for outcome in rules]}},
        "originalUriBaseIds": {_ROOT: {"uri": Path.cwd().as_uri() + "/"}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": result.ending.kind is not EndingKind.FAILED,
                "properties": {"ending": ending_sentence(result.ending), "claim": claim_sentence(result)},
            }
        ],
        "results": [_result(result, bug, rules.index(bug.outcome)) for bug in result.bugs],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


REPORT = Format("report.sarif", render)


def _rule(outcome: Outcome) -> dict[str, object]:
    return {
        "id": outcome.key,
        "name": "".join(word.capitalize() for word in outcome.key.split("-")),
        "shortDescription": {"text": outcome.sentence},
        "defaultConfiguration": {"level": "error"},
    }


def _result(result: Result, bug: Bug, rule: int) -> dict[str, object]:
    inputs = witness(result, bug)
    shown = "; ".join(f"{name} = {value}" for name, value in inputs.items())
    said = [*bug.needs, *filter(None, [reached_sentence(bug)])]
    message = bug.message + (f" (with {shown})" if shown else "") + "".join(f"; {each}" for each in said)
    found: dict[str, object] = {
        "ruleId": bug.outcome.key,
        "ruleIndex": rule,
        "level": _level(bug),
        "message": {"text": message},
        "locations": [_location(bug.file, bug.line, bug.column, bug.function)],
        "partialFingerprints": {
            "veer/v1": f"{bug.outcome.key}:{bug.function}:{Path(bug.file).name}:{bug.message}",
            **({"veer/v2": bug.fingerprint} if bug.fingerprint else {}),
        },
        "properties": {
            "inputs": inputs,
            "test": bug.test,
            "confirmed": confirmed_sentence(bug),
            "paths": bug.count,
            "severity": bug.severity,
            "needs": list(bug.needs),
            "reachedBy": list(bug.reached_by),
            "evidence": bug.judgement.evidence,
            "requirements": list(result.program.requirements.get(bug.function, ())),
        },
    }
    if bug.is_accepted:
        found["suppressions"] = [{"kind": "external", "justification": "it stands in the baseline"}]
    if bug.stack:
        frames = [{"location": _location(frame.file, frame.line, 0, frame.function)} for frame in bug.stack]
        found["stacks"] = [{"message": {"text": "where it happens, innermost first"}, "frames": frames}]
    return found


def _level(bug: Bug) -> str:
    """An error that was not seen again is a warning."""
    level = _LEVELS[bug.severity]
    return "warning" if level == "error" and bug.confirmed == Confirmation.NO else level


def _location(file: str, line: int, column: int, function: str) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": _artifact(file)}
    if line > 0:
        place["region"] = {"startLine": line, **({"startColumn": column} if column > 0 else {})}
    found: dict[str, object] = {"physicalLocation": place} if file else {}
    if function:
        found["logicalLocations"] = [{"name": function, "kind": "function"}]
    return found


def _artifact(file: str) -> dict[str, str]:
    path = Path(file)
    if path.is_relative_to(Path.cwd()):
        base = Path.cwd().as_uri() + "/"
        return {"uri": path.as_uri().removeprefix(base), "uriBaseId": _ROOT}
    return {"uri": path.as_uri() if path.is_absolute() else path.as_posix()}
