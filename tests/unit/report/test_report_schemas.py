"""SARIF 2.1.0 and JUnit's XML by their schemas: what these say of the objects that veer writes, in a few lines.

`SARIF` and `JUNIT` restate the official sarif-schema-2.1.0.json and Jenkins's junit-10.xsd: known members, required
ones, kinds of values. With the files themselves, named by VEER_SARIF_SCHEMA and VEER_JUNIT_SCHEMA (and the packages
jsonschema and xmlschema), those decide, too.
"""

from __future__ import annotations

import importlib
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from report_samples import full

from veer.model.result import Result
from veer.model.values import replace
from veer.report import junit, sarif


def results() -> list[Result]:
    whole = full()
    odd = replace(whole.bugs[0], file="", line=0, column=0, stack=(), function="", message='a "quote" & <b>\x01é')
    return [whole, replace(whole, bugs=(), tests=()), replace(whole, bugs=(odd,))]


# ---- SARIF: object → (required members, member → what it holds); "[x]" is an array of x, "{x}" a map to x ----------

SARIF: dict[str, tuple[set[str], dict[str, str]]] = {
    "log": ({"version", "runs"}, {"$schema": "uri", "version": "version", "runs": "[run]"}),
    "run": (
        {"tool"},
        {"tool": "tool", "originalUriBaseIds": "{artifactLocation}", "columnKind": "columnKind",
         "invocations": "[invocation]", "results": "[result]"},
    ),
    "tool": ({"driver"}, {"driver": "component"}),
    "component": ({"name"}, {"name": "text", "version": "text", "rules": "[rule]"}),
    "rule": (
        {"id"},
        {"id": "text", "name": "text", "shortDescription": "multiformat", "defaultConfiguration": "configuration"},
    ),
    "multiformat": ({"text"}, {"text": "text", "markdown": "text"}),
    "configuration": (set(), {"level": "level"}),
    "invocation": ({"executionSuccessful"}, {"executionSuccessful": "boolean", "properties": "bag"}),
    "result": (
        {"message"},
        {"ruleId": "text", "ruleIndex": "index", "level": "level", "message": "message", "locations": "[location]",
         "partialFingerprints": "{text}", "properties": "bag", "stacks": "[stack]"},
    ),
    "message": (set(), {"text": "text"}),
    "location": (set(), {"physicalLocation": "physical", "logicalLocations": "[logical]"}),
    "physical": (set(), {"artifactLocation": "artifactLocation", "region": "region"}),
    "artifactLocation": (set(), {"uri": "uri", "uriBaseId": "text"}),
    "region": (set(), {"startLine": "position", "startColumn": "position"}),
    "logical": (set(), {"name": "text", "kind": "text"}),
    "stack": ({"frames"}, {"message": "message", "frames": "[frame]"}),
    "frame": (set(), {"location": "location"}),
}  # fmt: skip
URI = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
VALUES = {
    "text": lambda value: isinstance(value, str),
    "uri": lambda value: isinstance(value, str) and URI.fullmatch(value) is not None,
    "version": lambda value: value == "2.1.0",
    "columnKind": lambda value: value in ("utf16CodeUnits", "unicodeCodePoints"),
    "level": lambda value: value in ("none", "note", "warning", "error"),
    "boolean": lambda value: isinstance(value, bool),
    "index": lambda value: isinstance(value, int) and value >= -1,
    "position": lambda value: isinstance(value, int) and value >= 1,
    "bag": lambda value: isinstance(value, dict),
}


def broken(value: Any, kind: str, where: str = "$") -> list[str]:
    """Where a SARIF value is not what its schema wants."""
    if kind.startswith("["):
        if not isinstance(value, list):
            return [f"{where} is no array"]
        return [each for k, item in enumerate(value) for each in broken(item, kind[1:-1], f"{where}[{k}]")]
    if kind in VALUES:
        return [] if VALUES[kind](value) else [f"{where} is no {kind}: {value!r}"]
    if not isinstance(value, dict):
        return [f"{where} is no object"]
    if kind.startswith("{"):
        return [each for name, item in value.items() for each in broken(item, kind[1:-1], f"{where}.{name}")]
    required, members = SARIF[kind]
    missing = [f"{where} has no {name}" for name in sorted(required - value.keys())]
    unknown = [f"{where} has {name}" for name in sorted(value.keys() - members.keys())]
    inner = [
        each for name in value.keys() & members.keys() for each in broken(value[name], members[name], f"{where}.{name}")
    ]
    return missing + unknown + inner


@pytest.mark.parametrize("number", range(3))
def test_sarif_is_what_its_schema_wants(number: int) -> None:
    log = json.loads(sarif.render(results()[number]))
    assert broken(log, "log") == []
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
        assert len(rules) == len(set(rules))
        assert all(rules[found["ruleIndex"]] == found["ruleId"] for found in run["results"])
    if "VEER_SARIF_SCHEMA" in os.environ:
        validators = importlib.import_module("jsonschema.validators")
        schema = json.loads(Path(os.environ["VEER_SARIF_SCHEMA"]).read_text())
        assert [error.message for error in validators.validator_for(schema)(schema).iter_errors(log)] == []


def test_the_check_of_sarif_sees_what_is_wrong() -> None:
    log = json.loads(sarif.render(full()))
    found = log["runs"][0]["results"][0]
    found["level"], found["colour"] = "fatal", "red"
    found["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    del found["message"]
    assert len(broken(log, "log")) == 4


# ---- JUnit: element → (required attributes, others, children) ------------------------------------------------------

RESULT = (set(), {"type", "message"}, set())
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"time", "skipped", "timestamp", "hostname", "id", "package", "file", "group"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name"},
        {"time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": RESULT,
    "error": RESULT,
    "skipped": RESULT,
    "system-out": (set(), set(), set()),
}
TIME = re.compile(r"(?:(?:\d{0,3},)*\d{3}|\d{0,3})*(?:\.\d*)?")


@pytest.mark.parametrize("number", range(3))
def test_junit_is_what_its_schema_wants(number: int) -> None:
    text = junit.render(replace(results()[number], seconds=replace(full().seconds, total=12345.6)))
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        required, others, children = JUNIT[element.tag]
        assert required <= set(element.keys()) <= required | others, element.tag
        assert {child.tag for child in element} <= children, element.tag
        if element.tag != "testcase" and element.get("time") is not None:
            assert TIME.fullmatch(element.get("time", ""))
    if "VEER_JUNIT_SCHEMA" in os.environ:
        importlib.import_module("xmlschema").validate(text, os.environ["VEER_JUNIT_SCHEMA"])
