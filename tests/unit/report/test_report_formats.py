"""SARIF, JUnit, GitHub annotations, lcov, Cobertura: valid, complete, and safe from what sources and inputs hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from output_samples import TESTME, result
from report_samples import full

from veer import plugins
from veer.model.values import replace
from veer.report import cobertura, github, junit, lcov, sarif

# The parts of the SARIF 2.1.0 schema that our files touch: object → {property: (type, is it required)}.
SARIF: dict[str, dict[str, tuple[Any, bool]]] = {
    "log": {"$schema": (str, False), "version": (str, True), "runs": (["run"], True)},
    "run": {
        "tool": ("tool", True),
        "originalUriBaseIds": (dict, False),
        "columnKind": (str, False),
        "invocations": (["invocation"], False),
        "results": (["result"], False),
    },
    "tool": {"driver": ("toolComponent", True)},
    "toolComponent": {"name": (str, True), "version": (str, False), "rules": (["reportingDescriptor"], False)},
    "reportingDescriptor": {
        "id": (str, True),
        "name": (str, False),
        "shortDescription": ("message", False),
        "defaultConfiguration": (dict, False),
    },
    "invocation": {"executionSuccessful": (bool, True), "properties": (dict, False)},
    "result": {
        "ruleId": (str, False),
        "ruleIndex": (int, False),
        "level": (str, False),
        "message": ("message", True),
        "locations": (["location"], False),
        "stacks": (["stack"], False),
        "partialFingerprints": (dict, False),
        "properties": (dict, False),
    },
    "message": {"text": (str, True)},
    "location": {"physicalLocation": ("physicalLocation", False), "logicalLocations": (["logicalLocation"], False)},
    "logicalLocation": {"name": (str, False), "kind": (str, False)},
    "physicalLocation": {"artifactLocation": ("artifactLocation", True), "region": ("region", False)},
    "artifactLocation": {"uri": (str, True), "uriBaseId": (str, False)},
    "region": {"startLine": (int, True), "startColumn": (int, False)},
    "stack": {"message": ("message", False), "frames": (["stackFrame"], True)},
    "stackFrame": {"location": ("location", False)},
}


def _check(kind: Any, value: Any, at: str = "log") -> None:
    if isinstance(kind, list):
        assert isinstance(value, list), at
        for index, each in enumerate(value):
            _check(kind[0], each, f"{at}[{index}]")
    elif isinstance(kind, str):
        rules = SARIF[kind]
        assert set(value) <= set(rules), f"{at}: {set(value) - set(rules)}"
        assert {name for name, (_, required) in rules.items() if required} <= set(value), at
        for name, each in value.items():
            _check(rules[name][0], each, f"{at}.{name}")
    else:
        assert isinstance(value, kind), at


def test_sarif(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTME.parent)
    log = json.loads(sarif.render(full()))
    _check("log", log)
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    found = run["results"][0]
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"] == "abort"
    assert found["level"] in ("none", "note", "warning", "error")
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "testme.c", "uriBaseId": "SOURCE_ROOT"}
    assert place["region"] == {"startLine": 25, "startColumn": 21}
    assert run["originalUriBaseIds"]["SOURCE_ROOT"]["uri"].endswith("/")
    assert "cell_1 = {v = 3, next = &cell_1}" in found["message"]["text"]


def test_sarif_of_odd_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    sample = full()
    bug = replace(sample.bugs[0], file="/a b/ü.c", line=0, column=0, confirmed="no", test="gone", stack=())
    log = json.loads(sarif.render(replace(sample, bugs=(bug,))))
    _check("log", log)
    found = log["runs"][0]["results"][0]
    assert found["level"] == "warning"
    assert found["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "file:///a%20b/%C3%BC.c"}}
    _check("log", json.loads(sarif.render(result(bugs=()))))


def test_junit() -> None:
    suites = ElementTree.fromstring(junit.render(full()))
    assert suites.tag == "testsuites"
    (suite,) = suites
    assert {name: suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "testme", "tests": "5", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    cases = list(suite)
    assert [[child.tag for child in case] for case in cases] == [
        ["error"],
        ["skipped", "system-out"],
        ["system-out"],
        ["system-out"],
        ["failure"],
    ]
    assert all({"name", "classname", "time"} <= set(case.keys()) for case in cases)
    failure = cases[4][0]
    assert failure.get("type") == "abort" and "cell_1 = {v = 3, next = &cell_1}" in (failure.text or "")


def test_xml_holds_no_character_that_xml_forbids() -> None:
    sample = full()
    bug = replace(sample.bugs[0], message="a\x00b\x1b]]>&<\ud800")
    case = ElementTree.fromstring(junit.render(replace(sample, bugs=(bug,))))[0][4]
    assert case[0].get("message") == "a\ufffdb\ufffd]]>&<\ufffd"


def test_github_annotations_are_one_line_each() -> None:
    sample = full()
    bug = replace(sample.bugs[0], message="50% of\nit", column=3)
    lines = github.render(replace(sample, bugs=(bug,))).splitlines()
    assert len(lines) == 2
    assert re.match(
        r"::error file=[^:]*,line=25,col=3,title=veer%3A abort\(\) was called::testme: 50%25 of%0Ait", lines[0]
    )
    assert lines[1].startswith("::notice title=veer%3A testme::1 bug, 6 paths, branches 7 of 8 (87 %25) covered. ")


def test_lcov() -> None:
    lines = lcov.render(full()).splitlines()
    assert lines[:2] == ["TN:veer", f"SF:{TESTME}"] and lines[-1] == "end_of_record"
    assert {"FN:19,testme", "FNDA:5,testme", "FNDA:0,twice_plus_one", "FNF:2", "FNH:1"} <= set(lines)
    assert {"DA:14,0", "DA:24,1", "LF:6", "LH:5", "BRF:8", "BRH:7"} <= set(lines)
    branches = [line.removeprefix("BRDA:").split(",") for line in lines if line.startswith("BRDA:")]
    assert len(branches) == 8 and sum(count not in ("0", "-") for *_, count in branches) == 7


def test_cobertura() -> None:
    root = ElementTree.fromstring(cobertura.render(full()))
    assert root.get("lines-covered") == "5" and root.get("lines-valid") == "6" and root.get("line-rate") == "0.8333"
    assert [child.tag for child in root] == ["sources", "packages"]
    assert root.findtext("sources/source") == str(TESTME.parent)
    (file,) = root.findall("packages/package/classes/class")
    assert file.get("filename") == "testme.c"
    assert [child.tag for child in file] == ["methods", "lines"]
    assert {method.get("name"): method.get("line-rate") for method in file.findall("methods/method")} == {
        "twice_plus_one": "0.0000", "testme": "1.0000",
    }  # fmt: skip
    line = file.find("lines/line[@number='21']")
    assert line is not None and line.get("condition-coverage") == "100% (2/2)" and line.get("hits") == "4"


@pytest.mark.parametrize("name", plugins.names("veer.reports"))
def test_every_format_takes_a_result_with_next_to_nothing(name: str) -> None:
    text = plugins.find("veer.reports", name).render(result(bugs=(), tests=(), branches=()))
    assert text.endswith("\n") or name == "html"
    if name in ("junit", "cobertura"):
        ElementTree.fromstring(text)
