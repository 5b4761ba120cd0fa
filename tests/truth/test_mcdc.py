"""MC/DC from end to end, on decisions whose smallest sets of tests and whose pairs are known by hand."""

from __future__ import annotations

import io
import json
import subprocess
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console
from sampling import sampled

from veer.campaign.deliver import deliver
from veer.campaign.run import run
from veer.findings.rerun import ALSO
from veer.frontends.c.flags import CONDITION_FLAGS as FLAGS
from veer.frontends.llvm.unit import source_reader
from veer.instrument.conditions import mark_conditions
from veer.model.buildoptions import BuildOptions
from veer.model.decisions import MASKING, UNIQUE_CAUSE, DecisionCoverage
from veer.model.describe import describe
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.report import html
from veer.report.terminal import SummaryPrinter
from veer.store.whole import read_whole
from veer.toolchain.compiler import find
from veer.toolchain.compiling import compile_ir

SAMPLE = ("nested not", "coupled", "inside", "constant", "macro")  # of the decisions; `./check --long` takes all
NAMES = "abcdef"

DECISIONS = {
    # source of the body: (text, conditions, kinds, fewest tests)
    "and": ("if (a && b) r = 1;", "a && b", ("a", "b"), (UNIQUE_CAUSE,) * 2, 3),
    "or": ("if (a || b) r = 1;", "a || b", ("a", "b"), (UNIQUE_CAUSE,) * 2, 3),
    "one": ("if (a > b) r = 1;", "a > b", ("a > b",), (UNIQUE_CAUSE,), 2),
    "not": ("if (!a) r = 1;", "!a", ("!a",), (UNIQUE_CAUSE,), 2),
    "three": ("if (a && (b || c)) r = 1;", "a && (b || c)", ("a", "b", "c"), (UNIQUE_CAUSE,) * 3, 4),
    "nested not": ("if (!(a && !b) || c) r = 1;", "!(a && !b) || c", ("a", "!b", "c"), (UNIQUE_CAUSE,) * 3, 4),
    "coupled": (
        "if ((a && b) || (a && c)) r = 1;",
        "(a && b) || (a && c)",
        ("a [1]", "b", "a [2]", "c"),
        (UNIQUE_CAUSE, UNIQUE_CAUSE, MASKING, UNIQUE_CAUSE),
        4,
    ),
    "choice": ("r = a && b ? 2 : 3;", "a && b", ("a", "b"), (UNIQUE_CAUSE,) * 2, 3),
    "inside": ("if (a && (b ? c : !c)) r = 1;", "a && (b ? c : !c)", ("a", "b ? c : !c"), (UNIQUE_CAUSE,) * 2, 3),
    "constant": ("if (a && 1) r = 1;", "a && 1", ("a", "1"), (UNIQUE_CAUSE, ""), 2),
    "macro": ("if (BOTH(a, b)) r = 1;", "BOTH(a, b)", ("a", "b"), (UNIQUE_CAUSE,) * 2, 3),
}


def explored(folder: Path, body: str) -> Result:
    source = folder / "unit.c"
    head = "#define BOTH(x, y) ((x) && (y))\nint f(int a, int b, int c) {\n    int r = c & 0;\n"
    source.write_text(f"{head}    {body}\n    return r;\n}}\n")
    result = run(BuildOptions((source,), "f"), SearchOptions(criterion="mcdc"))
    deliver(result, folder / "out").checked()
    return result


def found(result: Result, text: str) -> DecisionCoverage:
    (decision,) = [each for each in result.decisions if each.decision.text == text]
    return decision


@pytest.mark.parametrize("name", sampled(DECISIONS, lambda name: name in SAMPLE))
def test_pairs_are_those_known_by_hand(tmp_path: Path, name: str) -> None:
    body, text, conditions, kinds, fewest = DECISIONS[name]
    result = explored(tmp_path, body)
    decision = found(result, text)
    assert (decision.decision.file, decision.decision.line) == (str(tmp_path / "unit.c"), 4)
    assert decision.decision.conditions == conditions
    assert tuple(condition.kind for condition in decision.conditions) == kinds
    if name != "inside":  # its ?: is a decision of its own, with a branch on each value
        assert sum(test.path != ALSO for test in result.tests) == fewest
    names = {test.name for test in result.tests}
    for condition in decision.conditions:
        assert set(condition.tests) <= names
        assert len(condition.tests) == (2 if condition.kind else 0)
    assert ("no feasible path gives a unique-cause pair" in decision.note) == (name == "coupled")


def test_the_vectors_are_those_that_c_evaluates(tmp_path: Path) -> None:
    """Each test's inputs, through the operators as C has them."""
    result = explored(tmp_path, "if ((!a || b) && c > 3) r = 1;")
    decision = found(result, "(!a || b) && c > 3")
    inputs = {test.name: describe(result.program, test.inputs) for test in result.tests}
    for seen in decision.seen:
        for name in seen.tests:
            a, b, c = (int(inputs[name][root], 0) for root in "abc")
            letters = ["F" if a else "T", "-" if not a else "FT"[b != 0], "-"]
            if not a or b:
                letters[2] = "FT"[c > 3]
            assert "".join(letters) == seen.vector.values
            assert seen.vector.outcome == ((not a or b != 0) and c > 3)


def test_a_switch_is_no_decision_and_a_nested_one_is_not_measured(tmp_path: Path) -> None:
    result = explored(tmp_path, "switch (a) { case 1: r = 1; break; default: r = (a && (b == (b && c))); }")
    assert [each.is_measured for each in result.decisions] == [False]
    assert "of its own" in result.decisions[0].note
    assert result.coverage.mcdc is not None
    assert result.coverage.mcdc.total == 0


def test_a_loop_and_a_stored_value(tmp_path: Path) -> None:
    result = explored(tmp_path, "for (int i = 0; i < 3 && a; i++) r += a; r = r > 2 || b;")
    loop, stored = found(result, "i < 3 && a"), found(result, "r > 2 || b")
    assert [condition.kind for condition in loop.conditions] == [UNIQUE_CAUSE] * 2
    assert len(stored.conditions) == 2
    assert not loop.decision.is_branched
    assert not stored.decision.is_branched


def test_the_suite_of_the_criterion_passes(tmp_path: Path) -> None:
    explored(tmp_path, "if (a && (b || c)) r = 1;")
    suite = tmp_path / "out" / "suite"
    (text,) = suite.glob("test_*.c")
    built = subprocess.run(["gcc", "-w", str(text), "-lm", "-o", str(suite / "t")], cwd=suite, timeout=60)
    assert built.returncode == 0
    assert subprocess.run([str(suite / "t")], cwd=suite, timeout=60, capture_output=True).returncode == 0


def test_pairs_are_in_every_report(tmp_path: Path) -> None:
    result = explored(tmp_path, "if (a && b) r = 1; r += b && (c || (b == (a && c)));")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["coverage"]["mcdc"] == {"covered": 2, "total": 2}
    assert summary["coverage"]["conditions"] == {"covered": 4, "total": 4}
    measured, unmeasured = summary["decisions"]
    assert [condition["pair"] for condition in measured["conditions"]] == [["TT", "F-"], ["TT", "TF"]]
    assert unmeasured["note"].startswith("not measured")
    page = html.render(result)
    assert "<code>a &amp;&amp; b</code> (unique-cause)" in page
    stream = io.StringIO()
    SummaryPrinter(Console(file=stream, width=100)).show(result, None)
    assert "MC/DC     2 of 2 (100 %) shown by pairs of tests" in stream.getvalue()
    assert "is not measured: a condition of it holds" in " ".join(stream.getvalue().split())
    assert read_whole(tmp_path / "out").decisions == result.decisions


def test_the_ways_of_random_decisions_are_those_of_brute_force(tmp_path: Path) -> None:
    """All vectors of decisions in an if, a loop and a stored value, against Python's operators over all inputs."""
    random = Random(7)
    bodies, trees = [], []
    for number in range(60):
        tree = random_tree(random, random.randint(2, 6))
        trees.append(tree)
        form = ("if ({}) r++;", "r = {};", "while ({}) a--;", "r = {} ? 5 : r;")[number % 4]
        bodies.append(form.format(tree[1]))
    source = tmp_path / "unit.c"
    source.write_text(
        f"int f(int {', int '.join(NAMES)}) {{\n    int r = 0;\n" + "\n".join(bodies) + "\n    return r;\n}\n"
    )
    output = tmp_path / "unit.ll"
    assert compile_ir(find(), source, output, FLAGS).code == 0
    _, decisions = mark_conditions(output.read_text(), "u", frozenset(), source_reader())
    by_line = {decision.line: decision for decision in decisions if len(decision.conditions) > 1}
    for line, tree in enumerate(trees, 3):
        if tree[0] == "not" and line not in by_line:
            assert bodies[line - 3].startswith("r = !(") and "?" in bodies[line - 3]  # clang marks none there
            assert any(each.line == line and each.unmeasured for each in decisions)
            continue
        decision = by_line[line]
        ways = {walked(tree, dict(zip(NAMES, bits, strict=True))) for bits in product((False, True), repeat=6)}
        negated = {(values, not outcome) for values, outcome in ways}
        assert {(way.values, way.outcome) for way in decision.vectors} in (ways, negated), tree[1]
        assert len(decision.conditions) == tree[1].count("&&") + tree[1].count("||") + 1


def random_tree(random: Random, leaves: int) -> tuple[str, str, tuple[Any, ...]]:
    """(operator, text, operands) with that many conditions, no two the same."""
    names = list(NAMES[:leaves])

    def grown(count: int) -> tuple[str, str, tuple[Any, ...]]:
        if count == 1:
            name = names.pop(0)
            return (name, name, ()) if random.random() < 0.7 else ("not leaf", f"!{name}", (name,))
        left = random.randint(1, count - 1)
        operator = random.choice(("&&", "||"))
        operands = (grown(left), grown(count - left))
        text = f"({operands[0][1]} {operator} {operands[1][1]})"
        return (
            ("not", f"!{text}", ((operator, text, operands),)) if random.random() < 0.2 else (operator, text, operands)
        )

    return grown(leaves)


def walked(tree: tuple[str, str, tuple[Any, ...]], inputs: dict[str, bool]) -> tuple[str, bool]:
    """The letters of the conditions in the order of the source, and the outcome, as C evaluates."""
    letters: dict[str, str] = {}

    def value(node: tuple[str, str, tuple[Any, ...]]) -> bool:
        operator, _, operands = node
        if operator == "not":
            return not value(operands[0])
        if operator == "&&":
            return value(operands[0]) and value(operands[1])
        if operator == "||":
            return value(operands[0]) or value(operands[1])
        name = operands[0] if operator == "not leaf" else operator
        found = inputs[name] != (operator == "not leaf")
        letters[name] = "T" if found else "F"
        return found

    outcome = value(tree)
    count = tree[1].count("&&") + tree[1].count("||") + 1
    return "".join(letters.get(name, "-") for name in NAMES[:count]), outcome
